import { account, logs, metric } from "./data.js";
import { allocation } from "./logAllocation.js";
import { errors } from "./monitorConditions.js";
import { office } from "./monitorSchedules.js";
import { mail } from "./receivers.js";
import { availability } from "./slo.js";
import { rule } from "./traceMetricsRule.js";
import { later, named, type RiskClass } from "./trial.js";

/** Nobody can know what the update will bring. */
const unknown = (classes: RiskClass | readonly RiskClass[], ...words: readonly string[]) =>
  named(classes, "unclear", "update", ...words);

/** Values that come from a resource which the same change creates. */
export const unknowns = [
  errors(
    "a threshold comes from another resource",
    {
      seriesConditions: {
        defaults: {
          critical: { conditions: [{ op: "GT", value: later(0.05), sustainSecs: 120, resolveSustainSecs: 60 }] },
        },
      },
    },
    unknown("laxer", "0.05"),
  ),
  errors(
    "a sustain comes from another resource",
    {
      seriesConditions: {
        defaults: {
          critical: { conditions: [{ op: "GT", value: 0.05, sustainSecs: later(900), resolveSustainSecs: 60 }] },
        },
      },
    },
    unknown("laxer", "120"),
  ),
  errors(
    "all conditions come from another resource",
    {
      seriesConditions: later({ defaults: { critical: { conditions: [{ op: "GT", value: 0.5 }] } } }),
    },
    unknown("laxer"),
  ),
  errors(
    "a label comes from another resource",
    { labels: { team: later("platform") } },
    unknown("routing-changed", "team"),
  ),
  errors("all labels come from another resource", { labels: later({ team: "platform" }) }, unknown("routing-changed")),
  errors(
    "the notification policy comes from another resource",
    { notificationPolicySlug: later("checkout-low") },
    unknown("routing-changed", "checkout-primary"),
  ),
  errors("the query comes from another resource", { labelQuery: later("up") }, unknown("query-changed")),
  errors("the interval comes from another resource", { intervalSecs: later(300) }, unknown("laxer", "30")),
  errors(
    "a new override's region comes from another resource",
    {
      seriesConditions: {
        overrides: [
          {
            labelMatchers: [{ name: "region", type: "EXACT", value: later("eu") }],
            severityConditions: { conditions: [{ op: "GT", value: 0.5 }] },
          },
        ],
      },
    },
    named(["override-widened", "laxer"], ["unclear", "laxer"], "region", "update"),
  ),
  errors(
    "a label of the grouping comes from another resource",
    { signalGrouping: { labelNames: ["region", later("pod")] } },
    unknown("grouping-changed"),
  ),
  office(
    "the zone comes from another resource",
    { schedule: { timezone: later("UTC") } },
    unknown("muted", "Europe/Berlin"),
  ),
  errors("an annotation, which is text, comes from another resource", {
    annotations: { runBook: later("https://wiki.example.com") },
  }),
  availability(
    "the objective comes from another resource",
    { definition: { objective: later(99) } },
    unknown("objective-lowered", "99.9"),
  ),
  availability(
    "a burn-rate alert's budget comes from another resource",
    {
      definition: {
        burnRateAlertingConfig: [
          { window: "1h", budget: later(5), severity: "critical", labels: { page: "yes" } },
          { window: "3d", budget: 10, severity: "warn" },
        ],
      },
    },
    unknown("laxer"),
  ),
  mail(
    "the recipients come from another resource",
    { email: { to: later("platform@example.com") } },
    unknown("target-changed"),
  ),
  logs(
    "a dataset's query comes from another resource",
    { configuration: { logDataset: { matchCriteria: { query: later("all") } } } },
    unknown("query-changed"),
  ),
  rule(
    "a metric's name comes from another resource",
    { metricName: later("checkout_latency") },
    unknown("query-changed", "checkout_latency"),
  ),
  metric("a derived metric's name comes from another resource", { metricName: later("m") }, unknown("query-changed")),
  account(
    "a subscription comes from another resource",
    { scrapeConfig: { subscriptionIds: ["shop-production", later("shop-payments")] } },
    unknown("collection-narrowed"),
  ),
  allocation(
    "the share of the rest comes from another resource",
    { defaultDataset: { allocation: { percentOfLicense: later(5) } } },
    unknown("budget-taken", "30"),
  ),
];
