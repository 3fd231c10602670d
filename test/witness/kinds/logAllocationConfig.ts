import { type Fields, posts, under, type Witness } from "../witness.js";

const share: Fields = {
  allocation: "budget settings",
  "allocation.percent_of_license": "number",
  priorities: "precedence settings",
  "priorities.high_priority_filters[].query": "string",
  "priorities.low_priority_filters[].query": "string",
};

/** The singleton: no name, no slug. */
export const logAllocationConfig: Witness = {
  name: "LogAllocationConfig",
  fields: {
    created_at: "date-time",
    updated_at: "date-time",
    dataset_allocations: "precedence",
    "dataset_allocations[].dataset_slug": "string budget",
    ...under("dataset_allocations[]", share),
    default_dataset: "settings",
    ...under("default_dataset", share),
  },
  operations: {
    "POST /api/v1/config/log-allocation-config": posts("log_allocation_config", "LogAllocationConfig"),
  },
  changes: {
    datasetAllocations: {
      datasetAllocations: [{ datasetSlug: "checkout-logs", allocation: { percentOfLicense: 12.5 } }],
    },
    defaultDataset: {
      defaultDataset: {
        allocation: { percentOfLicense: 10 },
        priorities: { highPriorityFilters: [{ query: "a" }] },
      },
    },
  },
  refused: { change: { defaultDataset: { allocation: { percentOfLicense: 101 } } }, path: "defaultDataset" },
};
