import { type Paths, under } from "./paths.js";
import { signalGrouping } from "./shared.js";

const day: Paths = {
  active: "enum",
  "ranges[].start_hh_mm": "string",
  "ranges[].end_hh_mm": "string",
};

const severityConditions: Paths = {
  "conditions[].op": "enum",
  "conditions[].value": "number",
  "conditions[].sustain_secs": "integer",
  "conditions[].resolve_sustain_secs": "integer",
};

export const monitor: Paths = {
  name: "string",
  slug: "string",
  created_at: "date-time",
  updated_at: "date-time",
  annotations: "map",
  labels: "map",
  bucket_slug: "string",
  "collection.slug": "string",
  collection_slug: "string",
  notification_policy_slug: "string",
  interval_secs: "integer",
  dotted_query: "string",
  label_query: "string",
  logging_query: "string",

  "schedule.timezone": "string",
  ...under("schedule.weekly_schedule.monday", day),
  ...under("schedule.weekly_schedule.tuesday", day),
  ...under("schedule.weekly_schedule.wednesday", day),
  ...under("schedule.weekly_schedule.thursday", day),
  ...under("schedule.weekly_schedule.friday", day),
  ...under("schedule.weekly_schedule.saturday", day),
  ...under("schedule.weekly_schedule.sunday", day),

  ...under("series_conditions.defaults.critical", severityConditions),
  ...under("series_conditions.defaults.warn", severityConditions),
  "series_conditions.overrides[].label_matchers[].name": "string",
  "series_conditions.overrides[].label_matchers[].type": "enum",
  "series_conditions.overrides[].label_matchers[].value": "string",
  ...under("series_conditions.overrides[].severity_conditions", severityConditions),

  ...under("signal_grouping", signalGrouping),
};
