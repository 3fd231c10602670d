import { createRequire } from "node:module";
import type * as state from "@codemirror/state" with { "resolution-mode": "require" };
import type * as checking from "@prometheus-io/codemirror-promql/dist/cjs/parser/parser.js";
import { quote } from "../../json.js";
import type { CheckOptions } from "../rules.js";
import { newerAt, nodeProblems } from "./promqlNodes.js";
import { isRead, parse, type SyntaxNode, type Tree } from "./promqlParser.js";

// The checker is CommonJS, and takes documents of CommonJS packages.
const require = createRequire(import.meta.url);
const { EditorState } = require("@codemirror/state") as typeof state;
const { Parser } = require("@prometheus-io/codemirror-promql/dist/cjs/parser/parser.js") as typeof checking;

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

/** A substitute for another text in an expression. */
interface Placeholders {
  /** `$name` */
  readonly variables?: boolean;
  /** `{{…}}` */
  readonly templates?: boolean;
}

/** The error in a PromQL expression. A placeholder may stand for any part of it. */
export function queryProblem(
  expression: string,
  options: CheckOptions,
  placeholders: Placeholders = {},
): string | undefined {
  const problem = problemOf(expression, options, placeholders);
  return problem && tell("valid PromQL", problem, expression);
}

/** The error in the matchers between the braces of a selector, which may be given with the braces. */
export function filtersProblem(filters: string, options: CheckOptions, placeholders: Placeholders): string | undefined {
  const hasBraces = filters.trimStart().startsWith("{") && filters.trimEnd().endsWith("}");
  const [start, end] = hasBraces ? [filters.indexOf("{") + 1, filters.lastIndexOf("}")] : [0, filters.length];
  const before = '{a!="",';
  const problem = problemOf(`${before}${filters.slice(start, end)}}`, options, placeholders);
  return problem && tell("a valid label selector", problem, filters, before.length - start);
}

interface Problem {
  /** Empty if the syntax is wrong. */
  readonly message: string;
  /** Where in the text; undefined if it is about all of it. */
  readonly at?: { readonly from: number; readonly to: number };
  /** What another version of PromQL may have there. */
  readonly newer?: string | undefined;
}

function tell(what: string, { message, at, newer }: Problem, text: string, shift = 0): string {
  if (at === undefined) return message;
  const from = Math.min(Math.max(at.from - shift, 0), text.trimEnd().length);
  if (newer !== undefined)
    return `has ${newer} at position ${from + 1}, which is unknown to the PromQL that this service reads`;
  const near = text.slice(from, Math.min(at.to - shift, from + 20));
  const place = `at position ${from + 1}, ${near === "" ? "the end" : quote(near)}`;
  return `is not ${what}: ${message === "" ? `syntax error ${place}` : `${place}: ${message}`}`;
}

function problemOf(expression: string, options: CheckOptions, placeholders: Placeholders): Problem | undefined {
  const tooLarge = options.spend(expression.length);
  if (tooLarge !== undefined) return { message: tooLarge };
  const filled = fill(expression, placeholders);
  if (filled === undefined) return undefined;
  try {
    return problemIn(parse(filled.text), filled, options);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser has the position only in its message: "No parse at 17".
    const from = Number(/\d+$/.exec(error.message)?.[0] ?? 0);
    const newer = newerAt(filled.text, from, (name) => isRead(`${name}(a)`));
    return { message: "", at: { from, to: Infinity }, newer };
  }
}

/** The error in an expression that parses: its depth, its ranges, its regular expressions, or its types. */
function problemIn(tree: Tree, { text, found }: Filled, options: CheckOptions): Problem | undefined {
  let [depth, deepestHere, chain, longestHere] = [0, 0, 0, 0];
  const nodes: SyntaxNode[] = [];
  tree.iterate({
    enter({ name, node }) {
      if (name === "BinaryExpr") longestHere = Math.max(longestHere, ++chain);
      else deepestHere = Math.max(deepestHere, ++depth);
      if (name in nodeProblems) nodes.push(node);
    },
    leave: ({ name }) => void (name === "BinaryExpr" ? chain-- : depth--),
  });
  if (deepestHere > deepest)
    return { message: `is too deep: expected at most ${deepest} levels of brackets and functions` };
  if (longestHere > longestChain)
    return { message: `is too long: expected at most ${longestChain} operators, each on the result of another` };
  // A placeholder may name the metric, or be any number.
  const isTold = ({ from, to, name }: SyntaxNode) =>
    !/^(?:VectorSelector|FunctionCall|BinaryExpr|Number\w+)$/.test(name) ||
    !found.some((each) => each.from >= from && each.from < to);
  const problemOfNode = (ofTypes: boolean): Problem | undefined => {
    for (const at of nodes.filter((each) => isTold(each) && ofTypes === /^(?:Aggregate|Binary)Expr$/.test(each.name))) {
      const message = nodeProblems[at.name]?.(at, text, options);
      if (message !== undefined) return { message, at };
    }
    return undefined;
  };
  return problemOfNode(false) ?? typeProblem(tree, text, found) ?? problemOfNode(true);
}

/** The error that Prometheus's own checker finds. */
function typeProblem(tree: Tree, text: string, found: readonly Variable[]): Problem | undefined {
  const checker = new Parser(EditorState.create({ doc: text }));
  const type = checker.checkAST(tree.topNode.firstChild);
  const problem = checker.getDiagnostics().find(({ severity, message, from, to }) => {
    // What it finds in selectors is not what Prometheus does. Its findings have no codes.
    if (severity !== "error" || /^(?:metric name|vector selector) must/.test(message)) return false;
    const inside = found.filter((each) => each.from >= from && each.from < to);
    return !inside.some(({ role }) => role === "expression" || role === "anything");
  });
  if (problem !== undefined) return { message: problem.message, at: problem };
  if (type !== "matrix" && type !== "string") return undefined;
  return { message: "a query must be an instant vector or a number", at: tree.topNode };
}

interface Filled {
  readonly text: string;
  readonly found: readonly Variable[];
}

/** The expression with something of the same length instead of each placeholder. Undefined if it is unknown what fits. */
function fill(expression: string, { variables = false, templates = false }: Placeholders): Filled | undefined {
  const given = templates ? withoutTemplates(expression) : expression;
  if (given === undefined) return undefined;
  const found = variables || templates ? variablesIn(given) : [];
  let [text, end] = ["", 0];
  for (const { from, length, role } of found) {
    text += given.slice(end, from) + standIns[role](length);
    end = from + length;
  }
  return { text: withoutLastDots(text + given.slice(end)), found };
}

const numbers =
  /"(?:[^"\\]|\\(?:[^]|$))*(?:"|$)|'(?:[^'\\]|\\(?:[^]|$))*(?:'|$)|`[^`]*(?:`|$)|#[^\n]*|(?<![\w.:])(\d+)\.(?![\w.])/g;

/** `5 ` for `5.`, which Prometheus reads and the parser does not. */
function withoutLastDots(expression: string): string {
  return expression.replace(numbers, (part: string, digits?: string) => (digits === undefined ? part : `${digits} `));
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
