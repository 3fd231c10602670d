import type { SyntaxNode } from "@lezer/common";
import type { LRParser } from "@lezer/lr";
import { seconds } from "./duration";

// Its typings describe an ES module; what `require` loads is CommonJS.
const { parser } = require("@prometheus-io/lezer-promql") as { readonly parser: LRParser };

export type ValueType = "scalar" | "string" | "vector" | "matrix";

/** An expression that was parsed. */
export interface Expression {
  /** The expression, without comments before and after it. */
  readonly text: string;
  readonly type: ValueType;
  /** Whether it is nothing but a metric and label matchers. */
  readonly isSelector: boolean;
  /** The outermost comparison, if it is one of a vector with a number and only lets samples through. */
  readonly threshold?: Threshold;
  /** Whether the outermost comparison has `bool`: it then lets every sample through, as 0 or 1. */
  readonly keepsEverySample: boolean;
  /** What Prometheus refuses here, beyond syntax. */
  readonly problem?: string;
}

export interface Threshold {
  readonly query: string;
  readonly op: string;
  readonly value: number;
}

/** The text is no PromQL. */
export class PromqlError extends Error {
  constructor(
    /** Lines from the first line of the text. */
    readonly lineOffset: number,
    near: string,
  ) {
    super(`this is no valid PromQL: syntax error ${near === "" ? "at the end" : `at ${JSON.stringify(near)}`}`);
  }
}

/** The monitors' name of each comparison, and of the same comparison with its sides exchanged. */
const comparisons: Readonly<Record<string, readonly [op: string, flipped: string]>> = {
  Gtr: ["GT", "LT"],
  Gte: ["GEQ", "LEQ"],
  Lss: ["LT", "GT"],
  Lte: ["LEQ", "GEQ"],
  Eql: ["EQ", "EQ"],
  Neq: ["NEQ", "NEQ"],
};

/** @throws {PromqlError} */
export function parsePromql(text: string): Expression {
  const root = expressionOf(text);
  const inner = withoutParens(root);
  const textOf = (node: SyntaxNode) => text.slice(node.from, node.to);
  const type = typeOf(root, text);
  const problem = problemOf(inner, type, text);
  const threshold = thresholdOf(inner, text, textOf);
  return {
    text: textOf(root),
    type,
    isSelector: inner.name === "VectorSelector",
    keepsEverySample: isComparison(inner) && inner.getChild("BoolModifier") !== null,
    ...(threshold === undefined || problem !== undefined ? {} : { threshold }),
    ...(problem === undefined ? {} : { problem }),
  };
}

const strict = parser.configure({ strict: true });

function expressionOf(text: string): SyntaxNode {
  try {
    const expression = partsOf(strict.parse(text).topNode)[0];
    if (expression !== undefined) return expression;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser says "No parse at 17"; it has no other field for the position.
    const position = Math.min(Number(/\d+$/.exec(error.message)?.[0] ?? 0), text.trimEnd().length);
    const near = text.slice(position).split(/\s/, 1)[0] ?? "";
    throw new PromqlError(text.slice(0, position).split("\n").length - 1, near);
  }
  throw new PromqlError(0, "");
}

/** A node's children, without comments. */
function partsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "LineComment") parts.push(child);
  }
  return parts;
}

function withoutParens(node: SyntaxNode): SyntaxNode {
  const [inner] = partsOf(node);
  return node.name === "ParenExpr" && inner !== undefined ? withoutParens(inner) : node;
}

const isComparison = (node: SyntaxNode) => operatorOf(node) !== undefined;
const operatorOf = (node: SyntaxNode) =>
  node.name === "BinaryExpr" ? comparisons[partsOf(node)[1]?.name ?? ""] : undefined;

/** Both sides of an operation, without what stands between them. */
function sidesOf(node: SyntaxNode): readonly [SyntaxNode, SyntaxNode] | undefined {
  const parts = partsOf(node);
  const [left, right] = [parts[0], parts.at(-1)];
  return node.name === "BinaryExpr" && left !== undefined && right !== undefined ? [left, right] : undefined;
}

function thresholdOf(node: SyntaxNode, text: string, textOf: (node: SyntaxNode) => string): Threshold | undefined {
  const ops = operatorOf(node);
  const sides = sidesOf(node);
  // More than two sides and an operator: `bool`, or labels to match, which change the meaning.
  if (ops === undefined || sides === undefined || partsOf(node).length !== 3) return undefined;
  const [left, right] = sides;
  const query = (side: SyntaxNode) => textOf(withoutParens(side));
  const above = numberOf(right, text);
  if (isFinite(above)) return { query: query(left), op: ops[0], value: above };
  const below = numberOf(left, text);
  if (isFinite(below)) return { query: query(right), op: ops[1], value: below };
  return undefined;
}

