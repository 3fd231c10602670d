import { RE2JS } from "re2js";
import type { CheckOptions } from "../rules.js";
import { expressionProblem } from "./expressions.js";
import type { SyntaxNode } from "./promqlParser.js";

type NodeProblem = (node: SyntaxNode, text: string, options: CheckOptions) => string | undefined;

/** What Prometheus checks of a node, and its checker for editors does not, by the parser's name of the node. */
export const nodeProblems: Readonly<Record<string, NodeProblem>> = {
  ...{ OffsetExpr: shift, StepInvariantExpr: shift, SmoothedExpr: shift, AnchoredExpr: shift },
  SubqueryExpr: (node, text) =>
    isOperation(node.firstChild) ? "subquery is only allowed on instant vector" : duration(node, text),
  MatrixSelector: (node, text) =>
    node.firstChild?.name === "VectorSelector" ? duration(node, text) : "ranges only allowed for vector selectors",
  DurationExpr: ({ firstChild, lastChild: by }, text) =>
    /^(?:Div|Mod)$/.test(firstChild?.nextSibling?.name ?? "") && valueOf(by, text) === 0
      ? "division by zero"
      : undefined,
  NumberDurationLiteralInDurationContext: (node, text) =>
    // What Go's durations hold.
    valueOf(node, text) <= 2 ** 63 / 1e9 ? number(node, text) : "duration out of range",
  NumberDurationLiteral: number,
  StringLiteral: (node, text, options) => {
    const quoted = textOf(node, text);
    if (!wellQuoted.test(quoted)) return "unknown escape sequence or unterminated string";
    const isPattern = node.prevSibling?.firstChild?.name.endsWith("Regex");
    const problem = isPattern ? expressionProblem(unquoted(quoted), options) : undefined;
    return problem && `the pattern ${problem}`;
  },
  GroupingLabels: (node, text) =>
    childrenOf(node).some((each) => /^(?:inf|nan|""|''|``)$/i.test(textOf(each, text)))
      ? "expected label in grouping opts"
      : undefined,
  Identifier: (node, text) => (/^atan2$/i.test(textOf(node, text)) ? "unexpected operator" : undefined),
  VectorSelector: selector,
  AggregateExpr: (node, text) => {
    const given = node.getChild("FunctionCallBody")?.getChildren("Expr").length ?? 0;
    const wanted = /^(?:topk|bottomk|limitk|limit_ratio|quantile|count_values)\b/i.test(textOf(node, text)) ? 2 : 1;
    return given === wanted ? undefined : `expected ${wanted} arguments in aggregation, got ${given}`;
  },
  FunctionCall: (node, text) => {
    const labels = addedByInfo(node, text);
    return labels && withoutShifts(labels).firstChild?.name !== "LabelMatchers"
      ? "expected label selectors only"
      : undefined;
  },
  BinaryExpr: matching,
};

const textOf = ({ from, to }: SyntaxNode, text: string) => text.slice(from, to);
const isOperation = (node: SyntaxNode | null) => node?.name === "BinaryExpr" || node?.name === "UnaryExpr";

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

