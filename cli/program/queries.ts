import type { Kind } from "../../provider/schema/kind";
import { formatPath } from "../../provider/schema/walk";
import { leaves } from "../../provider/values/leaves";
import type { JsonObject } from "../../provider/wire/json";
import { promqlProblem } from "../promql/expression";

/** Why queries of a declaration are no PromQL, each with its place. Those with variables or templates are not tried. */
export const queryProblems = (kind: Kind, args: JsonObject): readonly string[] =>
  leaves(kind.root, args).flatMap(({ path, field: { options }, value }) => {
    if (typeof value !== "string" || value === "" || /\$|\{\{/.test(value)) return [];
    // Filters stand between the braces of a selector.
    const query = { promql: value, labelFilters: value.startsWith("{") ? undefined : `{a!="",${value}}` }[
      options.format as string
    ];
    const problem = query && promqlProblem(query);
    return problem === undefined ? [] : [`${formatPath(path)} ${JSON.stringify(value)}: ${problem}`];
  });
