import { errors } from "./monitorConditions.js";
import { edits, named, type Named } from "./trial.js";

const conditions = { seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0 }] } } } };

const query = (
  title: string,
  before: string,
  after: string,
  directions: Named["directions"],
  ...words: readonly string[]
) =>
  edits("Monitor", { labelQuery: before, ...conditions })(
    title,
    { labelQuery: after },
    named("query-changed", directions, ...words),
  );

const unclear = ["unclear"] as const;
const fewer = ["laxer", "unclear"] as const;
const more = ["stricter", "unclear"] as const;

const services = Array.from({ length: 12 }, (_, i) => `payments-backend-number-${i + 1}`);
const long = (all: readonly string[]) =>
  `sum by (service) (rate(grpc_server_handled_total{service=~"${all.join("|")}",grpc_code!="OK"}[5m])) / ignoring (grpc_code) sum by (service) (rate(grpc_server_started_total{env="production"}[5m]))`;

export const monitorQueries = [
  query(
    "only one code of all server errors is counted",
    'sum(rate(http_requests_total{service="checkout",code=~"5.."}[5m]))',
    'sum(rate(http_requests_total{service="checkout",code="500"}[5m]))',
    fewer,
    "5..",
    "500",
  ),
  query(
    "the matcher is turned round by one character",
    'sum(rate(http_requests_total{code=~"5.."}[5m]))',
    'sum(rate(http_requests_total{code!~"5.."}[5m]))',
    unclear,
    "!~",
  ),
  query(
    "an environment is no longer asked for",
    'sum by (service) (rate(http_errors_total{env="production",team="checkout"}[5m]))',
    'sum by (service) (rate(http_errors_total{team="checkout"}[5m]))',
    unclear,
    "production",
  ),
  query(
    "a noisy pod is left out",
    'max by (pod) (container_memory_working_set_bytes{namespace="checkout"})',
    'max by (pod) (container_memory_working_set_bytes{namespace="checkout",pod!~"batch-.*"})',
    fewer,
    "batch-.*",
  ),
  query(
    "the rate becomes an increase, the threshold stays",
    'sum(rate(payment_failures_total{psp="acme"}[5m]))',
    'sum(increase(payment_failures_total{psp="acme"}[5m]))',
    unclear,
    "rate",
    "increase",
  ),
  query(
    "the window is an hour instead of five minutes",
    'sum(rate(payment_failures_total{psp="acme"}[5m]))',
    'sum(rate(payment_failures_total{psp="acme"}[1h]))',
    unclear,
    "5m",
    "1h",
  ),
  query(
    "the errors are summed by cluster instead of region",
    "sum by (region) (rate(http_errors_total[5m]))",
    "sum by (cluster) (rate(http_errors_total[5m]))",
    unclear,
    "region",
    "cluster",
  ),
  query(
    "the sum loses its labels",
    "sum by (region) (rate(http_errors_total[5m]))",
    "sum(rate(http_errors_total[5m]))",
    unclear,
    "region",
  ),
  query(
    "by becomes without",
    "sum by (pod) (rate(http_errors_total[5m]))",
    "sum without (pod) (rate(http_errors_total[5m]))",
    unclear,
    "without",
  ),
  query(
    "either failure becomes both failures",
    "(probe_success == 0) or (probe_dns_lookup_time_seconds > 2)",
    "(probe_success == 0) and (probe_dns_lookup_time_seconds > 2)",
    fewer,
    "or",
    "and",
  ),
  query(
    "the average hides the worst pod",
    "max by (service) (queue_oldest_message_age_seconds)",
    "avg by (service) (queue_oldest_message_age_seconds)",
    fewer,
    "max",
    "avg",
  ),
  query(
    "the median in place of the 99th percentile",
    "histogram_quantile(0.99, sum by (le) (rate(http_request_duration_seconds_bucket[5m])))",
    "histogram_quantile(0.5, sum by (le) (rate(http_request_duration_seconds_bucket[5m])))",
    fewer,
    "0.99",
    "0.5",
  ),
  query(
    "last week is asked instead of now",
    "sum(rate(http_errors_total[5m]))",
    "sum(rate(http_errors_total[5m] offset 1w))",
    unclear,
    "offset",
  ),
  query(
    "a maintenance flag silences all",
    "sum by (service) (rate(http_errors_total[5m]))",
    "sum by (service) (rate(http_errors_total[5m])) unless on (service) (maintenance_mode == 1)",
    fewer,
    "maintenance_mode",
  ),
  query("the comparison answers 0 or 1", "queue_length > 1000", "queue_length > bool 1000", unclear, "bool"),
  query(
    "the threshold inside of the query goes up",
    "sum by (queue) (queue_length) > 1000",
    "sum by (queue) (queue_length) > 5000",
    fewer,
    "1000",
    "5000",
  ),
  query(
    "another metric of almost the same name",
    "sum(rate(http_server_errors_total[5m]))",
    "sum(rate(http_client_errors_total[5m]))",
    unclear,
    "http_server_errors_total",
    "http_client_errors_total",
  ),
  query(
    "the operands of a division change places",
    "sum(rate(errors_total[5m])) / sum(rate(requests_total[5m]))",
    "sum(rate(requests_total[5m])) / sum(rate(errors_total[5m]))",
    unclear,
  ),
  query(
    "parentheses that mean something are dropped",
    "(sum(rate(errors_total[5m])) + sum(rate(timeouts_total[5m]))) / sum(rate(requests_total[5m]))",
    "sum(rate(errors_total[5m])) + sum(rate(timeouts_total[5m])) / sum(rate(requests_total[5m]))",
    unclear,
  ),
  query(
    "the top five become the top one",
    "topk(5, sum by (customer) (rate(throttled_total[5m])))",
    "topk(1, sum by (customer) (rate(throttled_total[5m])))",
    fewer,
    "5",
    "1",
  ),
  query(
    "one of twelve services is lost in the middle of a long pattern",
    long(services),
    long(services.filter((each) => each !== "payments-backend-number-7")),
    fewer,
    "number-7",
  ),
  query(
    "a typo at the end of a long query",
    long(services),
    long(services).replace('env="production"', 'env="prodcution"'),
    unclear,
    "production",
    "prodcution",
  ),
  query(
    "the pattern matches more",
    'sum(rate(http_errors_total{service=~"checkout"}[5m]))',
    'sum(rate(http_errors_total{service=~"checkout.*"}[5m]))',
    more,
    "checkout.*",
  ),
  query(
    "a label value in other letters",
    'sum(rate(http_errors_total{service="Checkout"}[5m]))',
    'sum(rate(http_errors_total{service="checkout"}[5m]))',
    unclear,
    "Checkout",
  ),
  query(
    "a hash inside of a text is no comment",
    'sum(rate(http_errors_total{channel="web#eu"}[5m]))',
    'sum(rate(http_errors_total{channel="web#us"}[5m]))',
    unclear,
    "web#us",
  ),
  query(
    "blanks inside of a label's value count",
    'sum(rate(job_failures_total{job="nightly  export"}[5m]))',
    'sum(rate(job_failures_total{job="nightly export"}[5m]))',
    unclear,
  ),
  query(
    "the join ignores another label",
    "errors_total / ignoring (code) requests_total",
    "errors_total / ignoring (code, pod) requests_total",
    unclear,
    "pod",
  ),
  query(
    "the subquery has a coarser step",
    "max_over_time(rate(http_errors_total[5m])[1h:1m])",
    "max_over_time(rate(http_errors_total[5m])[1h:10m])",
    unclear,
    "10m",
  ),
  edits("Monitor", { loggingQuery: 'service = "ledger" AND severity = "ERROR"', ...conditions })(
    "a log monitor counts only what is fatal",
    { loggingQuery: 'service = "ledger" AND severity = "FATAL"' },
    named("query-changed", ["unclear", "laxer"], "ERROR", "FATAL"),
  ),
  edits("Monitor", { dottedQuery: "stats.counters.ledger.*.errors.rate", ...conditions })(
    "a dotted query asks one host",
    { dottedQuery: "stats.counters.ledger.host-1.errors.rate" },
    named("query-changed", ["unclear", "laxer"], "host-1"),
  ),
  edits("Monitor", { dottedQuery: "stats.counters.ledger.errors.rate", ...conditions })(
    "a dotted query is migrated to a label query",
    { dottedQuery: undefined, labelQuery: "sum(rate(ledger_errors_total[1m]))" },
    named("query-changed", "unclear", "ledger_errors_total"),
  ),
  errors(
    "a label query becomes a query of logs",
    { labelQuery: undefined, loggingQuery: 'service = "checkout" AND status >= 500' },
    named("query-changed", "unclear"),
  ),
];
