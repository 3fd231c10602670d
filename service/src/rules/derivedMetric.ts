import { Problems, rulesFor } from "./rules.js";

interface DerivedMetric {
  readonly metric_name?: string;
  readonly queries?: readonly object[];
}

export const derivedMetric = rulesFor<DerivedMetric>({
  check: ({ metric_name, queries = [] }) => {
    const problems = new Problems();
    problems.require("metric_name", metric_name);
    if (queries.length === 0) problems.add("queries", "needs at least one query");
    return problems.found;
  },
});
