import { identity, spanScope, traceFilter } from "../shapes.js";
import { lists, puts, under, type Witness } from "../witness.js";

export const traceMetricsRule: Witness = {
  name: "TraceMetricsRule",
  fields: {
    ...identity,
    metric_name: "string publishes",
    metric_labels: "map describes",
    histogram_buckets_secs: "distributes",
    "histogram_buckets_secs[]": "number",
    group_by: "describes unordered",
    "group_by[].key.named_key": "string",
    "group_by[].key.type": "enum SERVICE|OPERATION|TAG|PARENT_SERVICE|PARENT_OPERATION|ROOT_SERVICE|ROOT_OPERATION",
    "group_by[].label": "string",
    scope_filter: "selects settings",
    ...under("scope_filter.span_scopes[]", spanScope),
    trace_filter: "selects",
    ...under("trace_filter", traceFilter),
  },
  operations: {
    "GET /api/v1/config/trace-metrics-rules": lists("trace_metrics_rules", "TraceMetricsRule"),
    "PUT /api/v1/config/trace-metrics-rules/{slug}": puts("trace_metrics_rule", "TraceMetricsRule"),
  },
  changes: {
    metricName: { metricName: "another:metric" },
    histogramBucketsSecs: { histogramBucketsSecs: [0, 0.2, 1] },
    groupBy: { groupBy: [{ key: { type: "SERVICE" }, label: "service" }] },
    traceFilter: { traceFilter: { span: [{ error: { value: true }, duration: { minSecs: 1 } }] } },
    scopeFilter: { scopeFilter: { spanScopes: [{ service: { match: "EXACT", value: "cart" } }] } },
  },
  refused: { change: { histogramBucketsSecs: [2, 1] }, path: "histogramBucketsSecs" },
};
