import { isRead, newerAt, unknownText } from "./grammar";
import { nameWritten, outsideQuotes } from "./literals";
import { parser } from "./packages";

// Without buffers, the way from a node to its children takes the same time at any depth.
const strict = parser.configure({ strict: true, bufferLength: 0 });

/** What calls itself for each part of a longer chain could exceed the stack. */
const deepest = 1_200;

type ParsedTree = ReturnType<typeof strict.parse>;

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

export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** Anything that is no operation, such as a selector, a call or an expression in parentheses. */
export interface Operand extends TextSpan {
  readonly is: "operand";
  readonly node: SyntaxNode;
  /** Its modifiers, first to last: `offset`, `@`, a subquery. Each node has all before it as its first part. */
  readonly suffixes: readonly SyntaxNode[];
}

interface Unary extends TextSpan {
  readonly is: "unary";
  readonly of: Tree;
  readonly isMinus: boolean;
}

export interface Binary extends TextSpan {
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
  /** Lines from the first line of the text. */
  readonly lineOffset: number;

  constructor(
    /** What is wrong, without the place. */
    readonly reason: string,
    text: string,
    readonly at: TextSpan,
    readonly isUnknown = false,
  ) {
    const near = text.slice(at.from, at.to);
    const place = near === "" ? "at the end" : `at ${JSON.stringify(near)}`;
    super(isUnknown ? reason : `this is no valid PromQL: ${reason} ${place}`);
    this.lineOffset = text.slice(0, at.from).split("\n").length - 1;
  }
}

/** What is read of an expression, or the error in it. */
export function readOrError<T>(read: () => T): T | PromqlError {
  try {
    return read();
  } catch (error) {
    if (error instanceof PromqlError) return error;
    throw error;
  }
}

/** What is read of an expression, or something else if there is an error in it. */
export function readOr<T>(otherwise: T, read: () => T): T {
  const found = readOrError(read);
  return found instanceof PromqlError ? otherwise : found;
}

/** The error for a part that is not read: nothing is known of the expression then. */
export const unknownPart = (part: string, text = part, at: TextSpan = { from: 0, to: part.length }) =>
  new PromqlError(`${JSON.stringify(part)} is ${unknownText}`, text, at, true);

const invalid = (text: string, at: TextSpan = { from: 0, to: text.length }) =>
  new PromqlError("syntax error", text, at);

const tooLong = (text: string, from = 0) => new PromqlError("it is too long", text, wordAt(text, from));

/** From a position to the next blank. */
const wordAt = (text: string, from: number): TextSpan => ({ from, to: from + text.slice(from).search(/\s|$/) });

/** @throws SyntaxError with the position at the end of its message. */
function unchecked(text: string): ParsedTree {
  // Internal, so not in the types: after 300 operators of a chain, the parser would take the rest for an error.
  const steps = strict.startParse(text) as ReturnType<typeof strict.startParse> & { bigReductionCount: number };
  for (;;) {
    steps.bigReductionCount = 0;
    const tree = steps.advance();
    if (tree !== null) return tree;
  }
}

const otherBlank = outsideQuotes(String.raw`[^\S \t\n]|\x85`);

