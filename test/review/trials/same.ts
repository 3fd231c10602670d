import { account, computed, logs, metric, traces } from "./data.js";
import { errors } from "./monitorConditions.js";
import { office } from "./monitorSchedules.js";
import { notifierTexts } from "./notifierTexts.js";
import { chat, mail, oncallA } from "./receivers.js";
import { sameQueries } from "./sameQueries.js";
import { availability, latency } from "./slo.js";
import { rule } from "./traceMetricsRule.js";
import { edits, known, type Trial } from "./trial.js";

const critical = (...all: object[]) => ({ seriesConditions: { defaults: { critical: { conditions: all } } } }) as never;
const high = { op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 };
const matcher = (name: string, value: string, type = "EXACT") => ({ name, type, value });
const override = (labelMatchers: object[], value = 0.5) => ({
  labelMatchers,
  severityConditions: { conditions: [{ op: "GT", value, sustainSecs: 120 }] },
});
const overridden = (...overrides: object[]) => ({ seriesConditions: { overrides } }) as never;
const day = (...ranges: [string, string][]) => ({
  active: "ONLY_DURING_RANGES",
  ranges: ranges.map(([startHhMm, endHhMm]) => ({ startHhMm, endHhMm })),
});
const monday = (schedule: object) =>
  ({ schedule: { timezone: "Europe/Berlin", weeklySchedule: { monday: schedule } } }) as never;
const allDay = { active: "ALL_DAY" };
const everyDay = {
  monday: allDay,
  tuesday: allDay,
  wednesday: allDay,
  thursday: allDay,
  friday: allDay,
  saturday: allDay,
  sunday: allDay,
};

const monitors = [
  errors("the display name is corrected", { name: "Checkout: share of failed requests" }),
  errors("the summary is written anew", { annotations: { summary: "Buyers cannot pay" } }),
  errors.full(
    "the arguments are written in another order",
    { before: { labels: { a: "1", b: "2" } }, after: { labels: { b: "2", a: "1" } } },
    {},
  ),
  errors.from({ intervalSecs: undefined })("the default interval is written out", { intervalSecs: 60 }),
  errors.from({ intervalSecs: 60 })("the default interval is removed", { intervalSecs: undefined }),
  errors.from({ intervalSecs: undefined })("an interval of 0, the service's default, is written out", {
    intervalSecs: 0,
  }),
  errors.from(critical({ op: "GT", value: 0.05 }))(
    "a sustain and a resolve sustain of 0 are written out",
    critical({ op: "GT", value: 0.05, sustainSecs: 0, resolveSustainSecs: 0 }),
  ),
  errors.from(critical({ op: "GT", value: 0, sustainSecs: 60 }))(
    "a threshold of 0 is left out",
    critical({ op: "GT", sustainSecs: 60 }),
  ),
  errors.from(critical(high, { op: "GT", value: 0.3 }))(
    "conditions in another order: any of them fires",
    critical({ op: "GT", value: 0.3 }, high),
  ),
  errors(
    "a condition that another one implies",
    critical(high, { op: "GT", value: 0.2, sustainSecs: 300, resolveSustainSecs: 60 }),
  ),
  errors("the same condition twice", critical(high, high)),
  errors.from(critical({ op: "EXISTS", sustainSecs: 60 }))(
    "a value for a condition that ignores it",
    critical({ op: "EXISTS", value: 5, sustainSecs: 60 }),
  ),
  errors("an empty list of overrides", overridden()),
  errors.from(overridden(override([matcher("region", "eu")]), override([matcher("region", "us")], 0.2)))(
    "overrides that cannot meet in another order",
    overridden(override([matcher("region", "us")], 0.2), override([matcher("region", "eu")])),
  ),
  errors.from(overridden(override([matcher("region", "eu"), matcher("env", "staging")])))(
    "an override's matchers in another order",
    overridden(override([matcher("env", "staging"), matcher("region", "eu")])),
  ),
  errors.from(overridden(override([matcher("region", "eu|us", "REGEX")])))(
    "an override's alternatives in another order",
    overridden(override([matcher("region", "us|eu", "REGEX")])),
  ),
  errors.from(overridden(override([matcher("region", "eu", "REGEX")])))(
    "an override's pattern that is only a text",
    overridden(override([matcher("region", "eu")])),
  ),
  errors.from({ signalGrouping: { labelNames: ["region", "service"] } })("labels of the grouping in another order", {
    signalGrouping: { labelNames: ["service", "region"] },
  }),
  errors("signalPerSeries false is written out", { signalGrouping: { signalPerSeries: false } }),
  errors.from({ signalGrouping: undefined })("an empty grouping", { signalGrouping: {} }),
  errors.from({ collection: { slug: "shop" } })("the collection by its other field", {
    collection: undefined,
    collectionSlug: "shop",
  }),
  errors.from({ collection: { slug: "shop" } })("the collection by both of its fields", { collectionSlug: "shop" }),
  errors.from({ labels: undefined })("no labels are written as an empty map", { labels: {} }),
  errors("a policy by the output of a resource", { notificationPolicySlug: known("checkout-primary") }),
  office.from({ schedule: { timezone: "US/Eastern" } })("a zone by its newer name", {
    schedule: { timezone: "America/New_York" },
  }),
  office.from({ schedule: { timezone: "UTC" } })("UTC by its other name", { schedule: { timezone: "Etc/UTC" } }),
  errors.from(monday(day(["08:00", "12:00"], ["13:00", "18:00"])))(
    "ranges in another order",
    monday(day(["13:00", "18:00"], ["08:00", "12:00"])),
  ),
  errors.from(monday(day(["08:00", "18:00"])))(
    "two ranges that meet",
    monday(day(["08:00", "12:00"], ["12:00", "18:00"])),
  ),
  errors.from(monday(allDay))("a whole day as a range", monday(day(["00:00", "24:00"]))),
  errors("a schedule of all days", { schedule: { timezone: "Europe/Berlin", weeklySchedule: everyDay } }),
  errors.from({ schedule: { timezone: "Europe/Berlin", weeklySchedule: everyDay } })(
    "the zone of a schedule that is never silent",
    { schedule: { timezone: "Asia/Tokyo" } },
  ),
  errors.from({ schedule: { timezone: "Europe/Berlin", weeklySchedule: { sunday: { active: "NEVER" } } } })(
    "days that are left out are written out",
    { schedule: { weeklySchedule: { ...everyDay, sunday: { active: "NEVER" } } } },
  ),
];

