//go:build tools

// Package tools pins the Node.js language host that ../pulumi-build.mjs builds: v3.68.0 is the last one that is served
// as part of a Go module, and it drives programs of today's SDK under today's CLI.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
