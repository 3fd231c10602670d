import { account } from "./data.js";
import { errors } from "./monitorConditions.js";
import { office } from "./monitorSchedules.js";
import { chat, oncallA } from "./receivers.js";
import { availability } from "./slo.js";
import { rule } from "./traceMetricsRule.js";
import { any, named } from "./trial.js";

const critical = (value: number, sustainSecs = 120) => ({
  seriesConditions: {
    defaults: { critical: { conditions: [{ op: "GT", value, sustainSecs, resolveSustainSecs: 60 }] } },
  },
});

/** Two changes at once: the reader has to be told of both. */
export const combined = [
  errors(
    "the query is tidied up, and the threshold slips through",
    {
      labelQuery: `sum by (region) (rate(http_requests_total{code=~"5..",service="checkout"}[5m]))
        / sum by (region) (rate(http_requests_total{service="checkout"}[5m]))`,
      ...critical(0.5),
    },
    named("laxer", "laxer", "0.05", "0.5"),
  ),
  errors(
    "the threshold is lowered, and the alert goes elsewhere",
    { ...critical(0.02), notificationPolicySlug: "checkout-low" },
    named("stricter", "stricter", "0.05", "0.02"),
    named("routing-changed", "unclear", "checkout-low"),
  ),
  errors(
    "a label and the grouping change",
    { labels: { team: "platform" }, signalGrouping: undefined },
    named("routing-changed", "unclear", "platform"),
    named("grouping-changed", "laxer", "region"),
  ),
  errors(
    "the page becomes stricter, the warning laxer",
    {
      seriesConditions: {
        defaults: {
          critical: { conditions: [{ op: "GT", value: 0.03, sustainSecs: 120, resolveSustainSecs: 60 }] },
          warn: { conditions: [{ op: "GT", value: 0.02, sustainSecs: 600 }] },
        },
      },
    },
    named("stricter", "stricter", "critical", "0.03"),
    named("laxer", "laxer", "warn", "0.02"),
  ),
  office(
    "the working day is shorter, and in another zone",
    {
      schedule: {
        timezone: "America/New_York",
        weeklySchedule: { friday: { active: "NEVER", ranges: undefined } },
      },
    },
    named("muted", ["unclear", "laxer"], "America/New_York"),
    named("muted", ["unclear", "laxer"], "Friday"),
  ),
  office(
    "the interval and the schedule",
    { intervalSecs: 600, schedule: { weeklySchedule: { monday: { active: "NEVER", ranges: undefined } } } },
    named("laxer", "laxer", "600"),
    named("muted", "laxer", "Monday"),
  ),
  availability(
    "a higher objective hides that nobody is paged any more",
    { definition: { objective: 99.95, enableBurnRateAlerting: false, burnRateAlertingConfig: [] } },
    named("objective-lowered", "stricter", "99.95"),
    named("burn-rate-off", "laxer"),
  ),
  availability(
    "the page is slower and the filter wider",
    {
      definition: {
        burnRateAlertingConfig: [
          { window: "1h", budget: 14, severity: "critical", labels: { page: "yes" } },
          { window: "3d", budget: 10, severity: "warn" },
        ],
      },
      sli: { additionalLabelFilters: 'env="production"' },
    },
    named("laxer", "laxer", "2", "14"),
    named("query-changed", "unclear", "eu-.*"),
  ),
  oncallA(
    "a rotated key, and a responder less",
    {
      oncallA: {
        apiKey: "canary-oncall-a-key-3",
        responders: [{ id: "4513b7ea", name: "Checkout primary", responderType: "TEAM" }],
      },
    },
    named("credentials-changed", "unclear", "secret"),
    named("target-changed", ["unclear", "laxer"], "Checkout backup"),
  ),
  chat(
    "the channel changes, and resolved alerts are not told",
    { skipResolved: true, chat: { channel: "#checkout-noise" } },
    named("delivery-changed", "laxer", "resolve"),
    named("target-changed", ["unclear", "laxer"], "#checkout-noise"),
  ),
  rule(
    "a bucket and a label",
    { histogramBucketsSecs: [0.1, 2], metricLabels: { source: "otel" } },
    named("query-changed", any, "0.5"),
    named("collection-narrowed", "unclear", "otel"),
  ),
  account(
    "a region less, and a subscription more",
    {
      scrapeConfig: { locations: ["westeurope"], subscriptionIds: ["shop-production", "shop-payments", "shop-ledger"] },
    },
    named("collection-narrowed", "laxer", "northeurope"),
    named("collection-narrowed", "stricter", "shop-ledger"),
  ),
];
