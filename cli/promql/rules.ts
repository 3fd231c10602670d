import { RE2JS } from "re2js";
import { bytesOfString, namesIn, numberIn, valueOfString, withUsualNumbers } from "./literals";
import { checkerOf } from "./packages";
import {
  isBinary,
  isOperation,
  type MatcherNode,
  matcherOf,
  matchersOf,
  modified,
  nodeOf,
  parse,
  PromqlError,
  type TextSpan,
  type SyntaxNode,
  valueType,
  withUsualBlanks,
} from "./tree";

interface Checks {
  /** Why a regular expression is invalid, if it is. */
  readonly patternProblem: (pattern: string) => string | undefined;
  /** Whether a problem of a part counts. @param name The parser's name of the part; undefined if the checker found it. */
  readonly counts: (part: TextSpan, name?: string) => boolean;
}

/**
 * Checks that Prometheus takes an expression: that its types are right, as its checker for editors finds them, such as in
 * `rate(x)`, which needs a range. Then what that checker leaves to the server.
 * @throws {PromqlError} if Prometheus rejects it, or if it is unknown.
 */
export function checkPromql(written: string, { patternProblem, counts }: Checks = ofRe2): void {
  const [root, text] = [nodeOf(written), withUsualNumbers(written)];
  const type = checkedType(text, root, counts);
  const patterns = new Map<string, string | undefined>();
  const problemOfPattern = (quoted: string) => {
    const bytes = bytesOfString(quoted);
    const pattern = valueOfString(quoted) ?? bytes?.toString() ?? "";
    // Prometheus compares what is no pattern by its bytes.
    if (bytes !== undefined && !bytes.equals(Buffer.from(pattern)))
      return /[\\.+*?()[\]{}^$]/.test(pattern) ? "the pattern is not UTF-8" : undefined;
    if (!patterns.has(pattern)) patterns.set(pattern, patternProblem(pattern));
    return patterns.get(pattern);
  };
  // The labels that `info` adds may be any.
  const ofInfo = new Set<number>();
  const enter = (node: SyntaxNode): void => {
    const [name, body] = node.parts;
    if (name?.text === "info" && body?.parts[1] !== undefined) ofInfo.add(body.parts[1].from);
    const isChecked = counts(node, node.name) && !(node.name === "VectorSelector" && ofInfo.has(node.from));
    const message = isChecked ? problemsOf[node.name]?.(node, text, problemOfPattern) : undefined;
    if (message !== undefined) throw new PromqlError(message, text, node);
    node.parts.forEach(enter);
  };
  enter(root);
  if (type === "matrix" || type === "string")
    throw new PromqlError("a query must be an instant vector or a number", text, root);
}

/** The type of an expression, which the checker finds. @throws {PromqlError} if the types of its parts are wrong. */
function checkedType(text: string, root: SyntaxNode, counts: Checks["counts"]): string {
  let type = "";
  // Functions look for a last `smoothed`, before which the checker looks at nothing.
  for (const isBefore of [true, false]) {
    const shown = forChecker(withUsualBlanks(text), root, isBefore);
    const checker = checkerOf(shown);
    type = checker.checkAST(parse(shown).topNode.firstChild);
    // What it finds in selectors is not what Prometheus does. Its findings have no codes.
    const isOfSelector = /^(?:metric name|vector selector) must/;
    const problem = checker
      .getDiagnostics()
      .find((each) => each.severity === "error" && !isOfSelector.test(each.message) && counts(each));
    if (problem !== undefined) throw new PromqlError(problem.message, text, problem);
    if (!/smoothed|anchored/i.test(text)) break;
  }
  return type;
}

/**
 * The text with what the checker understands. It takes `pi()` for a vector, lets only histograms be trimmed, and can't tell of a
 * wrong second argument of `info`, which is checked after it. Places stay.
 */
function forChecker(text: string, { name, from, to, parts }: SyntaxNode, isBefore: boolean): string {
  const inner = parts.reduce((changed, part) => forChecker(changed, part, isBefore), text);
  const having = (by: string, start = from, end = to) =>
    inner.slice(0, start) + by.padEnd(end - start) + inner.slice(end);
  if (isBefore && /^(?:Smoothed|Anchored)$/.test(name)) return having("");
  if (/^Trim(?:Upper|Lower)$/.test(name)) return having("+");
  const [called, { parts: [first, second, ...others] = [] } = {}] = name === "FunctionCall" ? parts : [];
  if (called?.text === "pi" && first === undefined) return having("3.1");
  const isOfTwo = called?.text === "info" && others.length === 0;
  return isOfTwo && first && second ? having("", first.to, second.to) : inner;
}

