import { parser } from "@prometheus-io/lezer-promql";
import { quote } from "../../json.js";
import { checkTypes, TypeProblem } from "./promqlTypes.js";

const strict = parser.configure({ strict: true });

/** What a placeholder may stand for, by its place. */
type Role = "expression" | "time" | "matcher" | "part of a matcher" | "anything";

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
  if (bracket === "") return /[)\]}]/.test(last) ? "anything" : "expression";
  const next = after.slice(0, 20).trimStart().charAt(0);
  if (/[=~]/.test(last) && /[,}]/.test(next)) return "part of a matcher";
  if (!/[{,]/.test(last)) return "anything";
  return /[,}]/.test(next) ? "matcher" : /[=!]/.test(next) ? "part of a matcher" : "anything";
}

/** What stands for a placeholder so that the rest can be read. */
const standIns: Readonly<Record<Role, (length: number) => string>> = {
  expression: (length) => "v".repeat(length),
  time: (length) => `${"1".repeat(length - 1)}m`,
  matcher: (length) => `"${"v".repeat(length - 2)}"`,
  "part of a matcher": (length) => `"${"v".repeat(length - 2)}"`,
  anything: (length) => " ".repeat(length),
};

// In characters. To parse an expression takes time in proportion to them; these take some milliseconds.
const longest = 65_536;
// The parser's own limits are a few times higher.
const deepest = 200;
const mostOperators = 1_000;

/** Why an expression is too large to be read. */
export function sizeProblem({ length }: string): string | undefined {
  return length > longest ? `expected an expression of at most ${longest} characters, got ${length}` : undefined;
}

/** What stands for another text in an expression. */
interface Placeholders {
  /** `$name` */
  readonly variables?: boolean;
  /** `{{…}}` */
  readonly templates?: boolean;
}

/** What is wrong with a PromQL expression. A placeholder may stand for any part of it. */
export function queryProblem(expression: string, placeholders: Placeholders = {}): string | undefined {
  const problem = problemOf(expression, placeholders);
  return problem && tell("PromQL", problem, expression);
}

/** What is wrong with the matchers between the braces of a selector, which may be given with the braces. */
export function filtersProblem(filters: string, placeholders: Placeholders = {}): string | undefined {
  const hasBraces = filters.trimStart().startsWith("{") && filters.trimEnd().endsWith("}");
  const [start, end] = hasBraces ? [filters.indexOf("{") + 1, filters.lastIndexOf("}")] : [0, filters.length];
  const before = '{a!="",';
  const problem = problemOf(`${before}${filters.slice(start, end)}}`, placeholders);
  return problem && tell("label selector", problem, filters, before.length - start);
}

interface Problem {
  /** Empty if the syntax is wrong. */
  readonly message: string;
  /** Where in the text; undefined if it is about all of it. */
  readonly at?: { readonly from: number; readonly to: number };
}

function tell(what: string, { message, at }: Problem, text: string, shift = 0): string {
  if (at === undefined) return message;
  const from = Math.min(Math.max(at.from - shift, 0), text.trimEnd().length);
  const near = text.slice(from, Math.min(at.to - shift, from + 20));
  const place = `at position ${from + 1}, ${near === "" ? "the end" : quote(near)}`;
  return `is no ${what}: ${message === "" ? `syntax error ${place}` : `${place}: ${message}`}`;
}

function problemOf(expression: string, placeholders: Placeholders): Problem | undefined {
  const message = sizeProblem(expression) ?? depthProblem(expression);
  if (message !== undefined) return { message };
  const filled = fill(expression, placeholders);
  if (filled === undefined) return undefined;
  try {
    checkTypes(parse(filled.text).topNode, filled.text, filled.positions);
    return undefined;
  } catch (error) {
    if (error instanceof TypeProblem) return error;
    // Thousands of modifiers behind each other fill the stack.
    if (error instanceof RangeError) return { message: "is too deep: too many parts follow each other" };
    if (!(error instanceof SyntaxError)) throw error;
    // The parser tells the position in its message only: "No parse at 17".
    const from = Number(/\d+$/.exec(error.message)?.[0] ?? 0);
    return { message: "", at: { from, to: Infinity } };
  }
}

function parse(expression: string) {
  // The cast holds for the parser's version, as the test of long chains shows.
  const parse = strict.startParse(expression) as ReturnType<typeof strict.startParse> & {
    bigReductionCount: number;
  };
  // After 300 terms the parser would give up, to keep its tree flat.
  for (;;) {
    parse.bigReductionCount = 0;
    const tree = parse.advance();
    if (tree !== null) return tree;
  }
}

// A text, a bracket, a row of signs, or an operator.
const levels =
  /"(?:[^"\\]|\\(?:[^]|$))*(?:"|$)|'(?:[^'\\]|\\(?:[^]|$))*(?:'|$)|`[^`]*(?:`|$)|[()]|[-+](?:\s*[-+])+|\^|[-+*/%]|[<>]=?|==|!=|\b(?:or|and|unless|atan2)\b/gi;

/** Whether an expression has more levels, or longer chains of operators, than the parser reads. */
function depthProblem(expression: string): string | undefined {
  let [depth, operators] = [0, 0];
  for (const [part] of expression.matchAll(levels)) {
    if (part === ")") depth--;
    else if (part === "(" || part === "^") depth++;
    else if (/^[-+]\s*[-+]/.test(part)) depth += part.length;
    else if (!/^["'`]/.test(part)) operators++;
    if (depth > deepest)
      return `is too deep: at most ${deepest} brackets, powers and signs may be inside of each other`;
  }
  if (operators <= mostOperators) return undefined;
  return `is too long: expected at most ${mostOperators} operators, got ${operators}; record parts of it as metrics of their own`;
}

interface Filled {
  readonly text: string;
  /** Where something stands in place of a placeholder. */
  readonly positions: ReadonlySet<number>;
}

/** The expression with something of the same length in place of each placeholder. Undefined if nothing tells what fits. */
function fill(expression: string, { variables = false, templates = false }: Placeholders): Filled | undefined {
  const given = templates ? withoutTemplates(expression) : expression;
  if (given === undefined) return undefined;
  const found = variables || templates ? variablesIn(given) : [];
  let [text, end] = ["", 0];
  for (const { from, length, role } of found) {
    text += given.slice(end, from) + standIns[role](length);
    end = from + length;
  }
  return { text: withoutLastDots(text + given.slice(end)), positions: new Set(found.map(({ from }) => from)) };
}

const numbers =
  /"(?:[^"\\]|\\(?:[^]|$))*(?:"|$)|'(?:[^'\\]|\\(?:[^]|$))*(?:'|$)|`[^`]*(?:`|$)|#[^\n]*|(?<![\w.:])(\d+)\.(?![\w.])/g;

/** `5 ` for `5.`, which Prometheus reads and the parser does not. */
function withoutLastDots(expression: string): string {
  return expression.replace(numbers, (part: string, digits?: string) => (digits === undefined ? part : `${digits} `));
}

const control = /^\{\{-?\s*(?:if|else|end|range|with|define|block|template|break|continue)\b/;

/** The expression with a variable of the same length in place of each template. Undefined if a template has conditions or loops. */
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
