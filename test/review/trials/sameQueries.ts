import { edits } from "./trial.js";

const conditions = { seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0 }] } } } };
const query = (title: string, before: string, after: string) =>
  edits("Monitor", { labelQuery: before, ...conditions })(title, { labelQuery: after });

/** Two spellings of one query. */
export const sameQueries = [
  query(
    "a long query is broken into lines",
    'sum by (region) (rate(http_errors_total{team="checkout"}[5m])) / sum by (region) (rate(http_requests_total[5m]))',
    'sum by (region) (\n  rate(http_errors_total{team="checkout"}[5m])\n)\n/\nsum by (region) (\n  rate(http_requests_total[5m])\n)\n',
  ),
  query("a comment says why", "queue_length > 5", "# The queue is never empty.\nqueue_length > 5 # see the run book"),
  query("matchers in another order", 'up{job="ledger",env="production"}', 'up{env="production",job="ledger"}'),
  query("blanks between matchers", 'up{job="ledger",env="production"}', 'up{ job = "ledger", env = "production", }'),
  query(
    "parentheses that only help a reader",
    "errors_total / requests_total > 0.5",
    "((errors_total) / requests_total) > (0.5)",
  ),
  query(
    "labels of by in another order",
    "sum by (region, service) (errors_total)",
    "sum by (service, region) (errors_total)",
  ),
  query("by after the sum", "sum by (region) (errors_total)", "sum(errors_total) by (region)"),
  query("other quotes", 'up{job="ledger"}', "up{job='ledger'}"),
  query("backquotes", 'up{job=~"ledger-\\\\d+"}', "up{job=~`ledger-\\d+`}"),
  query("300 s for 5 min", "rate(errors_total[5m])", "rate(errors_total[300s])"),
  query("60 min for an hour, in an offset", "errors_total offset 1h", "errors_total offset 60m"),
  query("a number in another spelling", "errors_ratio > 0.5", "errors_ratio > 5e-1"),
  query("alternatives in another order", 'up{job=~"ledger|checkout"}', 'up{job=~"checkout|ledger"}'),
  query("a pattern that is only a text", 'up{job=~"ledger"}', 'up{job="ledger"}'),
  query("keywords in capital letters", "sum by (job) (up) or vector(0)", "SUM BY (job) (up) OR vector(0)"),
  query("labels of on in another order", "a * on (job, env) b", "a * on (env, job) b"),
  query("an empty selector", "sum(up{})", "sum(up)"),
  query("the metric's name as a matcher", "up", '{__name__="up"}'),
];
