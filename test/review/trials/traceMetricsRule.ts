import { edits, named, type Named } from "./trial.js";

const span = {
  matchType: "INCLUDE",
  service: { match: "EXACT", value: "checkout" },
  operation: { match: "IN", inValues: ["pay", "refund"] },
  parentService: { match: "EXACT", value: "gateway" },
  parentOperation: { match: "REGEX", value: "POST .*" },
  duration: { minSecs: 0.01, maxSecs: 60 },
  error: { value: false },
  isRootSpan: { value: false },
  spanCount: { min: 1, max: 5 },
  tags: [
    { key: "http.status_code", numericValue: { comparison: "LESS_THAN", value: 500 } },
    { key: "payment.provider", value: { match: "REGEX", value: "acme|globex" } },
  ],
};

export const rule = edits("TraceMetricsRule", {
  metricName: "checkout_latency",
  metricLabels: { team: "checkout", source: "traces" },
  histogramBucketsSecs: [0.1, 0.5, 2],
  groupBy: [
    { key: { type: "TAG", namedKey: "http.route" }, label: "route" },
    { key: { type: "SERVICE" }, label: "service" },
  ],
  traceFilter: { trace: { duration: { minSecs: 0.01, maxSecs: 60 }, error: {} }, span: [span] },
  scopeFilter: { spanScopes: [{ isRootSpan: { value: true }, spanCount: { min: 1 } }] },
});

type Span = Partial<Omit<typeof span, "service" | "tags">> & { service?: object; tags?: object[] };
const filtered = (change: Span) => ({ traceFilter: { span: [{ ...span, ...change }] } });

const queries = (...words: readonly string[]): Named =>
  named("query-changed", ["unclear", "laxer", "stricter"], ...words);

export const traceMetricsRule = [
  rule(
    "the metric has another name, and monitors read the old one",
    { metricName: "checkout_duration" },
    queries("checkout_latency", "checkout_duration"),
  ),
  rule(
    "the metric has another label",
    { metricLabels: { team: "platform" } },
    named("collection-narrowed", "unclear", "team", "platform"),
  ),
  rule(
    "the metric loses its labels",
    { metricLabels: undefined },
    named("collection-narrowed", ["unclear", "laxer"], "team"),
  ),
  rule("the bucket that an objective needs is dropped", { histogramBucketsSecs: [0.1, 2] }, queries("0.5")),
  rule("a bucket is added", { histogramBucketsSecs: [0.1, 0.5, 1, 2] }, queries("1")),
  rule("the metric has no histogram any more", { histogramBucketsSecs: undefined }, queries("0.5")),
  rule(
    "the metric is not told apart by route any more",
    { groupBy: [{ key: { type: "SERVICE" }, label: "service" }] },
    named(["query-changed", "grouping-changed"], ["unclear", "laxer"], "route"),
  ),
  rule(
    "the label of the route has another name",
    {
      groupBy: [
        { key: { type: "TAG", namedKey: "http.route" }, label: "http_route" },
        { key: { type: "SERVICE" }, label: "service" },
      ],
    },
    named(["query-changed", "grouping-changed"], "unclear", "http_route"),
  ),
  rule(
    "the route is taken from another tag",
    {
      groupBy: [
        { key: { type: "TAG", namedKey: "http.target" }, label: "route" },
        { key: { type: "SERVICE" }, label: "service" },
      ],
    },
    named(["query-changed", "grouping-changed"], "unclear", "http.target"),
  ),
  rule(
    "the service label is the parent's",
    {
      groupBy: [
        { key: { type: "TAG", namedKey: "http.route" }, label: "route" },
        { key: { type: "PARENT_SERVICE" }, label: "service" },
      ],
    },
    named(["query-changed", "grouping-changed"], "unclear", "PARENT_SERVICE"),
  ),
  rule("short traces are not counted", { traceFilter: { trace: { duration: { minSecs: 1 } } } }, queries("0.01", "1")),
  rule("long traces are not counted", { traceFilter: { trace: { duration: { maxSecs: 30 } } } }, queries("60", "30")),
  rule("only traces with an error are counted", { traceFilter: { trace: { error: { value: true } } } }, queries()),
  rule("traces with and without errors are counted", { traceFilter: { trace: { error: undefined } } }, queries()),
  rule("what was included is excluded", filtered({ matchType: "EXCLUDE" }), queries("INCLUDE", "EXCLUDE")),
  rule(
    "another service is measured",
    filtered({ service: { match: "EXACT", value: "checkout-v2" } }),
    queries("checkout-v2"),
  ),
  rule(
    "everything but the service is measured",
    filtered({ service: { match: "EXACT_NEGATION", value: "checkout" } }),
    queries("EXACT_NEGATION"),
  ),
  rule(
    "refunds are not measured any more",
    filtered({ operation: { match: "IN", inValues: ["pay"] } }),
    queries("refund"),
  ),
  rule(
    "calls of another gateway",
    filtered({ parentService: { match: "EXACT", value: "gateway-v2" } }),
    queries("gateway-v2"),
  ),
  rule("calls of another method", filtered({ parentOperation: { match: "REGEX", value: "PUT .*" } }), queries("PUT")),
  rule("spans may be longer", filtered({ duration: { minSecs: 0.01, maxSecs: 120 } }), queries("120")),
  rule("only failed spans", filtered({ error: { value: true } }), queries()),
  rule("only root spans", filtered({ isRootSpan: { value: true } }), queries()),
  rule("at least two spans", filtered({ spanCount: { min: 2, max: 5 } }), queries("2")),
  rule("any number of spans", filtered({ spanCount: { min: 1 } as typeof span.spanCount }), queries("5")),
  rule(
    "client errors are not measured",
    filtered({
      tags: [
        { key: "http.status_code", numericValue: { comparison: "LESS_THAN", value: 400 } },
        span.tags[1] as object,
      ],
    }),
    queries("500", "400"),
  ),
  rule(
    "the status is compared the other way",
    filtered({
      tags: [
        { key: "http.status_code", numericValue: { comparison: "GREATER_THAN", value: 500 } },
        span.tags[1] as object,
      ],
    }),
    queries("GREATER_THAN"),
  ),
  rule(
    "one of two payment providers is not measured",
    filtered({ tags: [span.tags[0] as object, { key: "payment.provider", value: { match: "REGEX", value: "acme" } }] }),
    queries("globex"),
  ),
  rule(
    "another tag is asked for the status",
    filtered({
      tags: [
        { key: "http.response.status_code", numericValue: { comparison: "LESS_THAN", value: 500 } },
        span.tags[1] as object,
      ],
    }),
    queries("http.response.status_code"),
  ),
  rule("no root span is needed", { scopeFilter: undefined }, queries()),
  rule(
    "the measured spans are the others",
    { scopeFilter: { spanScopes: [{ isRootSpan: { value: false }, spanCount: { min: 1 } }] } },
    queries(),
  ),
  rule(
    "a second filter on spans",
    { traceFilter: { span: [span, { service: { match: "EXACT", value: "ledger" } }] } },
    queries("ledger"),
  ),
];
