import { list, map, number, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { scopeFilter, traceFilter } from "./shapes/spans";

const groupBy = shape("GroupBy", "A part of the trace that becomes a label of the metric.", {
  key: object(
    shape("GroupByKey", "The part of the trace.", {
      type: string("The part of the trace that the label's value comes from.", {
        suggestions: [
          "SERVICE",
          "OPERATION",
          "TAG",
          "PARENT_SERVICE",
          "PARENT_OPERATION",
          "ROOT_SERVICE",
          "ROOT_OPERATION",
        ],
      }),
      namedKey: string("The name of the tag, if `type` is `TAG`.", { required: "`type` is `TAG`" }),
    }),
  ),
  label: string("The name of the metric's label."),
});

export const traceMetricsRule = kind({
  name: "TraceMetricsRule",
  title: "trace metrics rule",
  description:
    "A rule that computes metrics from traces. Filters select traces and spans, and `groupBy` makes labels from them.",
  wire: { one: "trace_metrics_rule", many: "trace_metrics_rules" },
  described: ["list", "put"],
  fields: {
    metricName: string("The name of the metrics that the rule creates.", {
      required: "always",
      effect: "publishes",
      // The API spec doesn't document them: those of counters and histograms in Prometheus.
      suffixes: ["_bucket", "_count", "_sum", "_total"],
    }),
    metricLabels: map("Labels that every metric gets. Keys stay as you write them.", { effect: "describes" }),
    histogramBucketsSecs: list(
      number(""),
      "The upper bounds of the buckets of the duration histogram, in ascending order.",
      {
        unit: "seconds",
        effect: "distributes",
      },
    ),
    groupBy: list(object(groupBy), "The parts of the trace that become labels.", {
      unordered: true,
      effect: "describes",
    }),
    traceFilter: object(traceFilter, "The traces and spans that are counted.", {
      required: "always",
      effect: "selects",
    }),
    scopeFilter: object(scopeFilter, "Conditions on the spans that are measured.", {
      effect: "selects",
      format: "settings",
    }),
  },
  example: {
    name: "Checkout latency",
    slug: "checkout-latency",
    metricName: "checkout_latency",
    metricLabels: { team: "checkout" },
    histogramBucketsSecs: [0.1, 0.5, 2],
    groupBy: [{ key: { type: "TAG", namedKey: "http.route" }, label: "route" }],
    traceFilter: {
      trace: { duration: { minSecs: 0.01, maxSecs: 60 }, error: {} },
      span: [
        {
          matchType: "INCLUDE",
          service: { match: "EXACT", value: "checkout" },
          operation: { match: "IN", inValues: ["pay", "refund"] },
          tags: [{ key: "http.status_code", numericValue: { comparison: "LESS_THAN", value: 500 } }],
        },
      ],
    },
    scopeFilter: { spanScopes: [{ isRootSpan: { value: true }, spanCount: { min: 1 } }] },
  },
});
