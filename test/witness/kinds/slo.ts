import { comparisonOp, identity, signalGrouping } from "../shapes.js";
import { puts, under, type Witness } from "../witness.js";

export const slo: Witness = {
  name: "SLO",
  fields: {
    ...identity,
    annotations: "map text",
    labels: "map label",
    description: "string text",
    collection_ref: "routes settings",
    "collection_ref.slug": "string",
    notification_policy_slug: "string routes",
    ...under("signal_grouping", signalGrouping),

    "definition.objective": "number objective",
    "definition.time_window": `string window duration ="28d"`,
    "definition.enable_burn_rate_alerting": "boolean burnRate",
    "definition.burn_rate_alerting_config": `burnRate unordered set =${JSON.stringify([
      { window: "1h", budget: 2, severity: "critical" },
      { window: "6h", budget: 5, severity: "critical" },
      { window: "3d", budget: 10, severity: "warn" },
    ])}`,
    "definition.burn_rate_alerting_config[].window": "string duration",
    "definition.burn_rate_alerting_config[].budget": "number",
    "definition.burn_rate_alerting_config[].labels": "map label",
    "definition.burn_rate_alerting_config[].severity": "enum routes critical|warn",

    sli: "selects",
    "sli.additional_label_filters": "string labelFilters",
    "sli.custom_dimension_labels": "grouping unordered set",
    "sli.custom_dimension_labels[]": "string",
    "sli.custom_indicator.total_query_template": "string promql",
    "sli.custom_indicator.bad_query_template": "string promql",
    "sli.custom_indicator.good_query_template": "string promql",
    "sli.custom_timeslice_indicator.condition": "threshold condition",
    "sli.custom_timeslice_indicator.condition.op": comparisonOp,
    "sli.custom_timeslice_indicator.condition.value": "number",
    "sli.custom_timeslice_indicator.query_template": "string promql",
    "sli.custom_timeslice_indicator.timeslice_size":
      "enum threshold TIMESLICE_SIZE_ONE_MINUTE|TIMESLICE_SIZE_FIVE_MINUTES",
  },
  operations: {
    "PUT /api/v1/config/slos/{slug}": puts("slo", "SLO"),
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
