import { quote } from "../json.js";
import { rule, type Rules } from "./rules.js";
import { matcherProblems, type Matcher } from "./shapes/labels.js";
import { filtersProblem, queryProblem, variablesIn } from "./shapes/promql.js";

interface ParameterisedQuery {
  label_expr: string;
  variables: { name: string; default_label_selector: string }[];
}

export const derivedMetric: Rules = {
  ParameterisedQuery: rule<ParameterisedQuery>(({ label_expr = "", variables = [] }, report, options) => {
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
    report("label_expr", queryProblem(label_expr, options, "variables"));
    variables.forEach(({ name = "", default_label_selector: filters = "" }, i) => {
      if (selecting.has(name))
        report(`variables[${i}].default_label_selector`, filtersProblem(filters, options, "variables"));
    });
  }),
  QuerySelector: rule<{ labels: Matcher[] }>(({ labels }, report) => matcherProblems(labels, "labels", report)),
};
