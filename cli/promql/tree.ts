import type { LRParser } from "@lezer/lr";
import { isRead, newerAt, unknownText } from "./grammar";

// Its typings describe an ES module; what `require` loads is CommonJS.
const { parser } = require("@prometheus-io/lezer-promql") as { readonly parser: LRParser };
const strict = parser.configure({ strict: true });

/** Of a longer chain, the parser's tree loses parts. */
const deepest = 1_200;

type ParsedNode = ReturnType<LRParser["parse"]>["topNode"];

/** @throws SyntaxError with the position at the end of its message. */
export function parse(text: string): ReturnType<LRParser["parse"]> {
  // Internal, so not in the types: after 300 operators of a chain, the parser would take the rest for an error.
  const steps = strict.startParse(text) as ReturnType<LRParser["startParse"]> & { bigReductionCount: number };
  for (;;) {
    steps.bigReductionCount = 0;
    const tree = steps.advance();
    if (tree !== null) return tree;
  }
}

/** A part of an expression. */
export interface SyntaxNode {
  /** The parser's name of what it is: `VectorSelector`. */
  readonly name: string;
  readonly text: string;
  /** Its place in the whole text. */
  readonly from: number;
  readonly to: number;
  /** Its own parts, without comments. */
  readonly parts: readonly SyntaxNode[];
}

/** An expression as Prometheus groups it. */
export type Tree = Operand | Unary | Binary;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Anything that is no operation, such as a selector, a call or an expression in parentheses. */
export interface Operand extends Span {
  readonly is: "operand";
  readonly node: SyntaxNode;
  /** Its modifiers, first to last: `offset`, `@`, a subquery. Each node has all before it as its first part. */
  readonly suffixes: readonly SyntaxNode[];
}

interface Unary extends Span {
  readonly is: "unary";
  readonly of: Tree;
  readonly isMinus: boolean;
}

export interface Binary extends Span {
  readonly is: "binary";
  /** The operator, by the parser's name: `Gtr`, `And`. */
  readonly op: string;
  /** The operator's modifiers: `bool`, labels to match. */
  readonly modifiers: readonly SyntaxNode[];
  readonly left: Tree;
  readonly right: Tree;
}

/** Prometheus would reject the expression, or it is unknown. */
export class PromqlError extends Error {
  constructor(
    message: string,
    /** Lines from the first line of the text. */
    readonly lineOffset = 0,
  ) {
    super(message);
  }
}

/** What is read of an expression, or something else if its syntax is wrong. */
export function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PromqlError) return otherwise;
    throw error;
  }
}

/** The error for a part that is not read: nothing is known of the expression then. */
export const unknownPart = (what: string, lineOffset = 0) => new PromqlError(`${what} is ${unknownText}`, lineOffset);

const invalid = (near: string, lineOffset = 0, problem = "syntax error") =>
  new PromqlError(
    `this is no valid PromQL: ${problem} ${near === "" ? "at the end" : `at ${JSON.stringify(near)}`}`,
    lineOffset,
  );

/** @throws {PromqlError} */
export function nodeOf(text: string): SyntaxNode {
  const read = ({ name, from, to, firstChild }: ParsedNode, depth: number): SyntaxNode => {
    if (depth > deepest) throw invalid(text.slice(from).split(/\s/, 1)[0] ?? "", 0, "it is too long");
    if (!isRead(name)) throw unknownPart(JSON.stringify(text.slice(from, to)), lineAt(text, from));
    const parts: SyntaxNode[] = [];
    for (let child = firstChild; child !== null; child = child.nextSibling) {
      if (child.name !== "LineComment") parts.push(read(child, depth + 1));
    }
    return { name, text: text.slice(from, to), from, to, parts };
  };
  try {
    const [expression] = read(parse(text).topNode, 1).parts;
    if (expression !== undefined) return expression;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser says "No parse at 17"; it has no other field for the position.
    const position = Math.min(Number(/\d+$/.exec(error.message)?.[0] ?? 0), text.trimEnd().length);
    const newer = newerAt(text, position, isFunction);
    if (newer !== undefined) throw new PromqlError(newer, lineAt(text, position));
    // The word that it stopped in or behind.
    const word = /[\w:]*$/.exec(text.slice(0, position))?.[0] ?? "";
    const near = position === text.trimEnd().length ? "" : word + (text.slice(position).split(/\s/, 1)[0] ?? "");
    throw invalid(near, lineAt(text, position));
  }
  throw invalid("");
}

