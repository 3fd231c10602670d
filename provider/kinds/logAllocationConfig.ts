import { list, number, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";

const allocation = object(
  shape("Allocation", "A share of the log budget.", {
    percentOfLicense: number("The share.", { unit: "percent of the license, 0–100", default: "0" }),
  }),
  undefined,
  { effect: "budget" },
);

const filter = object(
  shape("PriorityFilter", "Selects log records by query.", {
    query: string("A query in log search syntax.", { required: "always" }),
  }),
);

const priorities = object(
  shape("Priorities", "Which records are kept first, and which are dropped first, when the share is used up.", {
    highPriorityFilters: list(filter, "The records that are kept first."),
    lowPriorityFilters: list(filter, "The records that are dropped first."),
  }),
  undefined,
  { effect: "precedence", format: "settings" },
);

export const logAllocationConfig = kind({
  name: "LogAllocationConfig",
  title: "log allocation config",
  description: "The single object that divides the log budget among datasets, as percentages of the license.",
  wire: { one: "log_allocation_config" },
  described: ["post"],
  limits: [
    "There is one per service: it has no name and no slug, and a program declares it at most once per provider.",
    "The shares add up to at most 100 percent.",
    "A dataset may appear once and must exist: pass `dataset.slug` rather than its text, so that it is created first.",
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
      shape("DefaultDataset", "The share of all records that belong to no other dataset.", { allocation, priorities }),
    ),
  },
  example: {
    args: {
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
    wire: {
      dataset_allocations: [
        {
          dataset_slug: "checkout-logs",
          allocation: { percent_of_license: 40 },
          priorities: {
            high_priority_filters: [{ query: 'severity = "ERROR"' }],
            low_priority_filters: [{ query: 'severity = "DEBUG"' }],
          },
        },
      ],
      default_dataset: { allocation: { percent_of_license: 60 } },
    },
  },
});
