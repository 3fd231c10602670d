import type { parser } from "@prometheus-io/lezer-promql";
import { RE2JS } from "re2js";
import { expressionProblem } from "./expressions.js";

type Node = ReturnType<typeof parser.parse>["topNode"];
/** What an expression comes to. A placeholder may come to anything. */
type Type = "vector" | "range" | "number" | "text" | "any";

/** A part of an expression that Prometheus refuses, though its syntax is right. */
export class TypeProblem extends Error {
  override readonly name = "TypeProblem";

  constructor(
    message: string,
    readonly at: Pick<Node, "from" | "to">,
  ) {
    super(message);
  }
}

const words: Readonly<Record<Type, string>> = {
  vector: "an instant vector",
  range: "a range vector like a[5m]",
  number: "a number",
  text: "a text",
  any: "anything",
};

const letters: Readonly<Record<string, Type>> = { v: "vector", r: "range", n: "number", t: "text" };

/** The functions by their arguments: `?` is optional, `*` may come any number of times. */
const signatures: readonly (readonly [args: string, names: string])[] = [
  ["", "end pi range start step time"],
  ["n", "vector"],
  [
    "v",
    "abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor histogram_avg histogram_count histogram_stddev histogram_stdvar histogram_sum ln log10 log2 rad scalar sgn sin sinh sort sort_desc sqrt start_timestamp tan tanh timestamp",
  ],
  ["v?", "day_of_month day_of_week day_of_year days_in_month hour minute month year"],
  [
    "r",
    "absent_over_time avg_over_time changes count_over_time delta deriv first_over_time idelta increase irate last_over_time mad_over_time max_over_time min_over_time present_over_time rate resets stddev_over_time stdvar_over_time sum_over_time ts_of_first_over_time ts_of_last_over_time ts_of_max_over_time ts_of_min_over_time",
  ],
  ["v v?", "info"],
  ["v n", "clamp_max clamp_min"],
  ["v n?", "round"],
  ["v n n", "clamp"],
  ["v t*", "sort_by_label sort_by_label_desc"],
  ["v t t t*", "label_join"],
  ["v t t t t", "label_replace"],
  ["v t n n*", "histogram_quantiles"],
  ["n v", "histogram_quantile"],
  ["n n v", "histogram_fraction"],
  ["n r", "quantile_over_time"],
  ["r n", "predict_linear"],
  ["r n n", "double_exponential_smoothing"],
  // Aggregations are like functions. Without their parameter they would take the vector for it.
  ["v", "avg count group max min stddev stdvar sum"],
  ["n v", "bottomk limit_ratio limitk quantile topk"],
  ["t v", "count_values"],
];
const signatureOf = new Map(signatures.flatMap(([args, names]) => names.split(" ").map((name) => [name, args])));
const numbers = new Set(["end", "pi", "range", "scalar", "start", "step", "time"]);

const passed = new Set(["BinaryExpr", "UnaryExpr", "OffsetExpr", "StepInvariantExpr", "AnchoredExpr", "SmoothedExpr"]);
const modifiers = new Set(["OffsetExpr", "StepInvariantExpr"]);
const selected = new Set(["VectorSelector", "MatrixSelector", "SubqueryExpr"]);
const comparisons = new Set(["Eql", "Neq", "Gte", "Gtr", "Lte", "Lss"]);
const setOperators = new Set(["And", "Or", "Unless"]);

const escapes = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3})|([^]))/g;
const control: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/**
 * Throws TypeProblem if an expression that parses is refused by Prometheus all the same.
 * @param placeholders The positions at which something stands for another text.
 */