/** The text with the breaks of lines that the parser knows. @throws {PromqlError} if it has blanks that Prometheus does not read. */
export const withUsualBlanks = (text: string) =>
  text.replace(otherBlank, (found, from: number) => {
    if (/^["'`#]/.test(found)) return found;
    if (found === "\r") return "\n";
    const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    throw new PromqlError(`U+${code} is no blank in PromQL`, text, { from, to: from + 1 });
  });

/** @throws {PromqlError} */
export function parse(written: string): ParsedTree {
  const text = withUsualBlanks(written);
  try {
    return unchecked(text);
  } catch (error) {
    // The parser calls itself for each operator of a chain.
    if (error instanceof RangeError) throw tooLong(text);
    if (!(error instanceof SyntaxError)) throw error;
    // The parser says "No parse at 17"; it has no other field for the position.
    const position = Math.min(Number(/\d+$/.exec(error.message)?.[0] ?? 0), text.trimEnd().length);
    const newer = newerAt(text, position, isFunction);
    if (newer !== undefined) throw new PromqlError(newer, text, { from: position, to: position }, true);
    // The word that it stopped in or behind.
    const isEnd = position === text.trimEnd().length;
    throw invalid(text, wordAt(text, isEnd ? position : text.slice(0, position).search(/[\w:]*$/)));
  }
}

/** Whether the parser knows a function or an aggregation. */
function isFunction(name: string): boolean {
  try {
    return unchecked(`${name}(a)`).length > 0;
  } catch {
    return false;
  }
}

/** @throws {PromqlError} */
export function nodeOf(text: string, tree = parse(text)): SyntaxNode {
  const read = ({ name, from, to, firstChild }: ParsedTree["topNode"], depth: number): SyntaxNode => {
    if (depth > deepest) throw tooLong(text, from);
    if (!isRead(name)) throw unknownPart(text.slice(from, to), text, { from, to });
    const parts: SyntaxNode[] = [];
    for (let child = firstChild; child !== null; child = child.nextSibling) {
      if (child.name !== "LineComment") parts.push(read(child, depth + 1));
    }
    return { name, text: text.slice(from, to), from, to, parts };
  };
  const [expression] = read(tree.topNode, 1).parts;
  if (expression === undefined) throw invalid("");
  return expression;
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
  | ({ readonly is: "sign"; readonly isMinus: boolean } & TextSpan)
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
  if (at < tokens.length) throw unknownPart(node.text);
  return whole;
}

/** Adds operands, signs and operators in the order in which they are written. */
function tokensOf(node: SyntaxNode, tokens: Token[] = []): Token[] {
  const { text, from, to, parts } = node;
  const [first, last] = [parts[0], parts.at(-1)];
  const isMinus = text.startsWith("-");
  if (node.name === "BinaryExpr" && first !== undefined && last !== undefined) {
    const [operator, ...modifiers] = parts.slice(1, -1);
    tokensOf(first, tokens).push({ is: "operator", op: operator?.name ?? "", modifiers });
    return tokensOf(last, tokens);
  }
  if (node.name === "UnaryExpr" && last !== undefined) {
    tokens.push({ is: "sign", isMinus, from, to: from + 1 });
    return tokensOf(last, tokens);
  }
  if (suffixes.includes(node.name) && first !== undefined) {
    const operand = tokensOf(first, tokens).pop();
    if (operand?.is !== "operand") throw invalid(text);
    tokens.push({ ...operand, to, suffixes: [...operand.suffixes, node] });
    return tokens;
  }
  // The parser takes a sign into a number.
  const isSigned = node.name === "NumberDurationLiteral" && /^[+-]/.test(text);
  if (isSigned) tokens.push({ is: "sign", isMinus, from, to: from + 1 });
  tokens.push({ is: "operand", node, suffixes: [], from, to });
  return tokens;
}

export type ValueType = "scalar" | "string" | "vector" | "matrix";

export const inParens = (node: SyntaxNode) => (node.name === "ParenExpr" ? node.parts[0] : undefined);

// https://prometheus.io/docs/prometheus/latest/querying/functions
const scalarFunctions = ["scalar", "time", "pi", "start", "end", "range", "step"];

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

/** A label matcher of a selector. */
export interface MatcherNode {
  readonly node: SyntaxNode;
  /** Undefined if it can't be read. A string alone is the metric's name. */
  readonly name: string | undefined;
  readonly op: string;
  /** The value in quotes. */
  readonly quoted: string;
}

/** The label matchers of a selector. */
export const matchersOf = ({ parts }: SyntaxNode): readonly MatcherNode[] =>
  parts.flatMap((part) => (part.name === "LabelMatchers" ? part.parts.map(matcherOf) : []));

export function matcherOf(node: SyntaxNode): MatcherNode {
  const [label = "", op, quoted = label] = node.parts.map(({ text }) => text);
  return { node, name: op === undefined ? "__name__" : nameWritten(label), op: op ?? "=", quoted };
}
