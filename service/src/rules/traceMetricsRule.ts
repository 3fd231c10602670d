import { Problems, rulesFor } from "./rules.js";
import { type ScopeFilter, scopeFilterProblems, type TraceFilter, traceFilterProblems } from "./shapes/spans.js";

interface TraceMetricsRule {
  readonly metric_name?: string;
  readonly histogram_buckets_secs?: readonly number[];
  readonly trace_filter?: TraceFilter;
  readonly scope_filter?: ScopeFilter;
}

export const traceMetricsRule = rulesFor<TraceMetricsRule>({
  check: ({ metric_name, histogram_buckets_secs: buckets = [], trace_filter, scope_filter }) => {
    const problems = new Problems();
    problems.require("metric_name", metric_name);
    problems.require("trace_filter", trace_filter);
    buckets.forEach((bucket, i) => {
      const before = buckets[i - 1];
      if (before !== undefined && bucket <= before) {
        problems.add(`histogram_buckets_secs[${i}]`, `expected more than the one before it, ${before}, got ${bucket}`);
      }
    });
    problems.addAll(traceFilterProblems(trace_filter, "trace_filter"));
    problems.addAll(scopeFilterProblems(scope_filter, "scope_filter"));
    return problems.found;
  },
});