const lineAt = (text: string, position: number) => text.slice(0, position).split("\n").length - 1;

/** Whether the parser knows a function or an aggregation. */
function isFunction(name: string): boolean {
  try {
    return parse(`${name}(a)`).length > 0;
  } catch {
    return false;
  }
}

// https://prometheus.io/docs/prometheus/latest/querying/operators: weakest first. A sign binds as `*` does.
const precedence = [
  ["Or"],
  ["And", "Unless"],
  ["Eql", "Neq", "Lte", "Lss", "Gte", "Gtr", "TrimUpper", "TrimLower"],
  ["Add", "Sub"],
  ["Mul", "Div", "Mod", "Atan2"],
  ["Pow"],
] as const satisfies readonly (readonly string[])[];
/** How strongly each operator binds, by the parser's name. */
export const levels: ReadonlyMap<string, number> = new Map(
  precedence.flatMap((ops, level) => ops.map((op) => [op as string, level])),
);
export const [signLevel, powerLevel] = [4, 5] as const;

// What follows an operand. The grammar lets it take all that is before it, `a and b offset 5m > 3` as
// `(a and b) offset 5m > 3`; Prometheus lets it take only the operand.
const suffixes = ["OffsetExpr", "StepInvariantExpr", "SubqueryExpr", "SmoothedExpr", "AnchoredExpr"];

type Token =
  | Operand
  | ({ readonly is: "sign"; readonly isMinus: boolean } & Span)
  | { readonly is: "operator"; readonly op: string; readonly modifiers: readonly SyntaxNode[] };

/** The node's operations, grouped by precedence. What is in parentheses stays one operand. */
export function treeOf(node: SyntaxNode): Tree {
  const tokens = tokensOf(node);
  let at = 0;

  const operation = (least: number): Tree => {
    let left = prefixed();
    for (;;) {
      const token = tokens[at];
      const level = token?.is === "operator" ? levels.get(token.op) : undefined;
      if (token?.is !== "operator" || level === undefined || level < least) return left;
      at++;
      // Only powers group from the right.
      const right = operation(level === powerLevel ? level : level + 1);
      const { op, modifiers } = token;
      left = { is: "binary", op, modifiers, left, right, from: left.from, to: right.to };
    }
  };
  const prefixed = (): Tree => {
    const token = tokens[at++];
    if (token?.is === "operand") return token;
    if (token?.is !== "sign") throw invalid(node.text);
    const of = operation(signLevel + 1);
    return { is: "unary", of, isMinus: token.isMinus, from: token.from, to: of.to };
  };

  const whole = operation(0);
  if (at < tokens.length) throw unknownPart(JSON.stringify(node.text));
  return whole;
}

/** Operands, signs and operators in the order in which they are written. */
function tokensOf(node: SyntaxNode): Token[] {
  const { text, from, to, parts } = node;
  const [first, last] = [parts[0], parts.at(-1)];
  const isMinus = text.startsWith("-");
  if (node.name === "BinaryExpr" && first !== undefined && last !== undefined) {
    const [operator, ...modifiers] = parts.slice(1, -1);
    return [...tokensOf(first), { is: "operator", op: operator?.name ?? "", modifiers }, ...tokensOf(last)];
  }
  if (node.name === "UnaryExpr" && last !== undefined) {
    return [{ is: "sign", isMinus, from, to: from + 1 }, ...tokensOf(last)];
  }
  if (suffixes.includes(node.name) && first !== undefined) {
    const tokens = tokensOf(first);
    const operand = tokens.pop();
    if (operand?.is !== "operand") throw invalid(text);
    return [...tokens, { ...operand, to, suffixes: [...operand.suffixes, node] }];
  }
  const operand: Operand = { is: "operand", node, suffixes: [], from, to };
  // The parser takes a sign into a number.
  const isSigned = node.name === "NumberDurationLiteral" && /^[+-]/.test(text);
  return isSigned ? [{ is: "sign", isMinus, from, to: from + 1 }, operand] : [operand];
}
