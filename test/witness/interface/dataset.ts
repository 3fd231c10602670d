import { type Paths, under } from "./paths.js";
import { traceFilter } from "./shared.js";

export const dataset: Paths = {
  name: "string",
  slug: "string",
  description: "string",
  created_at: "date-time",
  updated_at: "date-time",
  "configuration.type": "enum",
  "configuration.log_dataset.match_criteria.query": "string",
  ...under("configuration.trace_dataset.match_criteria", traceFilter),
};
