import { traceMetricsRule as kind } from "../../../provider/kinds/traceMetricsRule";
import { selecting } from "./selections";

export const traceMetricsRule = selecting(kind, "what queries its metric finds nothing", {
  metricName: { words: "metric name", end: "what queries the old name finds nothing" },
  traceFilter: { words: "trace filter", end: "measures other traces" },
  scopeFilter: { words: "scope filter", end: "measures other spans" },
  groupBy: { words: "grouping", end: "the metric has other labels" },
  histogramBucketsSecs: { words: "buckets", end: "quantiles are computed otherwise" },
});
