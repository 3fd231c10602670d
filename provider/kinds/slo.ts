import { boolean, list, map, number, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { collectionRef } from "./shapes/collectionRef";
import { comparisonOps } from "./shapes/matching";
import { signalGrouping } from "./shapes/signalGrouping";

const duration = { unit: "a whole number and m, h, d or w, e.g. 28d", format: "duration" } as const;

const definition = shape("SloDefinition", "What is promised, over which time, and when the budget burns too fast.", {
  objective: number("The share of good events or timeslices.", {
    unit: "percent, above 0 and below 100",
    required: "always",
    effect: "objective",
  }),
  timeWindow: string("The time over which the objective holds.", {
    ...duration,
    defaultValue: "28d",
    effect: "window",
  }),
  enableBurnRateAlerting: boolean("Whether alerts are sent when the error budget burns too fast.", {
    default: "false",
    effect: "burnRate",
  }),
  burnRateAlertingConfig: list(
    object(
      shape("BurnRateAlert", "One burn-rate alert.", {
        window: string("The time over which the burn is measured; at most the time window.", {
          ...duration,
          required: "always",
        }),
        budget: number("The share of the error budget that may burn in the window.", {
          unit: "percent, above 0 and up to 100",
          required: "always",
        }),
        labels: map("Labels of the alert; keys are kept as written.", { effect: "label" }),
        severity: string("The alert's severity.", { effect: "routes", suggestions: ["critical", "warn"] }),
      }),
    ),
    "The burn-rate alerts.",
    {
      unordered: true,
      default: "the service's own, if alerting is on",
      effect: "burnRate",
      defaultValue: [
        { window: "1h", budget: 2, severity: "critical" },
        { window: "6h", budget: 5, severity: "critical" },
        { window: "3d", budget: 10, severity: "warn" },
      ],
    },
  ),
});

const sli = shape("Sli", "What is measured: events by their queries, or timeslices by a condition.", {
  additionalLabelFilters: string("Label filters added to every query.", { format: "labelFilters" }),
  customDimensionLabels: list(string(""), "The labels by which the objective is also reported.", {
    unordered: true,
    format: "set",
    effect: "grouping",
  }),
  customIndicator: object(
    shape("CustomIndicator", "Counts events. The total, and either the good or the bad ones.", {
      totalQueryTemplate: string("The query that counts all events.", { required: "always", format: "promql" }),
      goodQueryTemplate: string("The query that counts the good events. Not together with the bad ones.", {
        format: "promql",
      }),
      badQueryTemplate: string("The query that counts the bad events. Not together with the good ones.", {
        format: "promql",
      }),
    }),
    undefined,
    { required: "one of the two indicators" },
  ),
  customTimesliceIndicator: object(
    shape("CustomTimesliceIndicator", "Counts timeslices in which a condition holds.", {
      queryTemplate: string("The query whose value is compared in each timeslice.", {
        required: "always",
        format: "promql",
      }),
      condition: object(
        shape("TimesliceCondition", "The comparison that makes a timeslice good.", {
          op: string("How the query's value is compared.", { required: "always", suggestions: comparisonOps }),
          value: number("The threshold.", { default: "0" }),
        }),
        undefined,
        { required: "always", effect: "threshold", format: "condition" },
      ),
      timesliceSize: string("The length of a timeslice.", {
        required: "always",
        suggestions: ["TIMESLICE_SIZE_ONE_MINUTE", "TIMESLICE_SIZE_FIVE_MINUTES"],
      }),
    }),
    undefined,
    { required: "one of the two indicators" },
  ),
});

export const slo = kind({
  name: "SLO",
  title: "SLO",
  description: "A service level objective: a definition, an indicator and burn-rate alerting.",
  wire: { one: "slo", many: "slos" },
  described: ["put"],
  fields: {
    annotations: map("Annotations carried by the objective's notifications; keys are kept as written.", {
      defaultsFrom: "defaultAnnotations",
      effect: "text",
    }),
    labels: map("Labels of the objective; keys are kept as written.", {
      defaultsFrom: "defaultLabels",
      effect: "label",
    }),
    description: string("What the objective promises.", { effect: "text" }),
    collectionRef: object(collectionRef, "The collection that the objective belongs to.", {
      effect: "routes",
      format: "settings",
    }),
    notificationPolicySlug: string("The slug of the policy that routes the objective's notifications.", {
      effect: "routes",
    }),
    signalGrouping: object(signalGrouping, undefined, { effect: "grouping", format: "settings" }),
    definition: object(definition, undefined, { required: "always" }),
    sli: object(sli, undefined, { required: "always", effect: "selects" }),
  },
  example: {
    args: {
      name: "Checkout availability",
      slug: "checkout-availability",
      description: "Buyers can pay",
      labels: { team: "checkout" },
      annotations: { runBook: "https://runbooks.example.com/checkout" },
      notificationPolicySlug: "checkout",
      signalGrouping: { signalPerSeries: true },
      definition: {
        objective: 99.9,
        timeWindow: "28d",
        enableBurnRateAlerting: true,
        burnRateAlertingConfig: [{ window: "1h", budget: 2, severity: "critical", labels: { page: "yes" } }],
      },
      sli: {
        additionalLabelFilters: 'env="prod"',
        customDimensionLabels: ["region"],
        customIndicator: {
          totalQueryTemplate: 'sum(rate(http_requests_total{service="checkout"}[5m]))',
          badQueryTemplate: 'sum(rate(http_errors_total{service="checkout"}[5m]))',
        },
      },
    },
    wire: {
      name: "Checkout availability",
      slug: "checkout-availability",
      description: "Buyers can pay",
      labels: { team: "checkout" },
      annotations: { runBook: "https://runbooks.example.com/checkout" },
      notification_policy_slug: "checkout",
      signal_grouping: { signal_per_series: true },
      definition: {
        objective: 99.9,
        time_window: "28d",
        enable_burn_rate_alerting: true,
        burn_rate_alerting_config: [{ window: "1h", budget: 2, severity: "critical", labels: { page: "yes" } }],
      },
      sli: {
        additional_label_filters: 'env="prod"',
        custom_dimension_labels: ["region"],
        custom_indicator: {
          total_query_template: 'sum(rate(http_requests_total{service="checkout"}[5m]))',
          bad_query_template: 'sum(rate(http_errors_total{service="checkout"}[5m]))',
        },
      },
    },
  },
});
