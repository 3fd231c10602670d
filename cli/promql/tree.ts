import { newerAt } from "./grammar";
import { nameWritten, outsideQuotes, withUsualNumbers } from "./literals";
import { parser } from "./packages";

// Without buffers, the way from a node to its children takes the same time at any depth.
const strict = parser.configure({ strict: true, bufferLength: 0 });

/** What calls itself for each part of a longer chain could exceed the stack. */
const deepest = 1_200;

type ParsedTree = ReturnType<typeof strict.parse>;

export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** A part of an expression, with its place in the whole text. Operations are grouped as Prometheus groups them. */
export interface SyntaxNode extends TextSpan {
  /** The parser's name of what it is: `VectorSelector`. */
  readonly name: string;
  readonly text: string;
  /** Its own parts, without comments. The first one of a modifier, such as `offset`, is what it follows. */
  readonly parts: readonly SyntaxNode[];
}

/** An operation with two sides. */
export interface Binary extends SyntaxNode {
  /** The operator, by the parser's name: `Gtr`, `And`. */
  readonly op: string;
  /** The operator's modifiers: `bool`, labels to match. */
  readonly modifiers: readonly SyntaxNode[];
  readonly left: SyntaxNode;
  readonly right: SyntaxNode;
}

export const isBinary = (node: SyntaxNode): node is Binary => node.name === "BinaryExpr";

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
  const text = withUsualBlanks(withUsualNumbers(written));
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
export function nodeOf(written: string): SyntaxNode {
  const text = withUsualNumbers(written);
  const read = ({ name, from, to, firstChild }: ParsedTree["topNode"], depth: number): SyntaxNode => {
    if (depth > deepest) throw tooLong(text, from);
    const parts: SyntaxNode[] = [];
    for (let child = firstChild; child !== null; child = child.nextSibling) {
      if (child.name !== "LineComment") parts.push(read(child, depth + 1));
    }
    return { name, text: text.slice(from, to), from, to, parts };
  };
  const [expression] = read(parse(text).topNode, 1).parts;
  if (expression === undefined) throw invalid("");
  return grouped(expression, text);
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

/** The node with its operations grouped by precedence. What is in parentheses stays one operand. */
function grouped(node: SyntaxNode, text: string): SyntaxNode {
  if (node.name === "UnaryOp") return node; // Of a duration.
  const tokens = tokensOf(node, text);
  let at = 0;

  const whole = (name: string, parts: readonly SyntaxNode[]): SyntaxNode => {
    const [from, to] = [parts[0]?.from ?? 0, parts.at(-1)?.to ?? 0];
    return { name, text: text.slice(from, to), from, to, parts };
  };
  const operation = (least: number): SyntaxNode => {
    let left = prefixed();
    for (;;) {
      const operator = tokens[at];
      const level = levels.get(operator?.name ?? "");
      if (operator === undefined || level === undefined || level < least) return left;
      const modifiers: SyntaxNode[] = [];
      for (let next = tokens[++at]; next !== undefined && next.name.includes("Modifier"); next = tokens[++at])
        modifiers.push(next);
      // Only powers group from the right.
      const right = operation(level === powerLevel ? level : level + 1);
      const parts = [left, operator, ...modifiers, right];
      const binary: Binary = { ...whole("BinaryExpr", parts), op: operator.name, modifiers, left, right };
      left = binary;
    }
  };
  const prefixed = (): SyntaxNode => {
    const token = tokens[at++];
    if (token === undefined) throw invalid(text);
    return token.name === "UnaryOp" ? whole("UnaryExpr", [token, operation(signLevel + 1)]) : token;
  };
  return operation(0);
}

/** Adds operands, signs, and operators with their modifiers, in the order in which they are written. */
function tokensOf(node: SyntaxNode, text: string, tokens: SyntaxNode[] = []): SyntaxNode[] {
  const { name, from, to } = node;
  const [first, ...others] = node.parts;
  const last = others.at(-1);
  if (isOperation(node) && first !== undefined && last !== undefined) {
    if (name === "UnaryExpr") tokens.push(first);
    else tokensOf(first, text, tokens).push(...others.slice(0, -1).map((each) => grouped(each, text)));
    return tokensOf(last, text, tokens);
  }
  const operand = suffixes.includes(name) && first !== undefined ? tokensOf(first, text, tokens).pop() : undefined;
  if (operand !== undefined) {
    tokens.push({ name, text: text.slice(operand.from, to), from: operand.from, to, parts: [operand, ...others] });
    return tokens;
  }
  // The parser takes a sign into a number.
  if (name === "NumberDurationLiteral" && /^[+-]/.test(node.text))
    tokens.push({ name: "UnaryOp", text: node.text.charAt(0), from, to: from + 1, parts: [] });
  tokens.push({ ...node, parts: node.parts.map((each) => grouped(each, text)) });
  return tokens;
}

/** An operand, and the modifiers behind it, first to last: `offset`, `@`, a subquery. Each has all before it as its first part. */
export function modified(node: SyntaxNode): { readonly of: SyntaxNode; readonly suffixes: readonly SyntaxNode[] } {
  const inner = suffixes.includes(node.name) ? node.parts[0] : undefined;
  if (inner === undefined) return { of: node, suffixes: [] };
  const { of, suffixes: before } = modified(inner);
  return { of, suffixes: [...before, node] };
}

/** Whether it is an operator between two sides, or a sign. */
export const isOperation = ({ name }: SyntaxNode) => name === "BinaryExpr" || name === "UnaryExpr";

export type ValueType = "scalar" | "string" | "vector" | "matrix";

/** What is in the parentheses around an expression; the expression itself if there are none. */
export function withoutParens(node: SyntaxNode): SyntaxNode {
  const inner = node.name === "ParenExpr" ? node.parts[0] : undefined;
  return inner === undefined ? node : withoutParens(inner);
}

// https://prometheus.io/docs/prometheus/latest/querying/functions
const scalarFunctions = ["scalar", "time", "pi", "start", "end", "range", "step"];

const types: Readonly<Record<string, ValueType>> = {
  NumberDurationLiteral: "scalar",
  StringLiteral: "string",
  MatrixSelector: "matrix",
  SubqueryExpr: "matrix",
};

export function valueType(node: SyntaxNode): ValueType {
  const { name, parts } = node;
  // The right side of a chain is short.
  if (isBinary(node))
    return [node.right, node.left].every((side) => valueType(side) === "scalar") ? "scalar" : "vector";
  if (name === "FunctionCall") return scalarFunctions.includes(parts[0]?.text ?? "") ? "scalar" : "vector";
  const of = name === "UnaryExpr" ? parts[1] : name === "ParenExpr" || suffixes.includes(name) ? parts[0] : undefined;
  return types[name] ?? (of === undefined ? "vector" : valueType(of));
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
