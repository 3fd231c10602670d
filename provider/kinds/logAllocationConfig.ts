import { list, number, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";

const allocation = object(
  shape("Allocation", "A share of the log budget.", {
    percentOfLicense: number("The share of the log budget.", { unit: "percent of the license, 0–100", default: "0" }),
  }),
  undefined,
  { effect: "budget", format: "settings" },
);

const filter = object(
  shape("PriorityFilter", "Selects log records by query.", {
    query: string("A query in log search syntax.", { required: "always" }),
  }),
);

const priorities = object(
  shape("Priorities", "The records to keep first and to drop first when the share is used up.", {
    highPriorityFilters: list(filter, "The records that are kept first."),
    lowPriorityFilters: list(filter, "The records that are dropped first."),
  }),
  undefined,
  { effect: "precedence", format: "settings" },
);

export const logAllocationConfig = kind({
  name: "LogAllocationConfig",
  title: "log allocation config",
  description: "Divides the log budget among datasets, in percent of the license.",
  wire: { one: "log_allocation_config" },
  described: ["post"],
  limits: [
    "A service has only one. Therefore it has no name and no slug, and a program can declare it only once per provider.",
    "The sum of all shares is at most 100 percent.",
    "Each dataset can appear only once, and it must exist. Pass `dataset.slug` instead of a string, so that Pulumi creates the dataset first.",
  ],
  fields: {
    datasetAllocations: list(
      object(
        shape("DatasetAllocation", "The share of one dataset.", {
          datasetSlug: string("The dataset's slug.", { refersTo: "Dataset", required: "always", effect: "budget" }),
          allocation,
          priorities,
        }),
      ),
      "The shares of the datasets, in order of precedence.",
      { effect: "precedence" },
    ),
    defaultDataset: object(
      shape("DefaultDataset", "The share of the records that belong to none of the datasets.", {
        allocation,
        priorities,
      }),
      undefined,
      { format: "settings" },
    ),
  },
  example: {
    datasetAllocations: [
      {
        datasetSlug: "checkout-logs",
        allocation: { percentOfLicense: 40 },
        priorities: {
          highPriorityFilters: [{ query: 'severity = "ERROR"' }],
          lowPriorityFilters: [{ query: 'severity = "DEBUG"' }],
        },
      },
    ],
    defaultDataset: { allocation: { percentOfLicense: 60 } },
  },
});
