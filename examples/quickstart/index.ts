import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";

const config = new pulumi.Config();
const runBook = config.get("runBook") ?? "https://runbooks.example.com/checkout";
const labels = { team: "checkout" };
const annotations = { runBook };

// The people to notify. The key comes from config, is encrypted in the state, and is never shown.
const pager = new obs.Notifier("checkout-pager", {
  skipResolved: true,
  oncallB: { routingKey: config.requireSecret("routingKey"), severity: "critical", details: annotations },
});

// A metric that several queries share: the ratio of failed requests, per service.
const errorRatio = new obs.DerivedMetric("checkout-error-ratio", {
  description: "Failed requests per request",
  metricName: "checkout:error_ratio",
  queries: [
    {
      query: {
        labelExpr: "sum(rate(http_errors_total{$scope}[5m])) / sum(rate(http_requests_total{$scope}[5m]))",
        variables: [{ name: "scope", defaultLabelSelector: 'service="checkout"' }],
      },
    },
  ],
});

// What wakes them.
const errors = new obs.Monitor("checkout-errors", {
  name: "Checkout error rate",
  labels: { ...labels, notifier: pager.slug },
  annotations,
  intervalSecs: 30,
  labelQuery: pulumi.interpolate`max(${errorRatio.metricName}) by (region)`,
  seriesConditions: {
    defaults: {
      critical: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120 }] },
      warn: { conditions: [{ op: "GT", value: 0.01, sustainSecs: 300 }] },
    },
  },
  signalGrouping: { labelNames: ["region"] },
});

// How slow paying is, measured from traces.
new obs.TraceMetricsRule("checkout-latency", {
  metricName: "checkout_latency",
  metricLabels: labels,
  histogramBucketsSecs: [0.1, 0.25, 0.5, 1, 2.5],
  groupBy: [{ key: { type: "TAG", namedKey: "http.route" }, label: "route" }],
  traceFilter: { span: [{ service: { match: "EXACT", value: "checkout" }, isRootSpan: { value: true } }] },
});

// What is promised, and when too much of it is spent.
new obs.SLO("checkout-availability", {
  description: "Buyers can pay",
  labels,
  annotations,
  definition: {
    objective: 99.9,
    timeWindow: "28d",
    enableBurnRateAlerting: true,
    burnRateAlertingConfig: [{ window: "1h", budget: 2, severity: "critical", labels }],
  },
  sli: {
    customIndicator: {
      totalQueryTemplate: 'sum(rate(http_requests_total{service="checkout"}[5m]))',
      badQueryTemplate: 'sum(rate(http_errors_total{service="checkout"}[5m]))',
    },
  },
});

// The cloud account that checkout runs in.
new obs.CloudxMetricsIntegration("checkout-cloud", {
  usageMetricsEnabled: true,
  principal: { clientId: "checkout-metrics", tenantId: "shop" },
  scrapeConfig: {
    locations: ["westeurope"],
    resourceTypes: [{ name: "databases/servers", metricNames: ["cpu_percent", "storage_percent"] }],
  },
});

// What they look at, and how much of the log budget it may take.
const logs = new obs.Dataset("checkout-logs", {
  description: "Everything that the checkout service logs",
  configuration: { type: "LOGS", logDataset: { matchCriteria: { query: 'service = "checkout"' } } },
});

new obs.LogAllocationConfig("log-budget", {
  datasetAllocations: [
    {
      datasetSlug: logs.slug,
      allocation: { percentOfLicense: 40 },
      priorities: { lowPriorityFilters: [{ query: 'severity = "DEBUG"' }] },
    },
  ],
  defaultDataset: { allocation: { percentOfLicense: 60 } },
});

export const monitor = errors.slug;
export const dataset = logs.slug;
