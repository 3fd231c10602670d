import { secondsPer } from "../../provider/base/durations";
import { promqlComparisons, numberOf, promqlProblem } from "./expression";
import { canonicalLabels, canonicalMatcher, readString } from "./labels";
import { numberIn, outsideQuotes } from "./literals";
import {
  type Binary,
  isBinary,
  isOperation,
  levels,
  modified,
  nodeOf,
  powerLevel,
  PromqlError,
  readOr,
  signLevel,
  type SyntaxNode,
  withoutParens,
} from "./tree";

/**
 * One text for all spellings of an expression: blanks, comments, needless parentheses, quotes, the order of matchers and
 * of labels, spellings of numbers and durations. The operands of an operation keep their order. What is no PromQL stays
 * as it is; of an expression with `$variables` only the blanks are read.
 */
export function canonicalPromql(text: string): string {
  const canonical = readOr(/\$\w/.test(text) ? inOneLine(text) : text, () => expression(nodeOf(text)));
  // What Prometheus rejects never equals what it takes.
  const isTaken = (each: string) => promqlProblem(each) === undefined;
  return canonical === text || isTaken(canonical) === isTaken(text) ? canonical : text;
}

/** Whether a text can be read. One with a variable or a template is not tried. */
export const isPromql = (text: string) => /\$|\{\{/.test(text) || readOr(false, () => nodeOf(text).to > 0);

/** The text with only the blanks that part tokens, and without comments; as it is if a quote has no end. */
function inOneLine(written: string): string {
  // In a template, `#` may begin anything.
  const text = written.includes("{{")
    ? written
    : written.replace(outsideQuotes("(?!)"), (found) => (found.startsWith("#") ? " " : found));
  const parts = text.match(/"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`[^`]*`|[ \t\r\n]+|[^]/g) ?? [];
  if (parts.some((part) => /^["'`#]$/.test(part))) return written;
  const blankAt = (i: number) => {
    const [before = "", after = ""] = [parts[i - 1], parts[i + 1]];
    const isParted = apart.test(`${(parts[i - 2] ?? "").slice(-1)}${before} ${after}`) || text.includes("{{");
    return !isParted && [before, after].some((each) => /^[(){}[\],@*/%^+\-=<>!~]$/.test(each)) ? "" : " ";
  };
  return parts
    .map((part, i) => (/^[ \t\r\n]/.test(part) ? blankAt(i) : part))
    .join("")
    .replace(/^ | $/g, "");
}

// Two halves of `>=` or `{{`, a `$` and what could be its variable, a number that would get an exponent.
const apart = /(?:[=!<>~] [=!<>~]|[{}] [{}]|\$ [^]|[\d.]e [+-])$/i;

/** The canonical text of the label matchers of a selector, which are given without its braces. */
export const canonicalFilters = (text: string) =>
  readOr(text, () => {
    const root = nodeOf(`{${text}}`);
    return root.name === "VectorSelector" ? expression(root).replace(/^\{|\}$/g, "") : text;
  });

const expression = (node: SyntaxNode) => shown(node).text;

interface Shown {
  readonly text: string;
  /** How strongly its outermost operation binds; above all operators if it is none. */
  readonly level: number;
}

const operandLevel = powerLevel + 1;

function shown(node: SyntaxNode): Shown {
  if (isBinary(node)) return operation(turned(node));
  if (!isOperation(node)) return operand(node);
  const [sign, of = node] = node.parts;
  // A plus changes nothing.
  return sign?.text === "-" ? { text: `-${atLeast(signLevel + 1, of)}`, level: signLevel } : shown(of);
}

/**
 * Whether arithmetic after an offset is part of it for Prometheus, which the parser does not know: `x offset (5m) * 2` is
 * `x offset 10m`.
 */
const isOpen = (suffix: string) => /^offset\s*(?:[+-]\s*[+-]|[^]*\()/i.test(suffix);

/** The last operand of an expression, with its modifiers. */
const lastOf = (node: SyntaxNode): SyntaxNode => (isOperation(node) ? lastOf(node.parts.at(-1) ?? node) : node);

function operation(tree: Binary): Shown {
  const level = levels.get(tree.op) ?? 0;
  const before = lastOf(tree.left);
  const suffix = before.text.slice((before.parts[1]?.from ?? before.to) - before.from);
  if (level >= signLevel - 1 && isOpen(suffix)) unread(tree.op);
  const isPower = level === powerLevel;
  const words = [
    atLeast(isPower ? level + 1 : level, tree.left),
    symbols[tree.op] ?? unread(tree.op),
    // No label to ignore is what holds without it.
    ...tree.modifiers.map((each) => writtenBy(modifiers, each)).filter((each) => each !== "ignoring ()"),
    atLeast(isPower ? level : level + 1, tree.right),
  ];
  return { text: words.join(" "), level };
}

/** A comparison with its number on the right side. */
function turned(tree: Binary): Binary {
  const { op, modifiers, left, right } = tree;
  const opposite = promqlComparisons[op]?.flipped;
  const isBool = modifiers.every(({ name }) => name === "BoolModifier");
  const isLeft = () => numberOf(left) !== undefined && numberOf(right) === undefined;
  return opposite !== undefined && isBool && isLeft() ? { ...tree, op: opposite, left: right, right: left } : tree;
}

const symbols: Readonly<Record<string, string>> = {
  ...{ Or: "or", And: "and", Unless: "unless", Eql: "==", Neq: "!=", Lte: "<=", Lss: "<", Gte: ">=", Gtr: ">" },
  ...{ TrimUpper: "</", TrimLower: ">/" },
  ...{ Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", Atan2: "atan2", Pow: "^" },
};

/** The text of one side of an operation, in parentheses if it needs them there. */
function atLeast(level: number, node: SyntaxNode): string {
  const side = shown(node);
  return side.level < level ? `(${side.text})` : side.text;
}

function operand(node: SyntaxNode): Shown {
  const { of, suffixes } = modified(node);
  const inner = withoutParens(of);
  if (inner !== node && suffixes.length === 0) return shown(inner);
  // What follows them may not hold for what is in the parentheses alone.
  const base = inner === of ? writtenBy(operands, of) : `(${expression(inner)})`;
  const written = suffixes.map((each) => writtenBy(suffixTexts, each));
  // An offset of 0 changes nothing where Prometheus takes one; a second one may follow it.
  const isShifted = written.filter((each) => each.startsWith(" offset")).length !== 1 || !selectors.includes(of.name);
  const all = [base, ...written.filter((each) => isShifted || !/^ offset -?0d$/.test(each))];
  return { text: all.join(""), level: isOpen(written.at(-1)?.trim() ?? "") ? -1 : operandLevel };
}

const selectors = ["VectorSelector", "MatrixSelector"];

type Texts = Readonly<Record<string, (node: SyntaxNode) => string | undefined>>;

const writtenBy = (texts: Texts, node: SyntaxNode): string =>
  (Object.hasOwn(texts, node.name) ? texts[node.name]?.(node) : undefined) ?? unread(node.text);

/** Nothing is known of an expression with a part that is not read. */
function unread(what: string): never {
  throw new PromqlError("unknown", what, { from: 0, to: what.length });
}

const partOf = ({ parts }: SyntaxNode, name: string) => parts.find((part) => part.name === name);

const operands: Texts = {
  VectorSelector: (node) => {
    const identifier = partOf(node, "Identifier");
    const matchers = [...new Set(partOf(node, "LabelMatchers")?.parts.map(canonicalMatcher))];
    // The metric's name is a matcher, too.
    const named = identifier === undefined ? matchers.filter((each) => metricIn(each) !== undefined) : [];
    const only = named.length === 1 ? named[0] : undefined;
    const all = sorted(matchers.filter((each) => each !== only));
    // One that every value meets changes nothing, unless the selector is empty without it.
    const some = all.filter((each) => !each.endsWith('=~".*"'));
    const rest = identifier === undefined && only === undefined && some.length === 0 ? all : some;
    return `${identifier?.text ?? metricIn(only) ?? ""}${rest.length === 0 ? "" : `{${rest.join(", ")}}`}`;
  },
  MatrixSelector: ({ parts: [selector, range] }) =>
    selector && range && `${expression(selector)}[${durationIn(range)}]`,
  FunctionCall: ({ parts: [name, body] }) =>
    name && body && `${name.text}(${body.parts.map(argumentText[name.text] ?? expression).join(", ")})`,
  AggregateExpr: (node) => {
    const [op, body, modifier] = ["AggregateOp", "FunctionCallBody", "AggregateModifier"].map((name) =>
      partOf(node, name),
    );
    if (op === undefined || body === undefined) return undefined;
    const by = modifier === undefined ? "" : grouping(modifier);
    // Without labels all series are one group anyway.
    const between = by === "" || by === "by ()" ? "" : ` ${by} `;
    return `${op.text.toLowerCase()}${between}(${inList(body)})`;
  },
  NumberDurationLiteral: ({ text }) => canonicalNumber(text),
  StringLiteral: ({ text }) => readString(text).text,
};

/** The canonical text of an argument; a selector's matchers stay as they are. */
function withLabels(node: SyntaxNode): string {
  const [sign = "", of] = signIn(withoutParens(node));
  return selectors.includes(modified(of).of.name) ? sign + inOneLine(of.text) : expression(node);
}

/** The same with a plus, behind which a selector is none to the function. */
function withPlus(node: SyntaxNode): string {
  const [sign, of] = signIn(withoutParens(node));
  return `${sign === "+" && !isBinary(of) ? "+" : ""}${expression(node)}`;
}

/** The sign of an expression, and what follows it without parentheses. */
const signIn = (node: SyntaxNode): readonly [sign: string | undefined, of: SyntaxNode] =>
  node.name === "UnaryExpr" ? [node.parts[0]?.text, withoutParens(node.parts[1] ?? node)] : [undefined, node];

/** Functions that look at how their arguments are written: the labels of the result, or the times of samples, depend on it. */
const argumentText: Readonly<Partial<Record<string, (node: SyntaxNode) => string>>> = {
  ...{ absent: withLabels, absent_over_time: withLabels, info: withLabels },
  ...{ timestamp: withPlus, start_timestamp: withPlus },
};

const modifiers: Texts = {
  BoolModifier: () => "bool",
  MatchingModifierClause: grouping,
  FillModifier: ({ parts }) => {
    const [[left, right] = [], both] = [
      ["FillLeftClause", "FillRightClause"].map((side) => parts.find(({ name }) => name === side)?.parts[1]),
      parts.find(({ name }) => name === "FillClause")?.parts[1],
    ];
    const [before, after] = [left ?? both, right ?? both].map((each) => each && expression(each));
    if (before === after) return `fill(${before})`;
    return [before && `fill_left(${before})`, after && `fill_right(${after})`].filter(Boolean).join(" ");
  },
};

const suffixTexts: Texts = {
  SubqueryExpr: ({ parts: [, range, resolution] }) =>
    range && `[${durationIn(range)}:${resolution === undefined ? "" : durationIn(resolution)}]`,
  OffsetExpr: ({ parts: [, , ...by] }) => ` offset ${by.map(durationIn).join(" ")}`,
  StepInvariantExpr: ({ parts: [, , ...at] }) => ` @ ${at.map(moment).join(" ")}`,
  SmoothedExpr: () => " smoothed",
  AnchoredExpr: () => " anchored",
};

/** `up` of `__name__="up"`; undefined if a selector cannot begin with it, as with `inf`. */
function metricIn(matcher = ""): string | undefined {
  const [, name = ""] = /^__name__="([A-Za-z_:][\w:]*)"$/.exec(matcher) ?? [];
  return name !== "" && readOr("", () => nodeOf(name).name) === "VectorSelector" ? name : undefined;
}

/** A number, or `start()`, whose parentheses belong to no node. */
const moment = (node: SyntaxNode) =>
  node.name === "NumberDurationLiteral"
    ? `${node.text.startsWith("-") ? "-" : ""}${canonicalNumber(node.text)}`
    : `${node.text.toLowerCase()}()`;

/** `by (a, b)`, `on (a) group_left (b)` */
function grouping({ parts }: SyntaxNode): string {
  const words = parts.map((each) => (each.name === "GroupingLabels" ? canonicalLabels(each) : each.text.toLowerCase()));
  // Always with the parentheses: those of an operand could be taken for them.
  return /^group_/.test(words.at(-1) ?? "") ? [...words, "()"].join(" ") : words.join(" ");
}

const inList = ({ parts }: SyntaxNode) => parts.map(expression).join(", ");

const sorted = (all: readonly string[]) => [...new Set(all)].sort();

function canonicalNumber(written: string): string {
  const value = numberIn(written);
  if (Number.isNaN(value)) return /^[+-]?\s*nan$/i.test(written) ? "NaN" : written;
  if (value === Number.POSITIVE_INFINITY) return /inf$/i.test(written) ? "Inf" : written;
  return String(value);
}

/** A duration in its largest unit; one that is computed stays as it is written, except for its blanks. */
function durationIn({ text: written }: SyntaxNode): string {
  const [, sign = "", plain = "?"] = /^([+-]?)\s*(?:\(\s*)?([\w.]+?)(?:\s*\))?$/.exec(written) ?? [];
  const millis = numberIn(plain) * 1_000;
  const unit = (["d", "h", "m", "s", "ms"] as const).find((each) => millis % millisOf(each) === 0);
  return unit === undefined ? inOneLine(written) : `${sign === "-" ? "-" : ""}${millis / millisOf(unit)}${unit}`;
}

const millisOf = (unit: keyof typeof secondsPer) => secondsPer[unit] * 1_000;
