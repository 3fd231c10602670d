import { quote } from "../json.js";
import { rule, type Rules } from "./rules.js";

const tag = "TAG";

interface TraceMetricsRule {
  histogram_buckets_secs: number[];
  group_by: { label: string }[];
}

export const traceMetricsRule: Rules = {
  TraceMetricsRule: rule<TraceMetricsRule>(({ histogram_buckets_secs: buckets = [], group_by = [] }, report) => {
    buckets.forEach((bucket, i) => {
      const before = buckets[i - 1];
      if (before !== undefined && bucket <= before) {
        report(`histogram_buckets_secs[${i}]`, `expected more than the one before it, ${before}, got ${bucket}`);
      }
    });
    const seen = new Set<string>();
    group_by.forEach(({ label = "" }, i) => {
      if (label !== "" && seen.has(label))
        report(`group_by[${i}].label`, `${quote(label)} is the label of another key`);
      seen.add(label);
    });
  }),
  GroupByKey: rule<{ type: string; named_key: string }>(({ type, named_key = "" }, report) => {
    if (type === tag && named_key.trim() === "") report("named_key", `is required if type is "${tag}"`);
  }),
};
