import { quote } from "../json.js";
import { text } from "./constraints.js";
import { rulesFor, type Shapes } from "./rules.js";
import { matcherProblems, type Matcher } from "./shapes/matchers.js";
import { queryProblem, variablesIn } from "./shapes/promql.js";

interface ParameterisedQuery {
  readonly label_expr?: string;
  readonly variables?: readonly { readonly name?: string }[];
}

export const derivedMetric: Shapes = {
  DerivedMetric: {
    schema: {
      required: ["metric_name", "queries"],
      properties: { metric_name: text, queries: { minItems: 1, "x-expected": "at least one query" } },
    },
  },
  DerivedQuery: { schema: { required: ["query"] } },
  ParameterisedQuery: rulesFor<ParameterisedQuery>({
    schema: { required: ["label_expr"], properties: { label_expr: text } },
    check: ({ label_expr = "", variables = [] }, report, { parsesQueries }) => {
      const declared = new Set<string>();
      variables.forEach(({ name = "" }, i) => {
        if (name !== "" && declared.has(name)) report(`variables[${i}].name`, `${quote(name)} is declared twice`);
        declared.add(name);
      });
      for (const { name, position } of variablesIn(label_expr)) {
        if (!declared.has(name)) report("label_expr", `$${name} at position ${position} is not among the variables`);
      }
      const problem = parsesQueries ? queryProblem(label_expr, { hasVariables: true }) : undefined;
      if (problem !== undefined) report("label_expr", problem);
    },
  }),
  QueryVariable: { schema: { required: ["name"], properties: { name: text } } },
  QuerySelector: rulesFor<{ readonly labels?: readonly Matcher[] }>({
    check: ({ labels }, report) => matcherProblems(labels, "labels", report),
  }),
};