const page = { window: "1h", budget: 2, severity: "critical", labels: { page: "yes" } };
const ticket = { window: "3d", budget: 10, severity: "warn" };
const burns = (...all: object[]) => ({ definition: { burnRateAlertingConfig: all } }) as never;
const standard = [
  { window: "1h", budget: 2, severity: "critical" },
  { window: "6h", budget: 5, severity: "critical" },
  { window: "3d", budget: 10, severity: "warn" },
];

const slos = [
  availability("the name and description of the objective are written anew", {
    name: "Buyers can pay",
    description: "Buyers can pay, in every region",
  }),
  availability("the run book of the objective moves", {
    annotations: { runBook: "https://wiki.example.com/checkout" },
  }),
  availability("four weeks for 28 days", { definition: { timeWindow: "4w" } }),
  availability("the default time window is removed", { definition: { timeWindow: undefined } }),
  latency("the default time window is written out", { definition: { timeWindow: "28d" } }),
  latency("burn-rate alerting is written as off", { definition: { enableBurnRateAlerting: false } }),
  availability("burn-rate alerts in another order", burns(ticket, page)),
  availability("windows in another spelling", burns({ ...page, window: "60m" }, { ...ticket, window: "72h" })),
  latency.from({ definition: { enableBurnRateAlerting: true } })(
    "the service's own burn-rate alerts are written out",
    burns(...standard),
  ),
  availability("the objective's filters in another order", {
    sli: { additionalLabelFilters: 'region=~"eu-.*", env="production"' },
  }),
  availability("dimensions in another order", { sli: { customDimensionLabels: ["tenant", "region"] } }),
  availability("the total in more lines", {
    sli: { customIndicator: { totalQueryTemplate: 'sum(\n  rate(http_requests_total{service="checkout"}[5m])\n)' } },
  }),
  latency("the timeslices' query in more lines", {
    sli: {
      customTimesliceIndicator: {
        queryTemplate: "histogram_quantile(\n  0.95,\n  sum by (le) (rate(checkout_duration_seconds_bucket[5m]))\n)",
      },
    },
  }),
  latency.from({ sli: { customTimesliceIndicator: { condition: { op: "GT", value: 0 } } } })(
    "a timeslice's threshold of 0 is left out",
    { sli: { customTimesliceIndicator: { condition: { value: undefined } } } },
  ),
];

