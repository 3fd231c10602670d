import { identity } from "../shapes.js";
import { listQuery, none, type Witness } from "../witness.js";

export const derivedMetric: Witness = {
  name: "DerivedMetric",
  paths: {
    ...identity,
    description: "string",
    metric_name: "string",
    "queries[].query.label_expr": "string",
    "queries[].query.variables[].name": "string",
    "queries[].query.variables[].default_label_selector": "string",
    "queries[].selector.labels[].name": "string",
    "queries[].selector.labels[].type": "enum",
    "queries[].selector.labels[].value": "string",
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
