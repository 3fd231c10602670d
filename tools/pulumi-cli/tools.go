//go:build tools

// Package tools pins the Pulumi CLI that ../pulumi-get.mjs builds, and the language host of YAML, which ../languages.mjs
// builds.
package tools

import (
	_ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
	_ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
)
