import { object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { traceFilter } from "./shapes/spans";

const configuration = shape("DatasetConfiguration", "The data that the dataset selects: logs or traces.", {
  type: string("Which kind of data; decides which of the two selections counts.", {
    suggestions: ["LOGS", "TRACES"],
    required: "always",
  }),
  logDataset: object(
    shape("LogDataset", "A selection of log data.", {
      matchCriteria: object(
        shape("LogMatchCriteria", "Which log records belong to the dataset.", {
          query: string("A query in log search syntax."),
        }),
      ),
    }),
    undefined,
    { required: "`type` is `LOGS`" },
  ),
  traceDataset: object(
    shape("TraceDataset", "A selection of trace data.", {
      matchCriteria: object(traceFilter, "Which traces belong to the dataset."),
    }),
    undefined,
    { required: "`type` is `TRACES`" },
  ),
});

export const dataset = kind({
  name: "Dataset",
  title: "dataset",
  description: "A named selection of log data or trace data, defined by match criteria.",
  wire: { one: "dataset", many: "datasets" },
  described: ["get"],
  limits: ["A dataset that the log allocation refers to cannot be deleted."],
  fields: {
    description: string("What the dataset is for.", { effect: "text" }),
    configuration: object(configuration, undefined, { required: "always", effect: "selects" }),
  },
  example: {
    args: {
      name: "Checkout logs",
      slug: "checkout-logs",
      description: "Everything that the checkout service logs",
      configuration: {
        type: "LOGS",
        logDataset: { matchCriteria: { query: 'service = "checkout"' } },
      },
    },
    wire: {
      name: "Checkout logs",
      slug: "checkout-logs",
      description: "Everything that the checkout service logs",
      configuration: {
        type: "LOGS",
        log_dataset: { match_criteria: { query: 'service = "checkout"' } },
      },
    },
  },
});
