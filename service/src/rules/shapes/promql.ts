import { parser } from "@prometheus-io/lezer-promql";
import { quote } from "../../json.js";

const strict = parser.configure({ strict: true });

interface Variable {
  readonly name: string;
  /** Counted from 1. */
  readonly position: number;
}

// A text, a comment, a variable, or a bracket. In texts and comments a "$" is no variable. A text that does not end
// counts as one up to the end: to try it again from each of its quotes would take too long.
const parts =
  /"(?:[^"\\]|\\(?:[^]|$))*(?:"|$)|'(?:[^'\\]|\\(?:[^]|$))*(?:'|$)|`[^`]*(?:`|$)|#[^\n]*|\$([A-Za-z_]\w*)|[{}[\]]/g;

/** The `$`-prefixed names of an expression. */
export function variablesIn(expression: string): readonly Variable[] {
  return [...expression.matchAll(parts)].flatMap(({ 1: name, index }) =>
    name === undefined ? [] : [{ name, position: index + 1 }],
  );
}

// In characters. To parse an expression takes time in proportion to them; these take some milliseconds.
const longest = 65_536;
// The parser's own limits are a few times higher.
const deepest = 200;
const mostOperators = 1_000;

/** Why an expression is too large to be read. */
export function sizeProblem({ length }: string): string | undefined {
  return length > longest ? `expected an expression of at most ${longest} characters, got ${length}` : undefined;
}

/** What is wrong with the syntax of a PromQL expression. A variable may stand for any part of it. */
export function queryProblem(expression: string, { hasVariables = false } = {}): string | undefined {
  const tooLarge = sizeProblem(expression);
  if (tooLarge !== undefined) return tooLarge;
  const tooDeep = depthProblem(expression);
  if (tooDeep !== undefined) return tooDeep;
  try {
    parse(hasVariables ? withoutVariables(expression) : expression);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser tells the position in its message only: "No parse at 17".
    const at = Math.min(Number(/\d+$/.exec(error.message)?.[0] ?? 0), expression.trimEnd().length);
    const near = expression.slice(at, at + 20);
    return `is no PromQL: syntax error at position ${at + 1}${near === "" ? ", the end" : `, ${quote(near)}`}`;
  }
}

function parse(expression: string): void {
  // The cast holds for the parser's version, as the test of long chains shows.
  const parse = strict.startParse(expression) as ReturnType<typeof strict.startParse> & {
    bigReductionCount: number;
  };
  // After 300 terms the parser would give up, to keep its tree flat. Only its verdict is of use here.
  do parse.bigReductionCount = 0;
  while (parse.advance() === null);
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

/** The expression with something of the same length in place of each variable that fits there. */
function withoutVariables(expression: string): string {
  let bracket = "";
  return expression.replace(parts, (part: string, name: string | undefined, index: number) => {
    if (name !== undefined) {
      const isDuration = bracket === "[" || /\boffset\s+-?$/.test(expression.slice(0, index).slice(-20));
      return standIns[isDuration ? "[" : bracket]?.(part.length) ?? "";
    }
    if (part === "{" || part === "[") bracket = part;
    if (part === "}" || part === "]") bracket = "";
    return part;
  });
}

/** By the bracket around it: a name or expression, a matcher or a matcher's value, a duration. */
const standIns: Readonly<Record<string, (length: number) => string>> = {
  "": (length) => "v".repeat(length),
  "{": (length) => `"${"v".repeat(length - 2)}"`,
  "[": (length) => `${"1".repeat(length - 1)}m`,
};
