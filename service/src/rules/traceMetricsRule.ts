import { optionalText, text } from "./constraints.js";
import { rulesFor, type Shapes } from "./rules.js";

interface TraceMetricsRule {
  readonly histogram_buckets_secs?: readonly number[];
}
interface GroupByKey {
  readonly type?: string;
  readonly named_key?: string;
}

const tag = "TAG";

export const traceMetricsRule: Shapes = {
  TraceMetricsRule: rulesFor<TraceMetricsRule>({
    schema: {
      properties: {
        histogram_buckets_secs: { items: { minimum: 0, "x-expected": "0 or more seconds" } },
      },
    },
    check: ({ histogram_buckets_secs: buckets = [] }, report) => {
      buckets.forEach((bucket, i) => {
        const before = buckets[i - 1];
        if (before !== undefined && bucket <= before) {
          report(`histogram_buckets_secs[${i}]`, `expected more than the one before it, ${before}, got ${bucket}`);
        }
      });
    },
  }),
  GroupBy: { schema: { properties: { label: optionalText } } },
  GroupByKey: rulesFor<GroupByKey>({
    documented: {
      anyOf: [
        { properties: { type: { not: { const: tag } } } },
        { required: ["named_key"], properties: { named_key: text } },
      ],
    },
    check: ({ type, named_key = "" }, report) => {
      if (type === tag && named_key.trim() === "") report("named_key", `is required if type is "${tag}"`);
    },
  }),
};
