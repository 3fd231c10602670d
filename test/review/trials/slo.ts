import { any, edits, named } from "./trial.js";

const page = { window: "1h", budget: 2, severity: "critical", labels: { page: "yes" } };
const ticket = { window: "3d", budget: 10, severity: "warn" };

export const availability = edits("SLO", {
  description: "Buyers can pay",
  labels: { team: "checkout", tier: "1" },
  annotations: { runBook: "https://runbooks.example.com/checkout" },
  collectionRef: { slug: "shop-services" },
  notificationPolicySlug: "checkout-primary",
  signalGrouping: { signalPerSeries: true },
  definition: {
    objective: 99.9,
    timeWindow: "28d",
    enableBurnRateAlerting: true,
    burnRateAlertingConfig: [page, ticket],
  },
  sli: {
    additionalLabelFilters: 'env="production",region=~"eu-.*"',
    customDimensionLabels: ["region", "tenant"],
    customIndicator: {
      totalQueryTemplate: 'sum(rate(http_requests_total{service="checkout"}[5m]))',
      badQueryTemplate: 'sum(rate(http_requests_total{service="checkout",code=~"5.."}[5m]))',
    },
  },
});

export const latency = edits("SLO", {
  definition: { objective: 99 },
  sli: {
    customTimesliceIndicator: {
      queryTemplate: "histogram_quantile(0.95, sum by (le) (rate(checkout_duration_seconds_bucket[5m])))",
      condition: { op: "LT", value: 0.3 },
      timesliceSize: "TIMESLICE_SIZE_ONE_MINUTE",
    },
  },
});

const total = 'sum(rate(http_requests_total{service="checkout"}[5m]))';
const good = 'sum(rate(http_requests_total{service="checkout",code!~"5.."}[5m]))';

interface Alert {
  window: string;
  budget: number;
  severity?: string;
  labels?: Record<string, string>;
}
const alerts = (...burnRateAlertingConfig: Alert[]) => ({
  definition: { burnRateAlertingConfig },
});
const slice = (change: object) => ({ sli: { customTimesliceIndicator: change } });

