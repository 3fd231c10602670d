import { edits, named, orSilent } from "./trial.js";

export const logs = edits("Dataset", {
  description: "Everything that the checkout service logs",
  configuration: {
    type: "LOGS",
    logDataset: { matchCriteria: { query: 'service = "checkout" AND env = "production"' } },
  },
});

export const traces = edits("Dataset", {
  configuration: {
    type: "TRACES",
    traceDataset: {
      matchCriteria: {
        trace: { duration: { minSecs: 1 }, error: { value: true } },
        span: [{ matchType: "INCLUDE", service: { match: "IN", inValues: ["checkout", "ledger"] } }],
        scopeFilter: { spanScopes: [{ isRootSpan: { value: true } }] },
      },
    },
  },
});

const selection = (change: object) => ({ configuration: { traceDataset: { matchCriteria: change } } });

export const datasets = [
  logs(
    "the dataset selects another environment",
    { configuration: { logDataset: { matchCriteria: { query: 'service = "checkout" AND env = "staging"' } } } },
    named("query-changed", "unclear", "production", "staging"),
  ),
  logs(
    "the dataset selects all logs",
    { configuration: { logDataset: { matchCriteria: { query: undefined } } } },
    named("query-changed", ["unclear", "stricter"], "checkout"),
  ),
  logs(
    "the dataset selects traces in place of logs",
    {
      configuration: {
        type: "TRACES",
        logDataset: undefined,
        traceDataset: { matchCriteria: { span: [{ service: { match: "EXACT", value: "checkout" } }] } },
      },
    },
    named("query-changed", "unclear", "TRACES"),
  ),
  traces(
    "longer traces only",
    selection({ trace: { duration: { minSecs: 5 } } }),
    named("query-changed", ["unclear", "laxer"], "5"),
  ),
  traces(
    "traces without errors, too",
    selection({ trace: { error: undefined } }),
    named("query-changed", ["unclear", "stricter"]),
  ),
  traces(
    "one of two services is left out",
    selection({ span: [{ matchType: "INCLUDE", service: { match: "IN", inValues: ["checkout"] } }] }),
    named("query-changed", ["unclear", "laxer"], "ledger"),
  ),
  traces(
    "the scope is not asked for any more",
    selection({ scopeFilter: undefined }),
    named("query-changed", ["unclear", "stricter"]),
  ),
];

export const metric = edits("DerivedMetric", {
  description: "Failed requests per request",
  metricName: "checkout:error_ratio",
  queries: [
    {
      query: {
        labelExpr: "sum(rate(http_errors_total{$scope}[$window])) / sum(rate(http_requests_total{$scope}[$window]))",
        variables: [
          { name: "scope", defaultLabelSelector: 'service="checkout",env="production"' },
          { name: "window", defaultLabelSelector: "5m" },
        ],
      },
      selector: {
        labels: [
          { name: "region", type: "REGEX", value: "eu-.*|us-.*" },
          { name: "env", type: "EXACT", value: "production" },
        ],
      },
    },
    { query: { labelExpr: "sum(rate(legacy_errors_total[5m]))" } },
  ],
});

const expression = "sum(rate(http_errors_total{$scope}[$window])) / sum(rate(http_requests_total{$scope}[$window]))";
const scope = { name: "scope", defaultLabelSelector: 'service="checkout",env="production"' };
const window = { name: "window", defaultLabelSelector: "5m" };
const region = { name: "region", type: "REGEX", value: "eu-.*|us-.*" };
const env = { name: "env", type: "EXACT", value: "production" };
const legacy = { query: { labelExpr: "sum(rate(legacy_errors_total[5m]))" } };
type Label = { name: string; type?: string; value?: string };

/** The first query of the metric in another form. */
export const computed = ({
  labelExpr = expression,
  variables = [scope, window],
  labels = [region, env] as Label[],
}) => ({
  queries: [{ query: { labelExpr, variables }, selector: { labels } }, legacy],
});

