import { rule, type Rules } from "../rules.js";
import { expressionProblem } from "./expressions.js";

const lists = ["IN", "NOT_IN"];
const expressions = ["REGEX", "REGEX_NEGATION"];

interface StringMatch {
  match: string;
  value: string;
  in_values: string[];
}

/** A range whose sides may be open. */
const range = (from: string, to: string) =>
  rule<Record<string, number>>(({ [from]: least = 0, [to]: most = 0 }, report) => {
    if (most !== 0 && least > most) report("", `expected ${from} of at most ${to}, got ${least} and ${most}`);
  });

export const spans: Rules = {
  DurationRange: range("min_secs", "max_secs"),
  SpanCount: range("min", "max"),
  Tag: rule<{ value: object; numeric_value: object }>(({ value, numeric_value }, report) => {
    if (value === undefined && numeric_value === undefined) report("", "needs value or numeric_value");
  }),
  StringMatch: rule<StringMatch>(({ match = "", value = "", in_values = [] }, report, options) => {
    if (lists.includes(match) && in_values.length === 0) report("in_values", `is required if match is "${match}"`);
    if (expressions.includes(match)) report("value", expressionProblem(value, options));
  }),
};