export function checkTypes(root: Node, source: string, placeholders: ReadonlySet<number>): void {
  // Found on the way, and checked after it.
  const patterns: Node[] = [];
  const nameless: { readonly node: Node; readonly matchers: readonly Node[] }[] = [];

  const refuse = (node: Node, message: string): never => {
    throw new TypeProblem(message, node);
  };
  const sourceOf = ({ from, to }: Node) => source.slice(from, to);
  const operandsOf = (node: Node) => node.getChildren("Expr");

  function typeOf(node: Node): Type {
    return rules[node.name]?.(node) ?? "any";
  }

  function expect(node: Node, wanted: Type, place: string): void {
    const type = typeOf(node);
    if (type !== wanted && type !== "any") refuse(node, `${place} has to be ${words[wanted]}, not ${words[type]}`);
  }

  function call(node: Node, name: string): Type {
    const signature = signatureOf.get(name);
    const given = node.getChild("FunctionCallBody")?.getChildren("Expr") ?? [];
    // A function that is newer than the table.
    if (signature === undefined) return "any";
    const wanted = signature.split(" ").filter((each) => each !== "");
    const least = wanted.filter((each) => each.length === 1).length;
    const most = signature.endsWith("*") ? Infinity : wanted.length;
    if (given.length < least || given.length > most) {
      const number = least === most ? least : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
      refuse(node, `${name} takes ${number} ${number === 1 ? "argument" : "arguments"}, not ${given.length}`);
    }
    given.forEach((argument, i) => {
      const letter = (wanted[i] ?? wanted.at(-1) ?? "").charAt(0);
      if (name === "info" && i === 1 && argument.name === "VectorSelector") selector(argument, { mayBeEmpty: true });
      else expect(argument, letters[letter] ?? "any", `argument ${i + 1} of ${name}`);
    });
    const [, , , , pattern] = given;
    if (name === "label_replace" && pattern?.name === "StringLiteral") patterns.push(pattern);
    return numbers.has(name) ? "number" : "vector";
  }

  function hasPlaceholder({ from, to }: Node): boolean {
    for (let at = from; at < to; at++) if (placeholders.has(at)) return true;
    return false;
  }

  /** The labels of a list that are written out. */
  function labelsOf(list: Node | null | undefined): string[] {
    const all = [...(list?.getChildren("LabelName") ?? []), ...(list?.getChildren("QuotedLabelName") ?? [])];
    const written = all.filter((each) => !hasPlaceholder(each));
    return written.map((each) => (each.firstChild === null ? sourceOf(each) : textOf(each.firstChild)));
  }

  function operation(node: Node): Type {
    const [left, right] = operandsOf(node);
    const operator = left?.nextSibling?.name ?? "";
    if (left === undefined || right === undefined) return "any";
    const types = [left, right].map((operand) => {
      const type = typeOf(operand);
      if (type === "range" || type === "text")
        refuse(operand, `operators take instant vectors and numbers, not ${words[type]}`);
      return type;
    });
    const isComparison = comparisons.has(operator);
    const matching = node.getChild("MatchingModifierClause");
    const matched = matching?.getChild("GroupingLabels");
    if (setOperators.has(operator)) {
      if (types.includes("number")) refuse(node, "and, or and unless take instant vectors, not numbers");
      if (matching?.getChild("GroupLeft") ?? matching?.getChild("GroupRight"))
        refuse(node, "and, or and unless take no group_left and group_right");
    }
    if (node.getChild("BoolModifier")) {
      if (!isComparison) refuse(node, "bool follows only comparisons");
    } else if (isComparison && types.every((type) => type === "number")) {
      refuse(node, "a comparison of two numbers needs bool");
    }
    const on = new Set(matching?.getChild("On") ? labelsOf(matched) : []);
    const both = labelsOf(matching?.getChildren("GroupingLabels")[1]).find((label) => on.has(label));
    if (both !== undefined) refuse(node, `the label ${both} is both in on and in group_left or group_right`);
    if (types.includes("number") && matched?.getChild("LabelName"))
      refuse(node, "on and ignoring stand between instant vectors");
    if (types.includes("vector")) return "vector";
    return types.includes("any") ? "any" : "number";
  }

  /** The parser takes what follows the last operand of an operation for something that follows the operation. */
  function beforeModifier(node: Node): Node {
    const [first, second] = passed.has(node.name) ? operandsOf(node) : [];
    const last = node.name === "BinaryExpr" ? second : first;
    return last === undefined ? node : beforeModifier(last);
  }

  function modified(node: Node, modifier: string): Type {
    const [inner] = operandsOf(node);
    if (inner === undefined) return "any";
    for (let at: Node | undefined = inner; at !== undefined && modifiers.has(at.name); [at] = operandsOf(at))
      if (at.name === node.name) refuse(node, `${modifier} follows a selector once`);
    const time = node.getChild("NumberDurationLiteral");
    if (time !== null && /inf$|nan$/i.test(sourceOf(time))) refuse(time, "@ takes a time");
    if (!selected.has(beforeModifier(inner).name))
      refuse(node, `${modifier} follows a selector, its range or a subquery`);
    return typeOf(inner);
  }

  function refuseNoTime(node: Node): void {
    for (const duration of node.getChildren("DurationExpr")) {
      const literal = (duration.getChild("UnaryOp") === null ? duration : duration.lastChild)?.firstChild;
      const text = literal?.name === "NumberDurationLiteralInDurationContext" ? sourceOf(literal) : "";
      const isZero = /^(?!0x)(?=.*\d)[^1-9]*$|nan$/i.test(text);
      if (isZero || (text !== "" && sourceOf(duration).startsWith("-")))
        refuse(duration, "a range and its steps are longer than 0");
    }
  }

  function textOf(node: Node): string {
    const text = sourceOf(node);
    const sign = text.charAt(0);
    if (sign === "`") return text.slice(1, -1);
    if (!/^(["'])(?:[^\\\n]|\\[^])*\1$/.test(text)) refuse(node, "a text lacks its closing quote");
    return text.slice(1, -1).replace(escapes, (escape: string, x?: string, u?: string, U?: string, octal?: string) => {
      const hex = x ?? u ?? U;
      const code = hex === undefined ? parseInt(octal ?? "", 8) : parseInt(hex, 16);
      if (code <= 0x10ffff) return String.fromCodePoint(code);
      const letter = escape.charAt(1);
      const character = letter === sign ? sign : control[letter];
      if (character === undefined) refuse(node, `a text has the unknown escape ${escape}; a backslash is \\\\`);
      return character ?? "";
    });
  }

  function operatorOf(matcher: Node): string {
    return matcher.getChild("MatchOp")?.firstChild?.name ?? "";
  }

  /** Whether a label that is not there fulfils the matcher. */
  function isEmpty(matcher: Node): boolean {
    const [operator, value] = [operatorOf(matcher), matcher.getChild("StringLiteral")];
    if (value === null || placeholders.has(value.from)) return false;
    const text = textOf(value);
    if (operator.endsWith("Regex")) return RE2JS.compile(text).matches("") === (operator === "EqlRegex");
    return (text === "") === (operator === "EqlSingle");
  }

  function selector(node: Node, { mayBeEmpty = false } = {}): Type {
    const name = node.getChild("Identifier");
    const list = node.getChild("LabelMatchers");
    if (list === null) return name !== null && placeholders.has(name.from) ? "any" : "vector";
    const matchers = [...list.getChildren("UnquotedLabelMatcher"), ...list.getChildren("QuotedLabelMatcher")];
    const quoted = list.getChildren("QuotedLabelName").filter(({ from }) => !placeholders.has(from));
    const isNamed = matchers.some((each) => /^(["'`]?)__name__\1$/.test(sourceOf(each.firstChild ?? each)));
    if (name !== null && (quoted.length > 0 || isNamed)) refuse(node, "a selector has one metric name");
    for (const matcher of matchers) {
      const value = matcher.getChild("StringLiteral");
      if (value === null || placeholders.has(value.from)) continue;
      if (operatorOf(matcher).endsWith("Regex")) patterns.push(value);
      else textOf(value);
    }
    const isNaming = mayBeEmpty || name !== null || quoted.some((each) => sourceOf(each).length > 2);
    if (!isNaming && !hasPlaceholder(list)) nameless.push({ node, matchers });
    return "vector";
  }

  const rules: Readonly<Record<string, (node: Node) => Type>> = {
    NumberDurationLiteral: () => "number",
    StringLiteral: (node) => (textOf(node), "text"),
    ParenExpr: (node) => operandsOf(node).map(typeOf)[0] ?? "any",
    VectorSelector: (node) => selector(node),
    MatrixSelector(node) {
      const [inner] = operandsOf(node);
      if (inner?.name !== "VectorSelector")
        refuse(node, "a range follows a selector, before offset and @; after others a subquery like (a + b)[5m:1m]");
      operandsOf(node).forEach(typeOf);
      refuseNoTime(node);
      return "range";
    },
    SubqueryExpr(node) {
      const [inner] = operandsOf(node);
      if (inner?.name === "BinaryExpr" || inner?.name === "UnaryExpr")
        refuse(node, "a subquery of an operation needs brackets around the operation");
      if (inner !== undefined) expect(inner, "vector", "what a subquery follows");
      refuseNoTime(node);
      return "range";
    },
    OffsetExpr: (node) => modified(node, "offset"),
    StepInvariantExpr: (node) => modified(node, "@"),
    AnchoredExpr: (node) => operandsOf(node).map(typeOf)[0] ?? "any",
    SmoothedExpr: (node) => operandsOf(node).map(typeOf)[0] ?? "any",
    UnaryExpr(node) {
      const [type = "any"] = operandsOf(node).map(typeOf);
      if (type === "range" || type === "text")
        refuse(node, `a sign takes an instant vector or a number, not ${words[type]}`);
      return type;
    },
    BinaryExpr: operation,
    FunctionCall: (node) => call(node, sourceOf(node.getChild("FunctionIdentifier") ?? node)),
    AggregateExpr(node) {
      const labels = node.getChild("AggregateModifier")?.getChild("GroupingLabels");
      if (labels && labelsOf(labels).includes("")) refuse(labels, "a label has a name");
      return call(node, sourceOf(node.getChild("AggregateOp") ?? node).toLowerCase());
    },
  };

  for (const expression of operandsOf(root)) {
    const type = typeOf(expression);
    if (type === "range" || type === "text")
      refuse(expression, `a query has to be an instant vector or a number, not ${words[type]}`);
  }
  for (const node of patterns) {
    const problem = expressionProblem(textOf(node));
    if (problem !== undefined) refuse(node, `the pattern ${problem}`);
  }
  for (const { node, matchers } of nameless) {
    if (matchers.every(isEmpty))
      refuse(node, "a selector needs a metric name, or a matcher that does not match the empty text");
  }
}
