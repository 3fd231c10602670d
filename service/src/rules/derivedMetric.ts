import { quote } from "../json.js";
import { rulesFor, type Shapes } from "./rules.js";
import { matcherProblems, type Matcher } from "./shapes/matchers.js";
import { queryProblem, sizeProblem, variablesIn } from "./shapes/promql.js";

interface ParameterisedQuery {
  readonly label_expr?: string;
  readonly variables?: readonly { readonly name?: string }[];
}

export const derivedMetric: Shapes = {
  DerivedMetric: {
    schema: {
      required: ["queries"],
      properties: { queries: { minItems: 1, "x-expected": "at least one query" } },
    },
  },
  ParameterisedQuery: rulesFor<ParameterisedQuery>({
    check: ({ label_expr = "", variables = [] }, report, { parsesQueries }) => {
      const declared = new Set<string>();
      variables.forEach(({ name = "" }, i) => {
        if (name !== "" && declared.has(name)) report(`variables[${i}].name`, `${quote(name)} is declared twice`);
        declared.add(name);
      });
      const tooLarge = sizeProblem(label_expr);
      if (tooLarge !== undefined) return report("label_expr", tooLarge);
      for (const { name, position } of variablesIn(label_expr)) {
        if (!declared.has(name)) report("label_expr", `$${name} at position ${position} is not among the variables`);
      }
      const problem = parsesQueries ? queryProblem(label_expr, { hasVariables: true }) : undefined;
      if (problem !== undefined) report("label_expr", problem);
    },
  }),
  QuerySelector: rulesFor<{ readonly labels?: readonly Matcher[] }>({
    check: ({ labels }, report) => matcherProblems(labels, "labels", report),
  }),
};
