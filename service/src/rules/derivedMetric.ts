import { quote } from "../json.js";
import { metricName } from "./constraints.js";
import { rulesFor, type Shapes } from "./rules.js";
import { matcherProblems, type Matcher } from "./shapes/matchers.js";
import { filtersProblem, queryProblem, variablesIn } from "./shapes/promql.js";

export const derivedMetric: Shapes = {
  DerivedMetric: {
    schema: {
      required: ["queries"],
      properties: { metric_name: metricName, queries: { minItems: 1, "x-expected": "at least one query" } },
    },
  },
  ParameterisedQuery: rulesFor<{ label_expr: string; variables: { name: string; default_label_selector: string }[] }>({
    check({ label_expr = "", variables = [] }, report, options) {
      const declared = new Set<string>();
      variables.forEach(({ name = "" }, i) => {
        if (name !== "" && declared.has(name)) report(`variables[${i}].name`, `${quote(name)} is declared twice`);
        declared.add(name);
      });
      const selecting = new Set<string>();
      for (const { name, from, role } of variablesIn(label_expr)) {
        if (!declared.has(name)) report("label_expr", `$${name} at position ${from + 1} is not among the variables`);
        if (role === "matcher") selecting.add(name);
      }
      if (!options.parsesQueries) return;
      const problem = queryProblem(label_expr, options, { variables: true });
      if (problem !== undefined) report("label_expr", problem);
      for (const [i, { name = "", default_label_selector: filters = "" }] of variables.entries()) {
        if (!selecting.has(name)) continue;
        const wrong = filtersProblem(filters, options, { variables: true });
        if (wrong !== undefined) report(`variables[${i}].default_label_selector`, wrong);
      }
    },
  }),
  QuerySelector: rulesFor<{ labels: Matcher[] }>({
    check: ({ labels }, report) => matcherProblems(labels, "labels", report),
  }),
};