const isFinite = (value: number | undefined): value is number => Number.isFinite(value);

function problemOf(node: SyntaxNode, type: ValueType, text: string): string | undefined {
  if (type === "string" || type === "matrix") {
    return `the expression is a ${type === "string" ? "text" : "range of samples"}, and a rule needs a vector or a number`;
  }
  const sides = sidesOf(node);
  if (sides === undefined) return undefined;
  const types = sides.map((side) => typeOf(side, text));
  if (types.some((each) => each === "string" || each === "matrix")) {
    return "one side of the outermost operation is neither a vector nor a number";
  }
  return isComparison(node) && type === "scalar" && node.getChild("BoolModifier") === null
    ? "two numbers are compared without `bool`"
    : undefined;
}

// https://prometheus.io/docs/prometheus/latest/querying/functions
const scalarFunctions = ["scalar", "time", "pi", "start", "end", "range", "step"];

function typeOf(node: SyntaxNode, text: string): ValueType {
  switch (node.name) {
    case "NumberDurationLiteral":
      return "scalar";
    case "StringLiteral":
      return "string";
    case "MatrixSelector":
    case "SubqueryExpr":
      return "matrix";
    case "BinaryExpr":
      return sidesOf(node)?.every((side) => typeOf(side, text) === "scalar") ? "scalar" : "vector";
    case "FunctionCall": {
      const name = node.getChild("FunctionIdentifier");
      return name !== null && scalarFunctions.includes(text.slice(name.from, name.to)) ? "scalar" : "vector";
    }
    case "ParenExpr":
    case "UnaryExpr":
    case "OffsetExpr":
    case "StepInvariantExpr":
    case "SmoothedExpr":
    case "AnchoredExpr": {
      const inner = partsOf(node).find(({ name }) => name !== "UnaryOp");
      return inner === undefined ? "vector" : typeOf(inner, text);
    }
    default:
      return "vector";
  }
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
function numberOf(node: SyntaxNode, text: string): number | undefined {
  const parts = partsOf(node);
  switch (node.name) {
    case "NumberDurationLiteral":
      return literal(text.slice(node.from, node.to));
    case "ParenExpr":
      return parts[0] === undefined ? undefined : numberOf(parts[0], text);
    case "UnaryExpr": {
      const [sign, operand] = parts;
      const value = operand === undefined ? undefined : numberOf(operand, text);
      if (value === undefined || sign === undefined) return undefined;
      return text.slice(sign.from, sign.to) === "-" ? -value : value;
    }
    case "BinaryExpr": {
      const [left, right] = (sidesOf(node) ?? []).map((side) => numberOf(side, text));
      const operation = parts.length === 3 ? arithmetic[parts[1]?.name ?? ""] : undefined;
      // Go and JavaScript differ in powers of what is not finite.
      return operation !== undefined && isFinite(left) && isFinite(right) ? operation(left, right) : undefined;
    }
    default:
      return undefined;
  }
}

/** The value of a number as Prometheus reads it: a duration is seconds, a leading zero makes it octal. */
function literal(written: string): number | undefined {
  const [, sign, digits = ""] = /^([+-]?)(.*)$/s.exec(written.replace(/[\s_]/g, "")) ?? [];
  const value = /^inf$/i.test(digits)
    ? Number.POSITIVE_INFINITY
    : /^0[0-7]+$/.test(digits)
      ? Number.parseInt(digits, 8)
      : (seconds(digits) ?? Number(digits));
  return sign === "-" ? -value : value;
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
      partsOf(node).forEach(enter);
    }
  };
  enter(expressionOf(text));
  if (selectors.length === 0) return text;
  if (!isSum) return undefined;
  return selectors.reduceRight((rest, { from, to }) => {
    return `${rest.slice(0, from)}rate(${rest.slice(from, to)}[${window}])${rest.slice(to)}`;
  }, text);
}

const sums = [
  ...["AggregateExpr", "AggregateOp", "Sum", "AggregateModifier", "By", "Without", "GroupingLabels", "LabelName"],
  ...["FunctionCallBody", "BinaryExpr", "Add", "ParenExpr"],
];