export const derivedMetrics = [
  metric(
    "the metric has another name, and monitors read the old one",
    { metricName: "checkout:error_share" },
    named("query-changed", ["unclear", "laxer"], "checkout:error_ratio", "checkout:error_share"),
  ),
  metric(
    "the metric is computed from increases",
    computed({ labelExpr: expression.replaceAll("rate(", "increase(") }),
    named("query-changed", "unclear", "increase"),
  ),
  metric(
    "staging counts, too",
    computed({ variables: [{ ...scope, defaultLabelSelector: 'service="checkout"' }, window] }),
    named("query-changed", "unclear", "production"),
  ),
  metric(
    "the default window is an hour",
    computed({ variables: [scope, { ...window, defaultLabelSelector: "1h" }] }),
    named("query-changed", "unclear", "5m", "1h"),
  ),
  metric(
    "a variable has another name",
    computed({
      labelExpr: expression.replaceAll("$scope", "$filter"),
      variables: [{ ...scope, name: "filter" }, window],
    }),
    named("query-changed", "unclear", "filter"),
  ),
  metric(
    "the query is for one region only",
    computed({ labels: [{ ...region, value: "eu-.*" }, env] }),
    named("query-changed", ["unclear", "laxer"], "us-.*"),
  ),
  metric(
    "the selector asks for another label",
    computed({ labels: [{ ...region, name: "zone" }, env] }),
    named("query-changed", "unclear", "zone"),
  ),
  metric(
    "the selector compares the text in place of the pattern",
    computed({ labels: [{ ...region, type: "EXACT" }, env] }),
    named("query-changed", ["unclear", "laxer"], "EXACT"),
  ),
  metric(
    "the selector is removed",
    { queries: [{ query: { labelExpr: expression, variables: [scope, window] } }, legacy] },
    named("query-changed", ["unclear", "stricter"], "region"),
  ),
  metric(
    "the legacy query is removed",
    { queries: computed({}).queries.slice(0, 1) },
    named("query-changed", ["unclear", "laxer"], "legacy_errors_total"),
  ),
  metric(
    "the query of everything comes first",
    { queries: [...computed({}).queries].reverse() },
    named(["query-changed", "precedence-changed"], "unclear"),
  ),
];

export const account = edits("CloudxMetricsIntegration", {
  countMetricsEnabled: true,
  usageMetricsEnabled: true,
  propagateTags: true,
  principal: { clientId: "shop-metrics", tenantId: "shop-tenant" },
  scrapeConfig: {
    locations: ["westeurope", "northeurope"],
    resourceTypes: [
      { name: "databases/servers", metricNames: ["cpu_percent", "storage_percent"] },
      { name: "cache/redis", metricNames: ["usedmemory"] },
    ],
    subscriptionIds: ["shop-production", "shop-payments"],
  },
});

const database = { name: "databases/servers", metricNames: ["cpu_percent", "storage_percent"] };
const cache = { name: "cache/redis", metricNames: ["usedmemory"] };

const narrower = (...words: readonly string[]) => named("collection-narrowed", "laxer", ...words);

export const integrations = [
  account("resources are not counted any more", { countMetricsEnabled: false }, narrower("count")),
  account("the switch of usage metrics is removed", { usageMetricsEnabled: undefined }, narrower("usage")),
  account(
    "tags do not become labels any more, by which monitors select",
    { propagateTags: false },
    named("collection-narrowed", ["laxer", "unclear"], "tags"),
  ),
  account.from({ usageMetricsEnabled: undefined })(
    "usage metrics are switched on",
    { usageMetricsEnabled: true },
    named("collection-narrowed", "stricter", "usage"),
  ),
  account("a region is not scraped any more", { scrapeConfig: { locations: ["westeurope"] } }, narrower("northeurope")),
  account(
    "a region is scraped, too",
    { scrapeConfig: { locations: ["westeurope", "northeurope", "eastus"] } },
    named("collection-narrowed", "stricter", "eastus"),
  ),
  account(
    "another region is scraped",
    { scrapeConfig: { locations: ["westeurope", "eastus"] } },
    named("collection-narrowed", ["unclear", "laxer"], "northeurope"),
    orSilent(named("collection-narrowed", "stricter", "eastus")),
  ),
  account(
    "all regions are scraped",
    { scrapeConfig: { locations: undefined } },
    named("collection-narrowed", "stricter", "westeurope"),
  ),
  account.from({ scrapeConfig: undefined })(
    "only one region is scraped in place of everything",
    { scrapeConfig: { locations: ["westeurope"] } },
    narrower("westeurope"),
  ),
  account("caches are not scraped any more", { scrapeConfig: { resourceTypes: [database] } }, narrower("cache/redis")),
  account(
    "the metric that the disk monitor reads is not scraped any more",
    { scrapeConfig: { resourceTypes: [{ ...database, metricNames: ["cpu_percent"] }, cache] } },
    narrower("storage_percent"),
  ),
  account(
    "another metric of the caches",
    { scrapeConfig: { resourceTypes: [database, { ...cache, metricNames: ["usedmemory", "evictedkeys"] }] } },
    named("collection-narrowed", "stricter", "evictedkeys"),
  ),
  account(
    "a subscription is not read any more",
    { scrapeConfig: { subscriptionIds: ["shop-production"] } },
    narrower("shop-payments"),
  ),
  account(
    "a subscription is replaced",
    { scrapeConfig: { subscriptionIds: ["shop-production", "shop-ledger"] } },
    named("collection-narrowed", ["unclear", "laxer"], "shop-payments"),
    orSilent(named("collection-narrowed", "stricter", "shop-ledger")),
  ),
  account("everything is scraped", { scrapeConfig: undefined }, named("collection-narrowed", "stricter")),
  account(
    "another client reads the account",
    { principal: { clientId: "shop-metrics-v2" } },
    named("credentials-changed", "unclear", "shop-metrics-v2"),
  ),
  account(
    "another tenant is read",
    { principal: { tenantId: "other-tenant" } },
    named(["credentials-changed", "collection-narrowed", "target-changed"], "unclear", "other-tenant"),
  ),
];
