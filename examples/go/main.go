package main

import (
	obs "pulumi-observability/go/observability"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

// Alerts is a component: who is notified, and when.
type Alerts struct {
	pulumi.ResourceState
	Errors *obs.Monitor
}

func NewAlerts(ctx *pulumi.Context, name string, threshold float64) (*Alerts, error) {
	alerts := &Alerts{}
	if err := ctx.RegisterComponentResource("checkout:index:Alerts", name, alerts); err != nil {
		return nil, err
	}
	child := pulumi.Parent(alerts)
	pager, err := obs.NewNotifier(ctx, name+"-pager", &obs.NotifierArgs{
		SkipResolved: pulumi.Bool(true),
		OncallB: obs.OncallBArgs{
			RoutingKey: config.RequireSecret(ctx, "routingKey"),
			Severity:   pulumi.String("critical"),
		},
	}, child)
	if err != nil {
		return nil, err
	}
	alerts.Errors, err = obs.NewMonitor(ctx, name+"-errors", &obs.MonitorArgs{
		Labels:         pulumi.StringMap{"team": pulumi.String("checkout"), "notifier": pager.Slug},
		IntervalSecs:   pulumi.Int(30),
		LabelQuery:     pulumi.String(`sum(rate(http_errors_total{service="checkout"}[5m])) by (region)`),
		SignalGrouping: obs.SignalGroupingArgs{LabelNames: pulumi.ToStringArray([]string{"region"})},
		SeriesConditions: obs.SeriesConditionsArgs{Defaults: obs.DefaultConditionsArgs{
			Critical: obs.SeverityConditionsArgs{Conditions: obs.ConditionArray{obs.ConditionArgs{
				Op:          pulumi.String("GT"),
				Value:       pulumi.Float64(threshold),
				SustainSecs: pulumi.Int(120),
			}}},
		}},
	}, child)
	return alerts, err
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		alerts, err := NewAlerts(ctx, "checkout", 0.05)
		if err != nil {
			return err
		}
		ctx.Export("monitor", alerts.Errors.Slug)
		if err := measure(ctx); err != nil {
			return err
		}
		return keepLogs(ctx)
	})
}

func measure(ctx *pulumi.Context) error {
	if _, err := obs.NewDerivedMetric(ctx, "checkout-error-ratio", &obs.DerivedMetricArgs{
		MetricName: pulumi.String("checkout:error_ratio"),
		Queries: obs.DerivedQueryArray{obs.DerivedQueryArgs{Query: obs.ParameterisedQueryArgs{
			LabelExpr: pulumi.String("sum(rate(http_errors_total[5m])) / sum(rate(http_requests_total[5m]))"),
		}}},
	}); err != nil {
		return err
	}
	if _, err := obs.NewTraceMetricsRule(ctx, "checkout-latency", &obs.TraceMetricsRuleArgs{
		MetricName:           pulumi.String("checkout_latency"),
		HistogramBucketsSecs: pulumi.ToFloat64Array([]float64{0.1, 0.5, 2}),
		TraceFilter: obs.TraceFilterArgs{Span: obs.SpanScopeArray{obs.SpanScopeArgs{
			Service: obs.StringMatchArgs{Match: pulumi.String("EXACT"), Value: pulumi.String("checkout")},
		}}},
	}); err != nil {
		return err
	}
	if _, err := obs.NewSLO(ctx, "checkout-availability", &obs.SLOArgs{
		Definition: obs.SloDefinitionArgs{Objective: pulumi.Float64(99.9), TimeWindow: pulumi.String("28d")},
		Sli: obs.SliArgs{CustomIndicator: obs.CustomIndicatorArgs{
			TotalQueryTemplate: pulumi.String(`sum(rate(http_requests_total{service="checkout"}[5m]))`),
			BadQueryTemplate:   pulumi.String(`sum(rate(http_errors_total{service="checkout"}[5m]))`),
		}},
	}); err != nil {
		return err
	}
	_, err := obs.NewCloudxMetricsIntegration(ctx, "checkout-cloud", &obs.CloudxMetricsIntegrationArgs{
		UsageMetricsEnabled: pulumi.Bool(true),
		Principal:           obs.PrincipalArgs{ClientId: pulumi.String("checkout-metrics"), TenantId: pulumi.String("shop")},
		ScrapeConfig: obs.ScrapeConfigArgs{
			Locations: pulumi.ToStringArray([]string{"westeurope"}),
			ResourceTypes: obs.ResourceTypeArray{obs.ResourceTypeArgs{
				Name:        pulumi.String("databases/servers"),
				MetricNames: pulumi.ToStringArray([]string{"cpu_percent"}),
			}},
		},
	})
	return err
}

func keepLogs(ctx *pulumi.Context) error {
	logsOf := func(service string) obs.DatasetConfigurationPtrInput {
		return obs.DatasetConfigurationArgs{Type: pulumi.String("LOGS"), LogDataset: obs.LogDatasetArgs{
			MatchCriteria: obs.LogMatchCriteriaArgs{Query: pulumi.String(`service = "` + service + `"`)},
		}}
	}
	logs, err := obs.NewDataset(ctx, "checkout-logs", &obs.DatasetArgs{Configuration: logsOf("checkout")})
	if err != nil {
		return err
	}
	if _, err := obs.NewLogAllocationConfig(ctx, "log-budget", &obs.LogAllocationConfigArgs{
		DatasetAllocations: obs.DatasetAllocationArray{obs.DatasetAllocationArgs{
			DatasetSlug: logs.Slug,
			Allocation:  obs.AllocationArgs{PercentOfLicense: pulumi.Float64(40)},
		}},
		DefaultDataset: obs.DefaultDatasetArgs{Allocation: obs.AllocationArgs{PercentOfLicense: pulumi.Float64(60)}},
	}); err != nil {
		return err
	}
	// A provider of its own has its own settings. Those that it lacks come from the environment.
	staging, err := obs.NewProvider(ctx, "staging", &obs.ProviderArgs{SlugPrefix: pulumi.String("staging-")})
	if err != nil {
		return err
	}
	_, err = obs.NewDataset(ctx, "search-logs", &obs.DatasetArgs{Configuration: logsOf("search")}, pulumi.Provider(staging))
	return err
}
