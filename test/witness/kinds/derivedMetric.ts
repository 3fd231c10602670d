import { identity, labelMatcher } from "../shapes.js";
import { lists, posts, under, type Witness } from "../witness.js";

export const derivedMetric: Witness = {
  name: "DerivedMetric",
  fields: {
    ...identity,
    description: "string text",
    metric_name: "string publishes",
    queries: "selects",
    "queries[].query.label_expr": "string promql",
    "queries[].query.variables": "unordered",
    "queries[].query.variables[].name": "string",
    "queries[].query.variables[].default_label_selector": "string labelFilters",
    "queries[].selector": "settings",
    "queries[].selector.labels": "unordered set",
    ...under("queries[].selector.labels[]", labelMatcher),
  },
  operations: {
    "POST /api/v1/config/derived-metrics": posts("derived_metric", "DerivedMetric"),
    "GET /api/v1/config/derived-metrics": lists("derived_metrics", "DerivedMetric"),
  },
  changes: {
    metricName: { metricName: "another:metric" },
    queries: { queries: [{ query: { labelExpr: "up" } }] },
  },
  refused: { change: { queries: [] }, path: "queries" },
};
