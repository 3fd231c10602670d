import pulumi
import pulumi_observability as obs

config = pulumi.Config()
labels = {"team": "checkout"}


class Alerts(pulumi.ComponentResource):
    """Who is notified, and when."""

    def __init__(self, name: str, threshold: float, opts: pulumi.ResourceOptions | None = None):
        super().__init__("checkout:index:Alerts", name, None, opts)
        child = pulumi.ResourceOptions(parent=self)
        self.pager = obs.Notifier(
            f"{name}-pager",
            skip_resolved=True,
            oncall_b={"routing_key": config.require_secret("routingKey"), "severity": "critical"},
            opts=child,
        )
        self.errors = obs.Monitor(
            f"{name}-errors",
            labels={**labels, "notifier": self.pager.slug},
            interval_secs=30,
            label_query='sum(rate(http_errors_total{service="checkout"}[5m])) by (region)',
            signal_grouping={"label_names": ["region"]},
            series_conditions={
                "defaults": {"critical": {"conditions": [{"op": "GT", "value": threshold, "sustain_secs": 120}]}}
            },
            opts=child,
        )


alerts = Alerts("checkout", threshold=0.05)

obs.DerivedMetric(
    "checkout-error-ratio",
    metric_name="checkout:error_ratio",
    queries=[{"query": {"label_expr": "sum(rate(http_errors_total[5m])) / sum(rate(http_requests_total[5m]))"}}],
)

obs.TraceMetricsRule(
    "checkout-latency",
    metric_name="checkout_latency",
    histogram_buckets_secs=[0.1, 0.5, 2],
    trace_filter={"span": [{"service": {"match": "EXACT", "value": "checkout"}}]},
)

obs.SLO(
    "checkout-availability",
    labels=labels,
    definition={"objective": 99.9, "time_window": "28d"},
    sli={
        "custom_indicator": {
            "total_query_template": 'sum(rate(http_requests_total{service="checkout"}[5m]))',
            "bad_query_template": 'sum(rate(http_errors_total{service="checkout"}[5m]))',
        }
    },
)

obs.CloudxMetricsIntegration(
    "checkout-cloud",
    usage_metrics_enabled=True,
    principal={"client_id": "checkout-metrics", "tenant_id": "shop"},
    scrape_config={
        "locations": ["westeurope"],
        "resource_types": [{"name": "databases/servers", "metric_names": ["cpu_percent"]}],
    },
)

logs = obs.Dataset(
    "checkout-logs",
    configuration={"type": "LOGS", "log_dataset": {"match_criteria": {"query": 'service = "checkout"'}}},
)
obs.LogAllocationConfig(
    "log-budget",
    dataset_allocations=[{"dataset_slug": logs.slug, "allocation": {"percent_of_license": 40}}],
    default_dataset={"allocation": {"percent_of_license": 60}},
)

# A provider of its own has its own settings. Those that it lacks come from the environment.
staging = obs.Provider("staging", slug_prefix="staging-")
obs.Dataset(
    "search-logs",
    configuration={"type": "LOGS", "log_dataset": {"match_criteria": {"query": 'service = "search"'}}},
    opts=pulumi.ResourceOptions(provider=staging),
)

pulumi.export("monitor", alerts.errors.slug)
