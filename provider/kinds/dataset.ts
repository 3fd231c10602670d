import { object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { traceFilter } from "./shapes/spans";

const configuration = shape("DatasetConfiguration", "The data that the dataset selects: logs or traces.", {
  type: string("The type of data. It decides whether `logDataset` or `traceDataset` applies.", {
    suggestions: ["LOGS", "TRACES"],
    required: "always",
  }),
  logDataset: object(
    shape("LogDataset", "The selection, if `type` is `LOGS`.", {
      matchCriteria: object(
        shape("LogMatchCriteria", "The log records that belong to the dataset.", {
          query: string("A query in log search syntax."),
        }),
      ),
    }),
    undefined,
    { required: "`type` is `LOGS`" },
  ),
  traceDataset: object(
    shape("TraceDataset", "The selection, if `type` is `TRACES`.", {
      matchCriteria: object(traceFilter, "The traces that belong to the dataset."),
    }),
    undefined,
    { required: "`type` is `TRACES`" },
  ),
});

export const dataset = kind({
  name: "Dataset",
  title: "dataset",
  description: "A named selection of logs or traces.",
  wire: { one: "dataset", many: "datasets" },
  described: ["get"],
  limits: ["The service doesn't delete a dataset that the log allocation refers to."],
  fields: {
    description: string("The purpose of the dataset, for people.", { effect: "text" }),
    configuration: object(configuration, undefined, { required: "always", effect: "selects" }),
  },
  example: {
    name: "Checkout logs",
    slug: "checkout-logs",
    description: "Everything that the checkout service logs",
    configuration: {
      type: "LOGS",
      logDataset: { matchCriteria: { query: 'service = "checkout"' } },
    },
  },
});
