import { boolean, list, map, number, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { collectionRef } from "./shapes/collectionRef";
import { comparisonOps } from "./shapes/comparisonOps";
import { signalGrouping } from "./shapes/signalGrouping";

const duration = { unit: "a whole number and m, h, d or w, e.g. 28d", format: "duration" } as const;

const definition = shape(
  "SloDefinition",
  "The objective, its time window, and the alerts for a fast use of the error budget.",
  {
    objective: number("The share of good events or timeslices.", {
      unit: "percent, above 0 and below 100",
      required: "always",
      effect: "objective",
    }),
    timeWindow: string("The period for which the objective applies.", {
      ...duration,
      defaultValue: "28d",
      effect: "window",
    }),
    enableBurnRateAlerting: boolean("Whether alerts are sent when the error budget is used too fast.", {
      default: "false",
      effect: "burnRate",
    }),
    burnRateAlertingConfig: list(
      object(
        shape("BurnRateAlert", "One burn-rate alert.", {
          window: string("The period over which the alert measures the burn rate. At most `timeWindow`.", {
            ...duration,
            required: "always",
          }),
          budget: number("The share of the error budget whose use within `window` fires the alert.", {
            unit: "percent, above 0 and up to 100",
            required: "always",
          }),
          labels: map("Labels of the alert. Keys stay as you write them.", { effect: "label" }),
          severity: string("The alert's severity.", { effect: "routes", suggestions: ["critical", "warn"] }),
        }),
      ),
      "The burn-rate alerts.",
      {
        unordered: true,
        format: "set",
        default: "the service's own, if alerting is on",
        effect: "burnRate",
        defaultValue: [
          { window: "1h", budget: 2, severity: "critical" },
          { window: "6h", budget: 5, severity: "critical" },
          { window: "3d", budget: 10, severity: "warn" },
        ],
      },
    ),
  },
);

const sli = shape(
  "Sli",
  "What is measured: the ratio of good events, or the share of timeslices in which a condition is met.",
  {
    additionalLabelFilters: string("Label filters added to every query.", { format: "labelFilters" }),
    customDimensionLabels: list(string(""), "The labels that split the SLO. The service reports each value apart.", {
      unordered: true,
      format: "set",
      effect: "grouping",
    }),
    customIndicator: object(
      shape("CustomIndicator", "Counts events: all of them, and either the good or the bad ones.", {
        totalQueryTemplate: string("The query that counts all events.", { required: "always", format: "promql" }),
        goodQueryTemplate: string("The query that counts the good events. Not together with `badQueryTemplate`.", {
          format: "promql",
        }),
        badQueryTemplate: string("The query that counts the bad events. Not together with `goodQueryTemplate`.", {
          format: "promql",
        }),
      }),
      undefined,
      { required: "one of the two indicators" },
    ),
    customTimesliceIndicator: object(
      shape("CustomTimesliceIndicator", "Counts the timeslices in which a condition is met.", {
        queryTemplate: string("The query whose value is compared in each timeslice.", {
          required: "always",
          format: "promql",
        }),
        condition: object(
          shape(
            "TimesliceCondition",
            "The comparison of the query's value with a threshold. A timeslice is good if the comparison is true.",
            {
              op: string("How the query's value is compared.", { required: "always", suggestions: comparisonOps }),
              value: number("The threshold.", { default: "0" }),
            },
          ),
          undefined,
          { required: "always", effect: "threshold", format: "condition" },
        ),
        timesliceSize: string("The length of a timeslice.", {
          required: "always",
          effect: "threshold",
          suggestions: ["TIMESLICE_SIZE_ONE_MINUTE", "TIMESLICE_SIZE_FIVE_MINUTES"],
        }),
      }),
      undefined,
      { required: "one of the two indicators" },
    ),
  },
);

export const slo = kind({
  name: "SLO",
  title: "SLO",
  description:
    "A service level objective: the share of events or timeslices that must be good, and alerts when the error budget is used too fast.",
  wire: { one: "slo", many: "slos" },
  described: ["put"],
  fields: {
    annotations: map("Annotations that the SLO's notifications contain. Keys stay as you write them.", {
      defaultsFrom: "defaultAnnotations",
      effect: "text",
    }),
    labels: map("Labels of the SLO. Keys stay as you write them. A label with an empty value is a label, too.", {
      defaultsFrom: "defaultLabels",
      effect: "label",
    }),
    description: string("A description of the SLO for people.", { effect: "text" }),
    collectionRef: object(collectionRef, "The collection that the SLO belongs to.", {
      effect: "routes",
      format: "settings",
    }),
    notificationPolicySlug: string("The slug of the notification policy that routes the SLO's notifications.", {
      effect: "routes",
    }),
    signalGrouping: object(signalGrouping, undefined, { effect: "grouping", format: "settings" }),
    definition: object(definition, undefined, { required: "always" }),
    sli: object(sli, undefined, { required: "always", effect: "selects" }),
  },
  example: {
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
});
