import { quote } from "../../json.js";
import { checkPromql } from "../../promql/rules.gen.js";
import { parse, PromqlError } from "../../promql/tree.gen.js";
import type { RuleOptions } from "../rules.js";
import { expressionProblem } from "./expressions.js";

/** The allowed values of a placeholder, by its place. */
type Role = "expression" | "metric name" | "time" | "matcher" | "part of a matcher" | "anything";

interface Variable {
  readonly name: string;
  /** Counted from 0. */
  readonly from: number;
  readonly length: number;
  readonly role: Role;
}

// A text, a comment, a variable, or a bracket. In texts and comments a "$" is no variable. A text that does not end
// counts as one up to the end: to try it again from each of its quotes would take too long.
const parts =
  /"(?:[^"\\]|\\(?:[^]|$))*(?:"|$)|'(?:[^'\\]|\\(?:[^]|$))*(?:'|$)|`[^`]*(?:`|$)|#[^\n]*|\$([A-Za-z_]\w*)|[{}[\]]/g;

/** The `$`-prefixed names of an expression. */
export function variablesIn(expression: string): readonly Variable[] {
  let bracket = "";
  return [...expression.matchAll(parts)].flatMap(({ 0: part, 1: name, index: from }) => {
    if (name === undefined) {
      if (part === "{" || part === "[") bracket = part;
      if (part === "}" || part === "]") bracket = "";
      return [];
    }
    const { length } = part;
    return [{ name, from, length, role: roleOf(bracket, expression.slice(0, from), expression.slice(from + length)) }];
  });
}

function roleOf(bracket: string, before: string, after: string): Role {
  const near = before.slice(-20);
  if (bracket === "[" || /(?:\boffset\s+-?|@\s*)$/.test(near)) return "time";
  const last = near.trimEnd().slice(-1);
  // What follows an expression may be a modifier, or nothing.
  const next = after.slice(0, 20).trimStart().charAt(0);
  if (bracket === "") return /[)\]}]/.test(last) ? "anything" : /[{[]/.test(next) ? "metric name" : "expression";
  if (/[=~]/.test(last) && /[,}]/.test(next)) return "part of a matcher";
  if (!/[{,]/.test(last)) return "anything";
  return /[,}]/.test(next) ? "matcher" : /[=!]/.test(next) ? "part of a matcher" : "anything";
}

/** A substitute for a placeholder, so that the rest can be parsed. */
const standIns: Readonly<Record<Role, (length: number) => string>> = {
  expression: (length) => "v".repeat(length),
  "metric name": (length) => "v".repeat(length),
  time: (length) => `${"1".repeat(length - 1)}m`,
  matcher: (length) => `"${"v".repeat(length - 2)}"`,
  "part of a matcher": (length) => `"${"v".repeat(length - 2)}"`,
  anything: (length) => " ".repeat(length),
};

/** Of brackets and functions. */
const deepest = 100;
// The tree of a chain is as deep as the chain is long, and the checker calls itself for each level.
const longestChain = 1_000;

/** What may stand for a part of an expression: `$name`, or also `{{…}}`. */
type Placeholders = "variables" | "templates" | undefined;

/** The error in a PromQL expression. A placeholder may stand for any part of it. */
export function queryProblem(
  expression: string,
  options: RuleOptions,
  placeholders?: Placeholders,
): string | undefined {
  return problemIn(expression, options, placeholders, { what: "valid PromQL", text: expression, shift: 0 });
}

/** The error in the matchers between the braces of a selector, which may be given with the braces. */
export function filtersProblem(filters: string, options: RuleOptions, placeholders: Placeholders): string | undefined {
  const hasBraces = filters.trimStart().startsWith("{") && filters.trimEnd().endsWith("}");
  const [start, end] = hasBraces ? [filters.indexOf("{") + 1, filters.lastIndexOf("}")] : [0, filters.length];
  const before = '{a!="",';
  const shown = { what: "a valid label selector", text: filters, shift: before.length - start };
  return problemIn(`${before}${filters.slice(start, end)}}`, options, placeholders, shown);
}

