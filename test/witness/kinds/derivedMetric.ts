import { identity, labelMatcher } from "../shapes.js";
import { listQuery, none, under, type Witness } from "../witness.js";

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
    "POST /api/v1/config/derived-metrics": {
      path: none,
      query: none,
      request: { derived_metric: "DerivedMetric", dry_run: "boolean" },
      response: { derived_metric: "DerivedMetric" },
    },
    "GET /api/v1/config/derived-metrics": {
      path: none,
      query: listQuery,
      request: none,
      response: { derived_metrics: "DerivedMetric[]", "page.next_token": "string" },
    },
  },
  changes: {
    metricName: { metricName: "another:metric" },
    queries: { queries: [{ query: { labelExpr: "up" } }] },
  },
  refused: { change: { queries: [] }, path: "queries" },
};
