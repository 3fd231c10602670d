import { secondsIn } from "../../provider/base/durations";
import { type Binary, nodeOf, type SyntaxNode, type Tree, treeOf } from "./tree";

type ValueType = "scalar" | "string" | "vector" | "matrix";

export interface Expression {
  /** The expression, without comments before and after it. */
  readonly text: string;
  readonly type: ValueType;
  /** If it is nothing but a metric with label matchers: these, and the `offset` or `@` after them. */
  readonly selector: { readonly metric: string; readonly shift: string } | undefined;
  /** Whether the outermost part is an operation, so that it needs parentheses inside of another one. */
  readonly isOperation: boolean;
  /** The outermost comparison, if it is one of a vector with a number and only lets samples through. */
  readonly threshold: Threshold | undefined;
  /** Whether the outermost comparison has `bool`: it then lets every sample through, as 0 or 1. */
  readonly keepsEverySample: boolean;
}

interface Threshold {
  readonly query: string;
  readonly op: string;
  readonly value: number;
}

/** The monitors' name of each comparison, and the same comparison with its sides exchanged. */
export const promqlComparisons: Readonly<Record<string, { readonly op: string; readonly flipped: string }>> = {
  Gtr: { op: "GT", flipped: "Lss" },
  Gte: { op: "GEQ", flipped: "Lte" },
  Lss: { op: "LT", flipped: "Gtr" },
  Lte: { op: "LEQ", flipped: "Gte" },
  Eql: { op: "EQ", flipped: "Eql" },
  Neq: { op: "NEQ", flipped: "Neq" },
};

/** @throws {PromqlError} if the syntax is wrong; `checkTypes` checks the types. */
export function parsePromql(written: string): Expression {
  const text = withUsualNumbers(written);
  const root = nodeOf(text);
  const tree = withoutParens(treeOf(root));
  return {
    text: root.text,
    type: valueType(tree),
    isOperation: treeOf(root).is !== "operand",
    keepsEverySample: isComparison(tree) && isBool(tree),
    selector: selectorOf(tree, text),
    threshold: thresholdOf(tree, text),
  };
}

/**
 * Prometheus also reads `0X1f`, `5.` and `5.e3`, which the parser does not know: `0x1f`, `5` and `5e3`, with blanks so that
 * places stay right.
 */
export const withUsualNumbers = (text: string): string =>
  text.replace(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|#.*|(?<![\w.:])(?:0X(?=[\da-f])|(\d+)\.(e[+-]?\d+|(?![\w.])))/gi,
    (found: string, whole: string | undefined, power = "") => {
      if (whole !== undefined) return `${whole}${power} `;
      return found === "0X" ? "0x" : found;
    },
  );

export function withoutParens(tree: Tree): Tree {
  const inner = tree.is === "operand" && tree.suffixes.length === 0 ? inParens(tree.node) : undefined;
  return inner === undefined ? tree : withoutParens(treeOf(inner));
}

function selectorOf(tree: Tree, text: string): Expression["selector"] {
  if (tree.is !== "operand" || tree.node.name !== "VectorSelector") return undefined;
  const isShift = tree.suffixes.every(({ name }) => ["OffsetExpr", "StepInvariantExpr"].includes(name));
  return isShift ? { metric: tree.node.text, shift: text.slice(tree.node.to, tree.to) } : undefined;
}

export const inParens = (node: SyntaxNode) => (node.name === "ParenExpr" ? node.parts[0] : undefined);

export const isComparison = (tree: Tree): tree is Binary => tree.is === "binary" && tree.op in promqlComparisons;
const isBool = ({ modifiers }: Binary) => modifiers.some(({ name }) => name === "BoolModifier");

function thresholdOf(tree: Tree, text: string): Threshold | undefined {
  const filter = filterOf(tree);
  return filter && { query: textOf(filter.of, text), op: filter.op, value: filter.value };
}

/** A part of the text of an expression, without parentheses around it. */
export function textOf(tree: Tree, text: string): string {
  const { from, to } = withoutParens(tree);
  return text.slice(from, to);
}

/** The outermost comparison, if it is one of a vector with a number and only lets samples through. */
export function filterOf(tree: Tree): { readonly of: Tree; readonly op: string; readonly value: number } | undefined {
  // What follows the operator, `bool` or labels to match, changes the meaning.
  if (!isComparison(tree) || tree.modifiers.length > 0) return undefined;
  const opOf = (name = "") => promqlComparisons[name]?.op ?? "";
  const above = numberOf(tree.right);
  if (isFiniteNumber(above)) return { of: tree.left, op: opOf(tree.op), value: above };
  const below = numberOf(tree.left);
  if (!isFiniteNumber(below)) return undefined;
  return { of: tree.right, op: opOf(promqlComparisons[tree.op]?.flipped), value: below };
}