const ofRe2: Checks = {
  counts: () => true,
  patternProblem(pattern) {
    try {
      RE2JS.compile(pattern);
      return undefined;
    } catch (error) {
      return `RE2 can't read the pattern (${(error as Error).message.replace(/^error parsing regexp: /, "")})`;
    }
  },
};

type PatternProblem = (quoted: string) => string | undefined;
type NodeProblem = (node: SyntaxNode, text: string, problemOfPattern: PatternProblem) => string | undefined;

/** What Prometheus checks of a node, by the parser's name of it. */
const problemsOf: Readonly<Record<string, NodeProblem>> = {
  OffsetExpr: shiftProblem,
  SmoothedExpr: shiftProblem,
  AnchoredExpr: shiftProblem,
  StepInvariantExpr: (node) => {
    const at = node.parts.find(({ name }) => name === "NumberDurationLiteral");
    const isOutside = at !== undefined && !(Math.abs(numberIn(at.text)) < 2 ** 63);
    return isOutside ? "the time after @ is out of bounds" : shiftProblem(node);
  },
  MatrixSelector: (node) =>
    node.parts[0]?.name === "VectorSelector" ? rangeProblem(node) : "a range must follow a selector",
  SubqueryExpr: rangeProblem,
  UnaryExpr: ({ parts }) => operandProblem(parts),
  DurationExpr: ({ parts: [, op, by] }) =>
    by !== undefined && /^(?:Div|Mod)$/.test(op?.name ?? "") && numberIn(by.text) === 0
      ? "division by zero"
      : undefined,
  NumberDurationLiteralInDurationContext: (node, text) =>
    Math.abs(numberIn(node.text)) <= mostSeconds ? numberProblem(node, text) : "this is no duration, or out of range",
  NumberDurationLiteral: numberProblem,
  StringLiteral: ({ text }) => (bytesOfString(text) === undefined ? "wrong escape, or no end of the text" : undefined),
  GroupingLabels: ({ parts }) =>
    parts.some(({ text }) => /^(?:inf|nan|""|''|``)$/i.test(text)) ? "this is no label" : undefined,
  VectorSelector: (node, _, problemOfPattern) => {
    const matchers = matchersOf(node);
    const isOfName = ({ name }: MatcherNode) => name === "__name__";
    if (node.parts[0]?.name === "Identifier")
      return matchers.some(isOfName) ? "the metric's name is set twice" : undefined;
    return matchers.every((each) => takesEmpty(each, problemOfPattern))
      ? "a selector needs a matcher that doesn't match the empty text"
      : undefined;
  },
  Identifier: ({ text }) => (/^atan2$/i.test(text) ? "syntax error" : undefined),
  UnquotedLabelMatcher: matcherProblem,
  QuotedLabelMatcher: matcherProblem,
  AggregateExpr: ({ parts }) => {
    const given = parts.find(({ name }) => name === "FunctionCallBody")?.parts.length;
    const wanted = withParameter.includes(parts[0]?.text.toLowerCase() ?? "") ? 2 : 1;
    return given === wanted ? undefined : `an aggregation with ${given} arguments instead of ${wanted}`;
  },
  BinaryExpr: matchingProblem,
  FunctionCall: ({ parts: [name, body] }, _, problemOfPattern) => {
    const labels = name?.text === "info" ? body?.parts[1] : undefined;
    if (labels !== undefined && !isLabels(labels)) return "the second argument of info must be label matchers alone";
    // The last of the five arguments.
    const pattern = name?.text === "label_replace" ? body?.parts[4] : undefined;
    return pattern?.name === "StringLiteral" ? problemOfPattern(pattern.text) : undefined;
  },
};

function matcherProblem(node: SyntaxNode, _: string, problemOfPattern: PatternProblem): string | undefined {
  const { op, quoted } = matcherOf(node);
  return op.endsWith("~") ? problemOfPattern(quoted) : undefined;
}

const withParameter = ["topk", "bottomk", "limitk", "limit_ratio", "quantile", "count_values"];
/** What Go's durations hold. */
const mostSeconds = 2 ** 63 / 1e9;

