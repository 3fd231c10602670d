//go:build tools

// Package tools pins the language hosts that ../pulumi-get.mjs and ../languages.mjs build: v3.66.0 is the last version with
// all three in one Go module that is served, and they run programs of today's SDKs under today's CLI.
package tools

import (
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go"
	_ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
	_ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
)
