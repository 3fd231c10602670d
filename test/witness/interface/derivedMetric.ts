import type { Paths } from "./paths.js";

export const derivedMetric: Paths = {
  name: "string",
  slug: "string",
  description: "string",
  metric_name: "string",
  "queries[].query.label_expr": "string",
  "queries[].query.variables[].name": "string",
  "queries[].query.variables[].default_label_selector": "string",
  "queries[].selector.labels[].name": "string",
  "queries[].selector.labels[].type": "enum",
  "queries[].selector.labels[].value": "string",
  created_at: "date-time",
  updated_at: "date-time",
};