const isFiniteNumber = (value: number | undefined): value is number => Number.isFinite(value);

// https://prometheus.io/docs/prometheus/latest/querying/functions
const scalarFunctions = ["scalar", "time", "pi", "start", "end", "range", "step"];

/** Whether a function makes one sample of each series, with its labels. */
export const isPerSeries = (name: string) =>
  /^(?:i?rate|increase|i?delta|deriv|predict_linear|resets|changes|(?!absent)\w+_over_time|abs|ceil|floor|round|sqrt|exp|ln|log2|log10|sgn|clamp(?:_min|_max)?)$/.test(
    name,
  );

const operandTypes: Readonly<Record<string, ValueType>> = {
  NumberDurationLiteral: "scalar",
  StringLiteral: "string",
  MatrixSelector: "matrix",
};

export function valueType(tree: Tree): ValueType {
  if (tree.is === "unary") return valueType(tree.of);
  if (tree.is === "binary") {
    return [tree.left, tree.right].every((side) => valueType(side) === "scalar") ? "scalar" : "vector";
  }
  const { node, suffixes } = tree;
  if (suffixes.some(({ name }) => name === "SubqueryExpr")) return "matrix";
  const inner = inParens(node);
  if (inner !== undefined) return valueType(treeOf(inner));
  if (node.name === "FunctionCall") return scalarFunctions.includes(node.parts[0]?.text ?? "") ? "scalar" : "vector";
  return operandTypes[node.name] ?? "vector";
}

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  Add: (left, right) => left + right,
  Sub: (left, right) => left - right,
  Mul: (left, right) => left * right,
  Div: (left, right) => left / right,
  Mod: (left, right) => left % right,
  Pow: (left, right) => left ** right,
};

/** The value of an expression of numbers alone; undefined for any other. */
export function numberOf(tree: Tree): number | undefined {
  if (tree.is === "unary") {
    const value = numberOf(tree.of);
    return value === undefined || !tree.isMinus ? value : -value;
  }
  if (tree.is === "binary") {
    const [left, right] = [numberOf(tree.left), numberOf(tree.right)];
    const operation = arithmetic[tree.op];
    // Go and JavaScript differ in powers of what is not finite.
    return operation !== undefined && isFiniteNumber(left) && isFiniteNumber(right)
      ? operation(left, right)
      : undefined;
  }
  if (tree.suffixes.length > 0) return undefined;
  const inner = inParens(tree.node);
  if (inner !== undefined) return numberOf(treeOf(inner));
  return tree.node.name === "NumberDurationLiteral" ? numberIn(tree.node.text) : undefined;
}

/** The value of a number, without its sign, as Prometheus reads it: a duration is seconds, a leading zero octal. */
export function numberIn(written: string): number {
  const digits = written.replace(/^[+-]\s*/, "").replaceAll("_", "");
  if (/^inf$/i.test(digits)) return Number.POSITIVE_INFINITY;
  if (/^0[0-7]+$/.test(digits)) return Number.parseInt(digits, 8);
  return secondsIn(digits) ?? Number(digits);
}

/**
 * The query of a counter as events per second: each metric becomes its rate. Sums are the only operation for which that
 * is the same; undefined for any other. Unchanged if all its metrics are already measured over a time.
 */
export function eventsPerTime(text: string, window: string): string | undefined {
  const selectors: SyntaxNode[] = [];
  let isSum = true;
  const enter = (node: SyntaxNode): void => {
    if (node.name === "MatrixSelector" || node.name === "SubqueryExpr") return;
    if (node.name === "VectorSelector") selectors.push(node);
    else {
      isSum &&= sums.includes(node.name);
      node.parts.forEach(enter);
    }
  };
  enter(nodeOf(text));
  if (selectors.length === 0) return text;
  if (!isSum) return undefined;
  return selectors.reduceRight((rest, { from, to }) => {
    return `${rest.slice(0, from)}rate(${rest.slice(from, to)}[${window}])${rest.slice(to)}`;
  }, text);
}

// The parser's names of what a sum is made of.
const sums = [
  ...["AggregateExpr", "AggregateOp", "Sum", "AggregateModifier", "By", "Without", "GroupingLabels", "LabelName"],
  ...["FunctionCallBody", "BinaryExpr", "Add", "ParenExpr"],
];

/** The expression's text as a vector: Prometheus makes one of a number, too. */
export const vectorText = ({ type, text }: Expression) => (type === "scalar" ? `vector(${text})` : text);
