import { identity, signalGrouping } from "../shapes.js";
import { none, slug, under, type Witness } from "../witness.js";

export const slo: Witness = {
  name: "SLO",
  paths: {
    ...identity,
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
    "definition.burn_rate_alerting_config[].severity": "enum",

    "sli.additional_label_filters": "string",
    "sli.custom_dimension_labels[]": "string",
    "sli.custom_indicator.total_query_template": "string",
    "sli.custom_indicator.bad_query_template": "string",
    "sli.custom_indicator.good_query_template": "string",
    "sli.custom_timeslice_indicator.condition.op": "enum",
    "sli.custom_timeslice_indicator.condition.value": "number",
    "sli.custom_timeslice_indicator.query_template": "string",
    "sli.custom_timeslice_indicator.timeslice_size": "enum",
  },
  operations: {
    "PUT /api/v1/config/slos/{slug}": {
      path: slug,
      query: none,
      request: { create_if_missing: "boolean", dry_run: "boolean", slo: "SLO" },
      response: { slo: "SLO" },
    },
  },
  changes: {
    annotations: { annotations: { "run.book": "x" } },
    labels: { labels: { team: "payments" } },
    collectionRef: { collectionRef: { slug: "a-collection" } },
    signalGrouping: { signalGrouping: { labelNames: ["region"] } },
    definition: { definition: { objective: 95 } },
    sli: {
      sli: {
        customTimesliceIndicator: {
          queryTemplate: "up",
          condition: { op: "GT", value: 0 },
          timesliceSize: "TIMESLICE_SIZE_ONE_MINUTE",
        },
      },
    },
  },
  refused: { change: { definition: { objective: 100 } }, path: "definition.objective" },
};