const wellQuoted =
  /^(?:(["'])(?:[^\\\n]|\\(?:[abfnrtv\\]|\1|[0-3][0-7]{2}|x[\da-fA-F]{2}|u(?![dD][89a-fA-F])[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4}))*\1|`[^`]*`)$/;

const controls: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** The text in quotes. Of bytes above 7f it does not matter here which letters they are. */
function unquoted(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("`")) return inner;
  return inner.replace(/\\(?:([0-7]{3})|[xuU]([\da-fA-F]+)|([^]))/g, (_, octal?: string, hex?: string, plain = "") =>
    octal === undefined && hex === undefined
      ? (controls[plain] ?? plain)
      : String.fromCodePoint(Number(octal === undefined ? `0x${hex}` : `0o${octal}`)),
  );
}

const units: Readonly<Record<string, number>> = { y: 31_536_000, w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };

/** The value of a number, in seconds of a duration; NaN if it is neither. */
function valueOf(node: SyntaxNode | null, text: string): number {
  const digits =
    node === null
      ? ""
      : textOf(node, text)
          .replace(/^[+-]\s*/, "")
          .replaceAll("_", "");
  if (/^inf$/i.test(digits)) return Infinity;
  if (!/^(?:\d+[a-wyz]+)+$/.test(digits)) return Number(digits);
  const all = [...digits.matchAll(/(\d+)([a-z]+)/g)];
  return all.reduce(
    (sum, [, count, unit = ""]) => sum + Number(count) * (unit === "ms" ? 0.001 : (units[unit] ?? NaN)),
    0,
  );
}

function number(node: SyntaxNode, text: string): string | undefined {
  const [isWord, value] = [/(?:inf|nan)$/i.test(textOf(node, text)), valueOf(node, text)];
  // The parser ends it before a letter: `1mby`.
  if (/[\w.]/.test(text.charAt(node.to)) || (Number.isNaN(value) && !isWord)) return "bad number or duration syntax";
  return isWord || Number.isFinite(value) ? undefined : "value out of range";
}

function duration(node: SyntaxNode, text: string): string | undefined {
  const isNone = (each: SyntaxNode) => /^(?:\+\s*)*-[\s+]*\w+$/.test(textOf(each, text)) || valueOf(each, text) === 0;
  return node.getChildren("DurationExpr").some(isNone) ? "duration must be greater than 0" : undefined;
}

const words: Readonly<Record<string, string>> = {
  ...{ OffsetExpr: "offset", StepInvariantExpr: "@", SmoothedExpr: "smoothed", AnchoredExpr: "anchored" },
};
const isExtended = ({ name }: SyntaxNode) => name === "SmoothedExpr" || name === "AnchoredExpr";

function shift(node: SyntaxNode, text: string): string | undefined {
  const word = words[node.name];
  const at = node.name === "StepInvariantExpr" ? node.getChild("NumberDurationLiteral") : null;
  if (at !== null && !(valueOf(at, text) < 2 ** 63)) return "timestamp out of bounds for @ modifier";
  let of = operandOf(node);
  for (; of.name in words; of = operandOf(of)) {
    if (of.name === node.name && !isExtended(node)) return `${word} may not be set multiple times`;
    if (of.name !== node.name && isExtended(node) && isExtended(of)) return "anchored and smoothed exclude each other";
  }
  const isShifted = ["VectorSelector", "MatrixSelector", ...(isExtended(node) ? [] : ["SubqueryExpr"])].includes(
    of.name,
  );
  return isShifted
    ? undefined
    : `${word} must be preceded by an instant vector selector, a range vector selector or a subquery`;
}

/** The parser takes `a + b offset 5m` for `(a + b) offset 5m`; Prometheus shifts only `b`. */
function operandOf(node: SyntaxNode): SyntaxNode {
  let of = node.firstChild ?? node;
  while (isOperation(of) && of.lastChild !== null) of = of.lastChild;
  return of;
}

function withoutShifts(node: SyntaxNode): SyntaxNode {
  let of = node;
  while (of.name in words && of.firstChild !== null) of = of.firstChild;
  return of;
}

/** The labels that a call of `info` adds. */
function addedByInfo(call: SyntaxNode, text: string): SyntaxNode | undefined {
  const isInfo = call.firstChild !== null && textOf(call.firstChild, text) === "info";
  return isInfo ? call.getChild("FunctionCallBody")?.getChildren("Expr")[1] : undefined;
}

/** A matcher's parts: of a name alone, which is the metric's, only that. */
function partsOf(matcher: SyntaxNode, text: string) {
  const [name, op, quoted = name] = childrenOf(matcher).map((each) => textOf(each, text));
  return { name, sign: op ?? "", quoted: wellQuoted.test(quoted ?? "") ? unquoted(quoted ?? "") : undefined };
}

function selector(node: SyntaxNode, text: string): string | undefined {
  const [list, isNamed] = [node.getChild("LabelMatchers"), node.firstChild?.name === "Identifier"];
  const matchers = (list === null ? [] : childrenOf(list)).map((each) => partsOf(each, text));
  const isOfName = ({ name = "", sign }: (typeof matchers)[0]) => sign === "" || /^(["'`]?)__name__\1$/.test(name);
  if (isNamed) {
    const twice = matchers.find(isOfName);
    const names = [text.slice(node.from, list?.from).trim(), twice?.quoted].join(" or ");
    return twice && `metric name must not be set twice: ${names}`;
  }
  const isEmpty = matchers.every(({ sign, quoted = "?" }) => takesEmpty(sign, quoted) !== sign.startsWith("!"));
  let around = node.parent;
  while (around !== null && around.name in words) around = around.parent;
  const added = around?.parent && addedByInfo(around.parent, text);
  return !isEmpty || (added && withoutShifts(added).from === node.from)
    ? undefined
    : "vector selector must contain at least one non-empty matcher";
}

function takesEmpty(sign: string, value: string): boolean {
  try {
    return sign.endsWith("~") ? RE2JS.matches(value, "") : value === "";
  } catch {
    // What is no pattern is reported.
    return false;
  }
}

function matching(node: SyntaxNode, text: string): string | undefined {
  const clause = node.getChild("MatchingModifierClause");
  const [matched = [], included = []] = (clause?.getChildren("GroupingLabels") ?? []).map((labels) =>
    childrenOf(labels).map((each) => textOf(each, text).replace(/^(["'`])(.*)\1$/, "$2")),
  );
  if (clause?.firstChild?.name === "On" && matched.some((name) => included.includes(name)))
    return "a label must not occur in ON and GROUP clause at once";
  const isFilled = node.getChild("FillModifier") !== null;
  if (matched.length === 0 && !isFilled) return undefined;
  if ([node.firstChild, node.lastChild].some((side) => side === null || isNumber(side, text)))
    return "vector matching only allowed between instant vectors";
  const isSet = /^(?:And|Or|Unless)$/.test(node.firstChild?.nextSibling?.name ?? "");
  return isFilled && isSet ? "filling in missing series not allowed for set operators" : undefined;
}

function isNumber(node: SyntaxNode, text: string): boolean {
  if (isOperation(node) || node.name === "ParenExpr")
    return node.getChildren("Expr").every((each) => isNumber(each, text));
  const isCall = node.name === "FunctionCall" && /^(?:scalar|time|pi|start|end|range|step)\b/.test(textOf(node, text));
  return isCall || node.name === "NumberDurationLiteral";
}

const takesLabels = ["by", "without", "on", "ignoring", "group_left", "group_right"];
const keywords = [
  ...takesLabels,
  "bool",
  "offset",
  "atan2",
  "and",
  "or",
  "unless",
  "smoothed",
  "anchored",
  "inf",
  "nan",
];

// A comma is missing between labels or matchers.
const inLabels = /["'`]\s*$|\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^()]*$/i;

/**
 * What another version of PromQL may have where the parser stops: a function, a word or an operator.
 * @param isFunction Whether the parser knows a function.
 */
export function newerAt(text: string, position: number, isFunction: (name: string) => boolean): string | undefined {
  const at = text.slice(0, position).search(/[\w:]*$/);
  const [, word = "", bracket] = /^([a-z_]\w*)\s*(\(?)/i.exec(text.slice(at)) ?? [];
  const [last = ""] = /[\w)\]}"'`]+(?=\s*$)/.exec(text.slice(0, at)) ?? [];
  const isFree = (all: readonly string[]) => !all.includes(last.toLowerCase());
  if (word !== "" && !keywords.includes(word.toLowerCase()) && !isFunction(word)) {
    if (bracket === "(" && isFree(takesLabels)) return `the function ${word}`;
    if (last !== "" && isFree(keywords) && !inLabels.test(text.slice(0, at))) return `the word ${word}`;
  }
  // Prometheus has these names where the parser has none.
  const [name = ""] = /^(?:offset\b|\w+:[\w:]+)/i.exec(text.slice(at)) ?? [];
  if (name !== "" && last === "") return `the name ${name}`;
  const [left = ""] = /[<>=!~+\-*/%^&|?]*$/.exec(text.slice(0, position)) ?? [];
  const [right = ""] = /^[<>=!~+\-*/%^&|?]*/.exec(text.slice(position)) ?? [];
  const operator = `${left}${right}`.replace(/[+-]+$/, "");
  return operator.length > 1 && !/^(?:[=!<>]=|<\/|>\/|[=!]~)$/.test(operator) ? `the operator ${operator}` : undefined;
}
