import { numberIn } from "./literals";
import { checkPromql } from "./rules";
import {
  type Binary,
  isBinary,
  isOperation,
  modified,
  nodeOf,
  PromqlError,
  readOrError,
  type SyntaxNode,
  valueType,
  type ValueType,
  withoutParens,
} from "./tree";

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

/** An expression that Prometheus takes. @throws {PromqlError} if Prometheus rejects it, or if it is unknown. */
export function checkedPromql(written: string): Expression {
  const expression = parsePromql(written);
  checkPromql(written);
  return expression;
}

/** Why Prometheus does not take an expression, if it doesn't. */
export function promqlProblem(text: string): string | undefined {
  const found = readOrError(() => checkedPromql(text));
  return found instanceof PromqlError ? found.message : undefined;
}

/** @throws {PromqlError} if the syntax is wrong; `checkedPromql` checks the types, too. */
export function parsePromql(written: string): Expression {
  const root = nodeOf(written);
  const inner = withoutParens(root);
  const filter = filterOf(inner);
  return {
    text: root.text,
    type: valueType(inner),
    isOperation: isOperation(root),
    keepsEverySample: isComparison(inner) && isBool(inner),
    selector: selectorOf(inner),
    threshold: filter && { query: withoutParens(filter.of).text, op: filter.op, value: filter.value },
  };
}

function selectorOf(node: SyntaxNode): Expression["selector"] {
  const { of, suffixes } = modified(node);
  const isShift = suffixes.every(({ name }) => ["OffsetExpr", "StepInvariantExpr"].includes(name));
  if (of.name !== "VectorSelector" || !isShift) return undefined;
  return { metric: of.text, shift: node.text.slice(of.to - node.from) };
}

export const isComparison = (node: SyntaxNode): node is Binary => isBinary(node) && node.op in promqlComparisons;
const isBool = ({ modifiers }: Binary) => modifiers.some(({ name }) => name === "BoolModifier");

/** The outermost comparison, if it is one of a vector with a number and only lets samples through. */
export function filterOf(
  tree: SyntaxNode,
): { readonly of: SyntaxNode; readonly op: string; readonly value: number } | undefined {
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

/** Whether a function makes one sample of each series, with its labels. */
export const isPerSeries = (name: string) =>
  /^(?:i?rate|increase|i?delta|deriv|predict_linear|resets|changes|(?!absent)\w+_over_time|abs|ceil|floor|round|sqrt|exp|ln|log2|log10|sgn|clamp(?:_min|_max)?)$/.test(
    name,
  );

const arithmetic: Readonly<Record<string, (left: number, right: number) => number>> = {
  Add: (left, right) => left + right,
  Sub: (left, right) => left - right,
  Mul: (left, right) => left * right,
  Div: (left, right) => left / right,
  Mod: (left, right) => left % right,
  Pow: (left, right) => left ** right,
};

/** The value of an expression of numbers alone; undefined for any other. */
export function numberOf(tree: SyntaxNode): number | undefined {
  const node = withoutParens(tree);
  const { name, parts, text } = node;
  if (isBinary(node)) {
    const [left, right] = [numberOf(node.left), numberOf(node.right)];
    const operation = arithmetic[node.op];
    // Go and JavaScript differ in powers of what is not finite.
    return operation !== undefined && isFiniteNumber(left) && isFiniteNumber(right)
      ? operation(left, right)
      : undefined;
  }
  const value = name === "UnaryExpr" ? parts[1] && numberOf(parts[1]) : undefined;
  if (value !== undefined) return parts[0]?.text === "-" ? -value : value;
  return name === "NumberDurationLiteral" ? numberIn(text) : undefined;
}

/**
 * The query of a counter as events per second: each metric becomes its rate. Sums and differences are the only operations for which
 * that is the same; undefined for any other. Unchanged if all its metrics are already measured over a time.
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
  ...["FunctionCallBody", "BinaryExpr", "Add", "Sub", "ParenExpr"],
];

/** The expression's text as a vector: Prometheus makes one of a number, too. */
export const vectorText = ({ type, text }: Expression) => (type === "scalar" ? `vector(${text})` : text);
