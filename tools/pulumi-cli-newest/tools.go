//go:build tools

// Package tools pins the newest Pulumi CLI that the provider is tested with, for ../pulumi-get.mjs to build.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