/** What a message shows of an expression. */
interface Shown {
  readonly what: string;
  readonly text: string;
  /** The position in the expression of the beginning of the text. */
  readonly shift: number;
}

function problemIn(
  expression: string,
  options: RuleOptions,
  placeholders: Placeholders,
  shown: Shown,
): string | undefined {
  if (!options.parsesQueries) return undefined;
  const tooLarge = options.spend(expression.length);
  if (tooLarge !== undefined) return tooLarge;
  const given = placeholders === "templates" ? withoutTemplates(expression) : expression;
  if (given === undefined) return undefined; // It is unknown what fits.
  const found = placeholders === undefined ? [] : variablesIn(given);
  const text = withStandIns(given, found);
  try {
    const tooDeep = depthProblem(text);
    if (tooDeep !== undefined) return tooDeep;
    checkPromql(text, {
      patternProblem(pattern) {
        const problem = expressionProblem(pattern, options);
        return problem && `the pattern ${problem}`;
      },
      counts({ from, to }, name) {
        const inside = found.filter((each) => each.from >= from && each.from < to);
        // A placeholder may name the metric, or be any number.
        if (name !== undefined)
          return inside.length === 0 || !/^(?:VectorSelector|FunctionCall|BinaryExpr|Number\w+)$/.test(name);
        return !inside.some(({ role }) => role === "expression" || role === "anything");
      },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof PromqlError)) throw error;
    return tell(error, shown);
  }
}

function tell({ reason, at, isUnknown }: PromqlError, { what, text, shift }: Shown): string {
  const from = Math.min(Math.max(at.from - shift, 0), text.trimEnd().length);
  const near = text.slice(from, Math.min(at.to - shift, from + 20));
  const place = `at position ${from + 1}`;
  if (isUnknown) return `${place}, ${reason}`;
  return `is not ${what}: ${reason} ${place}, ${near === "" ? "the end" : quote(near)}`;
}

/** Why an expression takes too long to check, if it does. @throws {PromqlError} */
function depthProblem(text: string): string | undefined {
  let [depth, deepestHere, chain, longestHere] = [0, 0, 0, 0];
  parse(text).iterate({
    enter: ({ name }) => {
      if (name === "BinaryExpr") longestHere = Math.max(longestHere, ++chain);
      else deepestHere = Math.max(deepestHere, ++depth);
    },
    leave: ({ name }) => void (name === "BinaryExpr" ? chain-- : depth--),
  });
  if (deepestHere > deepest) return `is too deep: expected at most ${deepest} levels of brackets and functions`;
  return longestHere > longestChain
    ? `is too long: expected at most ${longestChain} operators, each on the result of another`
    : undefined;
}

/** The expression with something of the same length instead of each variable. */
function withStandIns(expression: string, found: readonly Variable[]): string {
  let [text, end] = ["", 0];
  for (const { from, length, role } of found) {
    text += expression.slice(end, from) + standIns[role](length);
    end = from + length;
  }
  return text + expression.slice(end);
}

const control = /^\{\{-?\s*(?:if|else|end|range|with|define|block|template|break|continue)\b/;

/** The expression with a variable of the same length for each template; undefined if one has conditions or loops. */
function withoutTemplates(expression: string): string | undefined {
  let [text, from] = ["", 0];
  for (;;) {
    const braces = expression.indexOf("{{", from);
    // Of three braces the first one begins a selector.
    const start = expression.charAt(braces + 2) === "{" ? braces + 1 : braces;
    const end = expression.indexOf("}}", start);
    if (braces < 0 || end < 0) return text + expression.slice(from);
    const template = expression.slice(start, end + 2);
    if (control.test(template)) return undefined;
    text += `${expression.slice(from, start)}$${"v".repeat(template.length - 1)}`;
    from = end + 2;
  }
}