function numberProblem({ text: written, to }: SyntaxNode, text: string): string | undefined {
  const value = numberIn(written);
  const isWord = /^[+-]?\s*(?:inf|nan)$/i.test(written);
  // The parser ends it before a letter: `1mby`.
  if (/[\w.]/.test(text.charAt(to)) || (Number.isNaN(value) && !isWord)) return "this is no number or duration";
  return Number.isFinite(value) || isWord ? undefined : "the number is out of range";
}

/** Whether a part is matchers without a metric before them, which may be shifted. */
function isLabels(node: SyntaxNode): boolean {
  return modified(node).of.parts[0]?.name === "LabelMatchers";
}

/** Whether a matcher takes an empty value. */
function takesEmpty({ op, quoted }: MatcherNode, problemOfPattern: PatternProblem): boolean {
  const value = valueOfString(quoted);
  const isPattern = value !== undefined && op.endsWith("~");
  if (isPattern && problemOfPattern(quoted) !== undefined) return false;
  return (isPattern ? RE2JS.matches(value, "") : value === "") !== op.startsWith("!");
}

/** The checker takes `a + b[5m:]` for `(a + b)[5m:]`. */
const operandProblem = (sides: SyntaxNode["parts"]) =>
  sides.some((side) => !isOperation(side) && valueType(side) === "matrix") ? "a range is no operand" : undefined;

/** What is wrong with the sides of an operation, or with how they are matched. */
function matchingProblem(node: SyntaxNode): string | undefined {
  if (!isBinary(node)) return undefined;
  const { left, right, parts } = node;
  const problem = operandProblem([left, right]);
  if (problem !== undefined) return problem;
  const isOfVectors = () => [left, right].every((side) => valueType(side) === "vector");
  if (parts.some(({ name }) => name === "FillModifier")) {
    if (!isOfVectors()) return "fill is only for two vectors";
    if (/^(?:And|Or|Unless)$/.test(parts[1]?.name ?? "")) return "fill is not for set operators";
  }
  const clause = parts.find(({ name }) => name === "MatchingModifierClause")?.parts ?? [];
  const [matched = [], included = []] = clause
    .filter(({ name }) => name === "GroupingLabels")
    .map((labels) => namesIn(labels) ?? []);
  if (matched.length > 0 && !isOfVectors()) return "only two vectors are matched by labels";
  const isTwice = clause[0]?.name === "On" && matched.some((name) => included.includes(name));
  return isTwice ? "a label is in on and in the grouping" : undefined;
}

function rangeProblem({ parts, text, from, name }: SyntaxNode): string | undefined {
  const [of, range] = parts;
  if (of && range && text.slice(of.to - from, range.from - from).includes("#")) return "a comment can't begin a range";
  if (name === "SubqueryExpr" && !/\d/.test(range?.text ?? "") && !of?.text.includes("["))
    return "the range before a colon needs a number";
  const isNone = ({ name, text }: SyntaxNode) =>
    name === "DurationExpr" && (/^(?:\+\s*)*-[\s+]*\w+$/.test(text) || numberIn(text) === 0);
  return parts.some(isNone) ? "a duration must be greater than 0" : undefined;
}

const shiftWords: Readonly<Record<string, string>> = {
  ...{ OffsetExpr: "offset", StepInvariantExpr: "@", SmoothedExpr: "smoothed", AnchoredExpr: "anchored" },
};
const extended = ["SmoothedExpr", "AnchoredExpr"];

/** What is wrong with a word that follows an operand, such as `offset`. */
function shiftProblem(node: SyntaxNode): string | undefined {
  const [word, isExtended] = [shiftWords[node.name], extended.includes(node.name)];
  const { of, suffixes } = modified(node);
  const last = suffixes.map(({ name }) => name).lastIndexOf("SubqueryExpr");
  const own = suffixes.slice(last + 1).map(({ name }) => name);
  const before = suffixes.slice(last + 1, -1).filter(({ name, parts }) => {
    return name === node.name && (name !== "OffsetExpr" || numberIn(parts.at(-1)?.text ?? "") !== 0);
  });
  if (!isExtended && before.length > 0) return `it has ${word} twice`;
  if (isExtended && last >= 0) return `${word} is not for subqueries`;
  if (extended.every((name) => own.includes(name))) return "smoothed and anchored exclude each other";
  const { name } = suffixes[last] ?? of;
  const isShifted = ["VectorSelector", "MatrixSelector", "SubqueryExpr"].includes(name);
  return isShifted ? undefined : `${word} must follow a selector or a subquery`;
}
