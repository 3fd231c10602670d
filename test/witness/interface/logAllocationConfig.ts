import { type Paths, under } from "./paths.js";

const share: Paths = {
  "allocation.percent_of_license": "number",
  "priorities.high_priority_filters[].query": "string",
  "priorities.low_priority_filters[].query": "string",
};

/** The singleton: no name, no slug. */
export const logAllocationConfig: Paths = {
  created_at: "date-time",
  updated_at: "date-time",
  "dataset_allocations[].dataset_slug": "string",
  ...under("dataset_allocations[]", share),
  ...under("default_dataset", share),
};
