import { type Constraint, rulesFor, type Shapes } from "../rules.js";
import { expressionProblem } from "./expressions.js";

const lists = ["IN", "NOT_IN"];
const expressions = ["REGEX", "REGEX_NEGATION"];

export const spans: Shapes = {
  DurationRange: range("min_secs", "max_secs", { minimum: 0, "x-expected": "0 or more seconds" }),
  SpanCount: range("min", "max", { minimum: 0, "x-expected": "0 or more spans" }),
  Tag: rulesFor<{ value: object; numeric_value: object }>({
    check: ({ value, numeric_value }, report) => {
      if (value === undefined && numeric_value === undefined) report("", "needs value or numeric_value");
    },
  }),
  StringMatch: rulesFor<{ match: string; value: string; in_values: string[] }>({
    check: ({ match = "", value = "", in_values = [] }, report, options) => {
      if (lists.includes(match) && in_values.length === 0) report("in_values", `is required if match is "${match}"`);
      const problem = expressions.includes(match) ? expressionProblem(value, options) : undefined;
      if (problem !== undefined) report("value", problem);
    },
  }),
};

/** A range whose sides may be open. */
function range(from: string, to: string, side: Constraint) {
  return rulesFor<Record<string, number>>({
    schema: { properties: { [from]: side, [to]: side } },
    check: ({ [from]: least = 0, [to]: most = 0 }, report) => {
      if (most !== 0 && least > most) report("", `expected ${from} of at most ${to}, got ${least} and ${most}`);
    },
  });
}
