import { durationSecs, unitSecs } from "../../sdk/behavior/durations";
import { inParens, literal } from "./expression";
import { labelName, matcher, string } from "./labels";
import {
  levels,
  nodeOf,
  type Operand,
  partsOf,
  powerLevel,
  PromqlError,
  signLevel,
  type SyntaxNode,
  type Tree,
  treeOf,
} from "./tree";

/**
 * One text for all spellings of an expression: blanks, comments, needless parentheses, quotes, the order of matchers and
 * of labels, spellings of numbers and durations. The operands of an operation keep their order. What is no PromQL stays
 * as it is; of an expression with `$variables` only the blanks are read.
 */
export const canonicalPromql = (text: string) =>
  orAsItIs(/\$\w/.test(text) ? inOneLine(text) : text, () => expression(nodeOf(text), text));

/** The text with only the blanks that part tokens; as it is if it may hold a comment or a quote has no end. */
function inOneLine(text: string): string {
  const parts = text.match(/"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|`[^`]*`|\s+|[^]/g) ?? [];
  if (parts.some((part) => /^["'`#]$/.test(part))) return text;
  const blankAt = (i: number) => {
    const [before = "", after = ""] = [parts[i - 1], parts[i + 1]];
    const isParted = apart.test(`${(parts[i - 2] ?? "").slice(-1)}${before} ${after}`) || text.includes("{{");
    return !isParted && [before, after].some((each) => /^[(){}[\],@*/%^+\-=<>!~]$/.test(each)) ? "" : " ";
  };
  return parts
    .map((part, i) => (part.trim() === "" ? blankAt(i) : part))
    .join("")
    .trim();
}

// Two halves of `>=` or `{{`, a `$` and what could be its variable, a number that would get an exponent.
const apart = /(?:[=!<>~] [=!<>~]|[{}] [{}]|\$ [^]|[\d.]e [+-])$/i;

/** The canonical text of the label matchers of a selector, which are given without its braces. */
export const canonicalFilters = (text: string) =>
  orAsItIs(text, () => {
    const selector = `{${text}}`;
    const root = nodeOf(selector);
    return root.name === "VectorSelector" ? expression(root, selector).replace(/^\{|\}$/g, "") : text;
  });

function orAsItIs(text: string, canonical: () => string): string {
  try {
    return canonical();
  } catch (error) {
    if (error instanceof PromqlError) return text;
    throw error;
  }
}

const expression = (node: SyntaxNode, text: string) => shown(treeOf(node, text), text).text;

interface Shown {
  readonly text: string;
  /** How strongly its outermost operation binds; above all operators if it is none. */
  readonly level: number;
}

const operandLevel = powerLevel + 1;

function shown(tree: Tree, text: string): Shown {
  if (tree.is === "operand") return operand(tree, text);
  if (tree.is === "unary") {
    // A plus before a number changes nothing; before a metric it is not expected.
    const of = atLeast(signLevel + 1, tree.of, text);
    const isNumber = tree.of.is === "operand" && tree.of.node.name === "NumberDurationLiteral";
    if (!tree.isMinus && isNumber) return { text: of, level: operandLevel };
    return { text: `${tree.isMinus ? "-" : "+"}${of}`, level: signLevel };
  }
  const level = levels.get(tree.op) ?? 0;
  const isPower = level === powerLevel;
  const words = [
    atLeast(isPower ? level + 1 : level, tree.left, text),
    symbols[tree.op] ?? tree.op,
    // No label to ignore is what holds without it.
    ...tree.modifiers.map((each) => verbatimUnless(each, text, modifiers)).filter((each) => each !== "ignoring ()"),
    atLeast(isPower ? level : level + 1, tree.right, text),
  ];
  return { text: words.join(" "), level };
}

const symbols: Readonly<Record<string, string>> = {
  ...{ Or: "or", And: "and", Unless: "unless", Eql: "==", Neq: "!=", Lte: "<=", Lss: "<", Gte: ">=", Gtr: ">" },
  ...{ Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", Atan2: "atan2", Pow: "^" },
};

/** The text of one side of an operation, in parentheses if it needs them there. */
function atLeast(level: number, tree: Tree, text: string): string {
  const side = shown(tree, text);
  return side.level < level ? `(${side.text})` : side.text;
}

function operand({ node, suffixes }: Operand, text: string): Shown {
  const inner = inParens(node);
  if (inner !== undefined && suffixes.length === 0) return shown(treeOf(inner, text), text);
  // What follows them may not hold for what is in the parentheses alone.
  const base = inner === undefined ? verbatimUnless(node, text, operands) : `(${expression(inner, text)})`;
  const written = suffixes.map((each) => verbatimUnless(each, text, suffixTexts));
  // An offset of 0 changes nothing where Prometheus takes one; a second one may follow it.
  const isShifted = written.filter((each) => each.startsWith(" offset")).length !== 1 || !isSelector(node);
  const all = [base, ...written.filter((each) => isShifted || !/^ offset -?0d$/.test(each))];
  return { text: all.join(""), level: operandLevel };
}

const isSelector = ({ name }: SyntaxNode) => ["VectorSelector", "MatrixSelector"].includes(name);

type Texts = Readonly<
  Record<string, (parts: readonly SyntaxNode[], text: string, node: SyntaxNode) => string | undefined>
>;

/** Writes an unknown node as it is in the source, or only the rest if its first part is written already. */
function verbatimUnless(node: SyntaxNode, text: string, known: Texts): string {
  const parts = partsOf(node);
  const written = text.slice(known === suffixTexts ? (parts[0]?.to ?? node.from) : node.from, node.to);
  return known[node.name]?.(parts, text, node) ?? written;
}

const sourceOf = ({ from, to }: SyntaxNode, text: string) => text.slice(from, to);

const operands: Texts = {
  VectorSelector: (parts, text) => {
    const [identifier, list] = ["Identifier", "LabelMatchers"].map((name) => parts.find((each) => each.name === name));
    const written = list === undefined ? [] : partsOf(list);
    const matchers = written.map((each) => matcher(partsOf(each), text, sourceOf(each, text)));
    // The metric's name is a matcher, too.
    const named = identifier === undefined ? matchers.filter((each) => metricIn(each) !== undefined) : [];
    const name = identifier === undefined ? undefined : sourceOf(identifier, text);
    const only = named.length === 1 ? named[0] : undefined;
    const rest = sorted(matchers.filter((each) => each !== only));
    return `${name ?? metricIn(only) ?? ""}${rest.length === 0 ? "" : `{${rest.join(", ")}}`}`;
  },
  MatrixSelector: ([selector, range], text) =>
    selector && range && `${expression(selector, text)}[${durationIn(range, text)}]`,
  FunctionCall: ([name, body], text) => name && body && `${sourceOf(name, text)}(${list(body, text)})`,
  AggregateExpr: (parts, text) => {
    const named = (name: string) => parts.find((each) => each.name === name);
    const [op, body, modifier] = ["AggregateOp", "FunctionCallBody", "AggregateModifier"].map(named);
    if (op === undefined || body === undefined) return undefined;
    const by = modifier === undefined ? "" : grouping(partsOf(modifier), text);
    // Without labels all series are one group anyway.
    const between = by === "" || by === "by ()" ? "" : ` ${by} `;
    return `${sourceOf(op, text).toLowerCase()}${between}(${list(body, text)})`;
  },
  NumberDurationLiteral: (_, text, node) => numberText(sourceOf(node, text)),
  StringLiteral: (_, text, node) => string(sourceOf(node, text)).text,
};

const modifiers: Texts = {
  BoolModifier: () => "bool",
  MatchingModifierClause: grouping,
};

const suffixTexts: Texts = {
  SubqueryExpr: ([, range, resolution], text) =>
    range && `[${durationIn(range, text)}:${resolution === undefined ? "" : durationIn(resolution, text)}]`,
  OffsetExpr: ([, , ...by], text) => ` offset ${by.map((each) => durationIn(each, text)).join(" ")}`,
  StepInvariantExpr: ([, , ...at], text) => ` @ ${at.map((each) => moment(each, text)).join(" ")}`,
  SmoothedExpr: () => " smoothed",
  AnchoredExpr: () => " anchored",
};

/** `up` of `__name__="up"` or `"up"`; undefined if a selector cannot begin with it, as with `inf`. */
function metricIn(matcher = ""): string | undefined {
  const [, name = ""] = /^(?:__name__=)?"([A-Za-z_:][\w:]*)"$/.exec(matcher) ?? [];
  return name !== "" && orAsItIs("", () => nodeOf(name).name) === "VectorSelector" ? name : undefined;
}

/** A number, or `start()`, whose parentheses belong to no node. */
const moment = (node: SyntaxNode, text: string) =>
  node.name === "NumberDurationLiteral" ? expression(node, text) : `${sourceOf(node, text).toLowerCase()}()`;

/** `by (a, b)`, `on (a) group_left (b)` */
function grouping(parts: readonly SyntaxNode[], text: string): string {
  const words = parts.map((each) =>
    each.name === "GroupingLabels"
      ? `(${sorted(partsOf(each).map((label) => labelName(sourceOf(label, text)))).join(", ")})`
      : sourceOf(each, text).toLowerCase(),
  );
  // Always with the parentheses: those of an operand could be taken for them.
  return /^group_/.test(words.at(-1) ?? "") ? [...words, "()"].join(" ") : words.join(" ");
}

const list = (body: SyntaxNode, text: string) =>
  partsOf(body)
    .map((each) => expression(each, text))
    .join(", ");

const sorted = (all: readonly string[]) => [...new Set(all)].sort();

function numberText(written: string): string {
  const value = literal(written);
  if (Number.isNaN(value)) return /^[+-]?\s*nan$/i.test(written) ? "NaN" : written;
  return value === Number.POSITIVE_INFINITY ? "Inf" : String(value);
}

/** A duration in its largest unit; one that is computed stays as it is written. */
function durationIn(node: SyntaxNode, text: string): string {
  const written = sourceOf(node, text);
  const [, sign = "", plain = ""] = /^([+-]?)\s*(?:\(\s*)?([\w.]+?)(?:\s*\))?$/.exec(written) ?? [];
  const millis = (durationSecs(plain) ?? Number(plain === "" ? Number.NaN : plain)) * 1_000;
  const unit = (["d", "h", "m", "s", "ms"] as const).find((each) => millis % millisOf(each) === 0);
  return unit === undefined ? written : `${sign === "-" ? "-" : ""}${millis / millisOf(unit)}${unit}`;
}

const millisOf = (unit: keyof typeof unitSecs) => unitSecs[unit] * 1_000;
