import { identity, spanScope, traceFilter } from "../shapes.js";
import { listQuery, none, slug, under, type Witness } from "../witness.js";

export const traceMetricsRule: Witness = {
  name: "TraceMetricsRule",
  paths: {
    ...identity,
    metric_name: "string",
    metric_labels: "map",
    "histogram_buckets_secs[]": "number",
    "group_by[].key.named_key": "string",
    "group_by[].key.type": "enum",
    "group_by[].label": "string",
    ...under("scope_filter.span_scopes[]", spanScope),
    ...under("trace_filter", traceFilter),
  },
  operations: {
    "GET /api/v1/config/trace-metrics-rules": {
      path: none,
      query: listQuery,
      request: none,
      response: { trace_metrics_rules: "TraceMetricsRule[]", "page.next_token": "string" },
    },
    "PUT /api/v1/config/trace-metrics-rules/{slug}": {
      path: slug,
      query: none,
      request: { create_if_missing: "boolean", dry_run: "boolean", trace_metrics_rule: "TraceMetricsRule" },
      response: { trace_metrics_rule: "TraceMetricsRule" },
    },
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
