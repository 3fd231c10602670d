import { type Paths, under } from "./paths.js";
import { spanScope, traceFilter } from "./shared.js";

export const traceMetricsRule: Paths = {
  name: "string",
  slug: "string",
  created_at: "date-time",
  updated_at: "date-time",
  metric_name: "string",
  metric_labels: "map",
  "histogram_buckets_secs[]": "number",
  "group_by[].key.named_key": "string",
  "group_by[].key.type": "enum",
  "group_by[].label": "string",
  ...under("scope_filter.span_scopes[]", spanScope),
  ...under("trace_filter", traceFilter),
};
