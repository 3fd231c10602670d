import { quote } from "../json.js";
import { labels, metricName, optionalLabel } from "./constraints.js";
import { rulesFor, type Shapes } from "./rules.js";

const tag = "TAG";

export const traceMetricsRule: Shapes = {
  TraceMetricsRule: rulesFor<{ histogram_buckets_secs: number[]; group_by: { label: string }[] }>({
    schema: {
      properties: {
        metric_name: metricName,
        metric_labels: labels,
        histogram_buckets_secs: { items: { minimum: 0, "x-expected": "0 or more seconds" } },
      },
    },
    check: ({ histogram_buckets_secs: buckets = [], group_by = [] }, report) => {
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
    },
  }),
  GroupBy: { schema: { properties: { label: optionalLabel } } },
  GroupByKey: rulesFor<{ type: string; named_key: string }>({
    check: ({ type, named_key = "" }, report) => {
      if (type === tag && named_key.trim() === "") report("named_key", `is required if type is "${tag}"`);
    },
  }),
};
