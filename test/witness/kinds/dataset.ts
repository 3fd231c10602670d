import { identity, traceFilter } from "../shapes.js";
import { reads, under, type Witness } from "../witness.js";

export const dataset: Witness = {
  name: "Dataset",
  fields: {
    ...identity,
    description: "string text",
    configuration: "selects",
    "configuration.type": "enum LOGS|TRACES",
    "configuration.log_dataset.match_criteria.query": "string",
    ...under("configuration.trace_dataset.match_criteria", traceFilter),
  },
  operations: {
    "GET /api/v1/config/datasets/{slug}": reads("dataset", "Dataset"),
  },
  changes: {
    configuration: {
      configuration: { type: "TRACES", traceDataset: { matchCriteria: { trace: { error: { value: true } } } } },
    },
  },
  refused: { change: { configuration: { type: "TRACES" } }, path: "configuration" },
};