const responders = [
  { username: "lead@example.com", responderType: "USER" },
  { name: "Checkout backup", responderType: "ESCALATION" },
  { id: "4513b7ea", name: "Checkout primary", responderType: "TEAM" },
];

const notifiers = [
  ...notifierTexts,
  mail("the notifier's display name", { name: "Checkout mails" }),
  mail("recipients in another order", { email: { to: "oncall@example.com, checkout@example.com" } }),
  mail("recipients with other blanks", { email: { to: "checkout@example.com,oncall@example.com" } }),
  mail("discard and skipResolved are written as off", { discard: false, skipResolved: false }),
  oncallA("responders in another order", { oncallA: { responders } }),
  oncallA("an empty HTTP configuration", { oncallA: { httpConfig: {} } }),
  oncallA("certificates are verified, written out", {
    oncallA: { httpConfig: { tlsConfig: { insecureSkipVerify: false } } },
  }),
  chat("parts with markup in another order", { chat: { mrkdwnIn: ["pretext", "text"] } }),
  chat("a chat's text beside its secret address", { chat: { text: "{{ .Value }}" } }),
];

const tag = (key: string, value: string) => ({ key, value: { match: "EXACT", value } });

const others = [
  rule("the rule's display name", { name: "Latency of the checkout" }),
  rule("the parts of the rule's grouping in another order", {
    groupBy: [
      { key: { type: "SERVICE" }, label: "service" },
      { key: { type: "TAG", namedKey: "http.route" }, label: "route" },
    ],
  }),
  rule("an empty truth value is false", { traceFilter: { trace: { error: { value: false } } } }),
  edits("TraceMetricsRule", {
    metricName: "ledger_latency",
    traceFilter: {
      span: [
        {
          service: { match: "IN", inValues: ["ledger", "payments"] },
          tags: [tag("psp", "acme"), tag("currency", "EUR")],
        },
      ],
    },
  })("a span's services and tags in another order", {
    traceFilter: {
      span: [
        {
          service: { match: "IN", inValues: ["payments", "ledger"] },
          tags: [tag("currency", "EUR"), tag("psp", "acme")],
        },
      ],
    },
  }),
  logs("the dataset's name and description", { name: "Checkout logs", description: "Logs of the checkout" }),
  traces("a dataset's services in another order", {
    configuration: {
      traceDataset: {
        matchCriteria: { span: [{ matchType: "INCLUDE", service: { match: "IN", inValues: ["ledger", "checkout"] } }] },
      },
    },
  }),
  metric("the derived metric's description", { name: "Checkout error ratio", description: "Failures per request" }),
  metric("an expression in more lines", {
    ...computed({
      labelExpr: "sum(rate(http_errors_total{$scope}[$window]))\n/\nsum(rate(http_requests_total{$scope}[$window]))",
    }),
  }),
  metric("a selector's labels in another order", {
    ...computed({
      labels: [
        { name: "env", type: "EXACT", value: "production" },
        { name: "region", type: "REGEX", value: "eu-.*|us-.*" },
      ],
    }),
  }),
  metric("a selector's alternatives in another order", {
    ...computed({
      labels: [
        { name: "region", type: "REGEX", value: "us-.*|eu-.*" },
        { name: "env", type: "EXACT", value: "production" },
      ],
    }),
  }),
  metric("a variable's matchers in another order", {
    ...computed({
      variables: [
        { name: "scope", defaultLabelSelector: 'env="production", service="checkout"' },
        { name: "window", defaultLabelSelector: "5m" },
      ],
    }),
  }),
  metric("variables in another order", {
    ...computed({
      variables: [
        { name: "window", defaultLabelSelector: "5m" },
        { name: "scope", defaultLabelSelector: 'service="checkout",env="production"' },
      ],
    }),
  }),
  account("the integration's display name", { name: "The shop's cloud account" }),
  account("regions and subscriptions in another order", {
    scrapeConfig: {
      locations: ["northeurope", "westeurope"],
      subscriptionIds: ["shop-payments", "shop-production"],
    },
  }),
  account("types and their metrics in another order", {
    scrapeConfig: {
      resourceTypes: [
        { name: "cache/redis", metricNames: ["usedmemory"] },
        { name: "databases/servers", metricNames: ["storage_percent", "cpu_percent"] },
      ],
    },
  }),
  account.from({ usageMetricsEnabled: undefined })("a switch is written as off", { usageMetricsEnabled: false }),
];

/** Changes that mean nothing to anybody. */
export const same: readonly Trial[] = [...sameQueries, ...monitors, ...slos, ...notifiers, ...others];
