module checkout

go 1.25

require (
	github.com/pulumi/pulumi/sdk/v3 v3.256.0
	pulumi-observability/go v0.1.0
)

// The folder that "pulumi package add" generates.
replace pulumi-observability/go => ./sdks/observability
