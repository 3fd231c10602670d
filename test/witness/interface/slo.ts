import { type Paths, under } from "./paths.js";
import { signalGrouping } from "./shared.js";

export const slo: Paths = {
  name: "string",
  slug: "string",
  created_at: "date-time",
  updated_at: "date-time",
  annotations: "map",
  labels: "map",
  description: "string",
  "collection_ref.slug": "string",
  notification_policy_slug: "string",
  ...under("signal_grouping", signalGrouping),

  "definition.objective": "number",
  "definition.time_window": "string",
  "definition.enable_burn_rate_alerting": "boolean",
  "definition.burn_rate_alerting_config[].window": "string",
  "definition.burn_rate_alerting_config[].budget": "number",
  "definition.burn_rate_alerting_config[].labels": "map",
  "definition.burn_rate_alerting_config[].severity": "string",

  "sli.additional_label_filters": "string",
  "sli.custom_dimension_labels[]": "string",
  "sli.custom_indicator.total_query_template": "string",
  "sli.custom_indicator.bad_query_template": "string",
  "sli.custom_indicator.good_query_template": "string",
  "sli.custom_timeslice_indicator.condition.op": "enum",
  "sli.custom_timeslice_indicator.condition.value": "number",
  "sli.custom_timeslice_indicator.query_template": "string",
  "sli.custom_timeslice_indicator.timeslice_size": "enum",
};
