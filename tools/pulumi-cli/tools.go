//go:build tools

// Package tools pins the Pulumi CLI that ../pulumi-build.mjs builds.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