export const slo = [
  availability(
    "the objective is lowered before the quarter ends",
    { definition: { objective: 99.5 } },
    named("objective-lowered", "laxer", "99.9", "99.5"),
  ),
  availability(
    "the objective loses a nine at its end",
    { definition: { objective: 99.89 } },
    named("objective-lowered", "laxer", "99.89"),
  ),
  availability(
    "the objective is raised",
    { definition: { objective: 99.95 } },
    named("objective-lowered", "stricter", "99.9", "99.95"),
  ),
  availability(
    "the objective holds for a week",
    { definition: { timeWindow: "7d" } },
    named("laxer", any, "28d", "7d"),
  ),
  availability(
    "the objective holds for a quarter",
    { definition: { timeWindow: "90d" } },
    named("laxer", any, "28d", "90d"),
  ),
  availability(
    "the time window is a fortnight instead of the default",
    { definition: { timeWindow: "2w" } },
    named("laxer", any, "28d"),
  ),
  availability(
    "burn-rate alerting is switched off",
    { definition: { enableBurnRateAlerting: false, burnRateAlertingConfig: [] } },
    named("burn-rate-off", "laxer"),
  ),
  availability(
    "burn-rate alerting and its alerts are removed",
    { definition: { enableBurnRateAlerting: undefined, burnRateAlertingConfig: undefined } },
    named("burn-rate-off", "laxer"),
  ),
  latency(
    "burn-rate alerting is switched on",
    { definition: { enableBurnRateAlerting: true } },
    named("burn-rate-off", "stricter"),
  ),
  availability(
    "all burn-rate alerts are removed, so that the service's own apply",
    { definition: { burnRateAlertingConfig: undefined } },
    named(["burn-rate-off", "laxer", "routing-changed"], any),
  ),
  availability(
    "the list of burn-rate alerts is empty",
    alerts(),
    named(["burn-rate-off", "laxer", "routing-changed"], any),
  ),
  availability("the ticket is dropped, the page stays", alerts(page), named("laxer", "laxer", "3d")),
  availability("the page is dropped, the ticket stays", alerts(ticket), named("laxer", "laxer", "1h")),
  availability(
    "a second page covers slower burns",
    alerts(page, { window: "6h", budget: 5, severity: "critical" }, ticket),
    named("laxer", "stricter", "6h"),
  ),
  availability(
    "the page looks at ten minutes in place of an hour",
    alerts({ ...page, window: "10m" }, ticket),
    named("laxer", ["laxer", "unclear"], "1h", "10m"),
  ),
  availability(
    "the page looks at six hours in place of one",
    alerts({ ...page, window: "6h" }, ticket),
    named("laxer", ["stricter", "unclear"], "1h", "6h"),
  ),
  availability(
    "more of the budget may burn before the page",
    alerts({ ...page, budget: 5 }, ticket),
    named("laxer", "laxer", "2", "5"),
  ),
  availability(
    "the ticket is opened at half the burn",
    alerts(page, { ...ticket, budget: 5 }),
    named("laxer", "stricter", "10", "5"),
  ),
  availability(
    "the fast burn is only a warning",
    alerts({ ...page, severity: "warn" }, ticket),
    named("routing-changed", ["laxer", "unclear"], "critical", "warn"),
  ),
  availability(
    "the slow burn pages",
    alerts(page, { ...ticket, severity: "critical" }),
    named("routing-changed", ["stricter", "unclear"], "warn", "critical"),
  ),
  availability(
    "the page has no severity",
    alerts({ window: "1h", budget: 2, labels: { page: "yes" } }, ticket),
    named("routing-changed", ["laxer", "unclear"], "critical"),
  ),
  availability(
    "the label that makes the alert a page says no",
    alerts({ ...page, labels: { page: "no" } }, ticket),
    named("routing-changed", ["unclear", "laxer"], "page", "yes", "no"),
  ),
  availability(
    "the label that makes the alert a page is removed",
    alerts({ window: "1h", budget: 2, severity: "critical" }, ticket),
    named("routing-changed", ["unclear", "laxer"], "page"),
  ),
  availability(
    "the labels of the objective name another team",
    { labels: { team: "platform" } },
    named("routing-changed", "unclear", "checkout", "platform"),
  ),
  availability(
    "the tier of the objective is removed",
    { labels: { tier: undefined } },
    named("routing-changed", ["unclear", "laxer"], "tier"),
  ),
  availability(
    "the objective's alerts go elsewhere",
    { notificationPolicySlug: "checkout-low" },
    named("routing-changed", "unclear", "checkout-primary", "checkout-low"),
  ),
  availability(
    "the objective has no policy any more",
    { notificationPolicySlug: undefined },
    named("routing-changed", ["unclear", "laxer"], "checkout-primary"),
  ),
  availability(
    "the objective moves to another collection",
    { collectionRef: { slug: "platform-services" } },
    named("routing-changed", "unclear", "platform-services"),
  ),
  availability(
    "all series of the objective are one signal",
    { signalGrouping: undefined },
    named("grouping-changed", "laxer"),
  ),
  latency(
    "the objective has a signal per tenant",
    { signalGrouping: { labelNames: ["tenant"] } },
    named("grouping-changed", "stricter", "tenant"),
  ),
  availability(
    "client errors count as bad, too",
    {
      sli: {
        customIndicator: { badQueryTemplate: 'sum(rate(http_requests_total{service="checkout",code=~"[45].."}[5m]))' },
      },
    },
    named("query-changed", ["unclear", "stricter"], "[45]"),
  ),
  availability(
    "the total counts the health checks, which are always good",
    { sli: { customIndicator: { totalQueryTemplate: "sum(rate(http_requests_total[5m]))" } } },
    named("query-changed", ["unclear", "laxer"], "checkout"),
  ),
  availability(
    "good events are counted in place of bad ones",
    { sli: { customIndicator: { badQueryTemplate: undefined, goodQueryTemplate: good } } },
    named("query-changed", "unclear"),
  ),
  availability.from({ sli: { customIndicator: { badQueryTemplate: undefined, goodQueryTemplate: good } } })(
    "everything that is answered counts as good",
    { sli: { customIndicator: { goodQueryTemplate: total } } },
    named("query-changed", ["unclear", "laxer"]),
  ),
  availability(
    "staging dilutes the objective",
    { sli: { additionalLabelFilters: 'env=~"production|staging",region=~"eu-.*"' } },
    named("query-changed", "unclear", "staging"),
  ),
  availability(
    "the filters of all queries are removed",
    { sli: { additionalLabelFilters: undefined } },
    named("query-changed", "unclear", "production"),
  ),
  availability(
    "the objective is not reported by tenant any more",
    { sli: { customDimensionLabels: ["region"] } },
    named(["query-changed", "grouping-changed"], ["unclear", "laxer"], "tenant"),
  ),
  availability(
    "the objective is also reported by product",
    { sli: { customDimensionLabels: ["region", "tenant", "product"] } },
    named(["query-changed", "grouping-changed"], ["unclear", "stricter"], "product"),
  ),
  latency(
    "a timeslice is good up to half a second",
    slice({ condition: { op: "LT", value: 0.5 } }),
    named("laxer", "laxer", "0.3", "0.5"),
  ),
  latency(
    "a timeslice is good below 200 ms",
    slice({ condition: { op: "LT", value: 0.2 } }),
    named("laxer", "stricter", "0.3", "0.2"),
  ),
  latency(
    "a timeslice of exactly 300 ms is good, too",
    slice({ condition: { op: "LEQ", value: 0.3 } }),
    named("laxer", "laxer", "0.3"),
  ),
  latency(
    "slow timeslices are the good ones",
    slice({ condition: { op: "GT", value: 0.3 } }),
    named("laxer", ["unclear", "laxer"]),
  ),
  latency(
    "a timeslice is good whenever there is a value",
    slice({ condition: { op: "EXISTS" } }),
    named("laxer", "laxer"),
  ),
  latency(
    "a timeslice is five minutes long",
    slice({ timesliceSize: "TIMESLICE_SIZE_FIVE_MINUTES" }),
    named(["laxer", "query-changed"], ["unclear", "laxer"]),
  ),
  latency(
    "timeslices measure the median",
    slice({ queryTemplate: "histogram_quantile(0.5, sum by (le) (rate(checkout_duration_seconds_bucket[5m])))" }),
    named("query-changed", ["unclear", "laxer"], "0.95", "0.5"),
  ),
  latency(
    "events are counted in place of timeslices",
    {
      sli: {
        customTimesliceIndicator: undefined,
        customIndicator: { totalQueryTemplate: total, goodQueryTemplate: good },
      },
    },
    named("query-changed", "unclear"),
  ),
];
