import { isKnown, isMetBeyond } from "../../meaning/conditions";
import { all, anyOf, coveredBy, meets } from "../../meaning/matchers";
import { filterOf, isComparison, isPerSeries, numberOf } from "../../promql/expression";
import { matchersIn } from "../../promql/labels";
import { exactName, metricsRead } from "../../promql/metrics";
import { argumentOf, resultSeries } from "../../promql/resultSeries";
import {
  type Binary,
  isBinary,
  modified,
  nodeOf,
  readOr,
  type SyntaxNode,
  valueType,
  withoutParens,
} from "../../promql/tree";
import { conditionText } from "../conditionText";
import { type Direction, oppositeDirection } from "../risk";
import type { Conditions } from "./conditions";
import { sided } from "./rules";

type Condition = Conditions[number];

/** The directions of the parts of a change: none if the same values fire. */
type Directions = readonly Direction[];

const unclear: Directions = ["unclear"];
const [any, miss] = [{ op: "EXISTS" }, { op: "NOT_EXISTS" }];

/** The directions of another query for conditions that stay, whatever the data is. Both queries have their canonical text. */
export function queryDirections(before: string, after: string, conditions: Conditions): Directions {
  // A series that is never found is not missed, unless there is no other one.
  const isOne = [before, after].every((text) => resultSeries(text).labels?.length === 0);
  return readOr(unclear, () => {
    const [old, now] = [samplesOf(before), samplesOf(after)];
    return conditions.flatMap((each) => {
      if (!isKnown(each)) return unclear;
      if (each.op !== miss.op) return between(partOf(old, old.tree, [each]), partOf(now, now.tree, [each]));
      const found = between(old, now);
      return isOne || found.length === 0 ? found.map(oppositeDirection) : unclear;
    });
  });
}

/** Whether a query always has its only series: `sum(up) or vector(0)`. */
export const isNeverMissed = (query: string) =>
  resultSeries(query).labels?.length === 0 && valueInstead(withoutParens(samplesOf(query).tree)) !== undefined;

/** The conditions of a query: one that all its samples meet, such as `GT 0` of `errs > 5`, is as good as EXISTS. */
export const conditionsBeyond = (query: string, conditions: Conditions): Conditions =>
  readOr(conditions, () => {
    const met = metBy(samplesOf(query));
    const isAlways = (each: Condition) => isKnown(each) && !isMetBeyond(met, [each]);
    return conditions.map((each) => (isAlways(each) ? { ...each, ...any, value: 0, text: conditionText(each) } : each));
  });

/** The samples of a part of a query for which all of the conditions hold. */
interface Samples {
  readonly tree: SyntaxNode;
  /** Whether each selector reads one metric, so that no two of its series have the same other labels. */
  readonly isNamed: boolean;
  readonly all: Conditions;
}

function samplesOf(query: string): Samples {
  const isNamed = [metricsRead(query)]
    .flat()
    .every((each) => typeof each !== "string" && exactName(each) !== undefined);
  return { tree: nodeOf(query), isNamed, all: [any] };
}

function between(before: Samples, after: Samples): Directions {
  const [old, now] = [filtered(before), filtered(after)];
  const [was, is] = [old.tree, now.tree];
  const filters = directionsOf(isMetBeyond(old.all, now.all), isMetBeyond(now.all, old.all));
  if (textIn(old) === textIn(now)) return filters;
  const both = selectionsBetween(old, now);
  if (both !== undefined) return both;
  if (isSelection(is)) return [...beside(is, now.all), ...between(old, partOf(now, is.left))];
  if (isSelection(was)) return between(now, old).map(oppositeDirection);
  return [...filters, ...operationBetween({ ...old, all: now.all }, now)];
}

/** The samples of a part of an expression. */
const partOf = (of: Samples, tree: SyntaxNode, all = of.all): Samples => ({ ...of, tree, all });
const directionsOf = (isLost: boolean, isGained: boolean): Directions => [sided(isLost, isGained) ?? []].flat();
const textIn = ({ tree }: Samples) => withoutParens(tree).text;

/** The directions of both sides of selections with the same operator; undefined if they don't decide. */
function selectionsBetween(old: Samples, now: Samples): Directions | undefined {
  const [was, is] = [old.tree, now.tree];
  if (!isSelection(was) || !isSelection(is) || wordOf(was) !== wordOf(is)) return undefined;
  const isOr = was.op === "Or";
  const [oldLeft, nowLeft] = [partOf(old, was.left), partOf(now, is.left)];
  const rights = between(partOf(old, was.right, isOr ? old.all : [any]), partOf(now, is.right, isOr ? now.all : [any]));
  const fires = (side: Samples) =>
    side.all.every(hasThreshold) && !isMetBeyond(metBy(partOf(side, side.tree, [any])), side.all);
  // What `or` loses on its left side may come from its right side: never more than that, if the left side always fires.
  const isTold = isOr ? was.modifiers.length === 0 && fires(oldLeft) && fires(nowLeft) : !rights.includes("unclear");
  if (!isTold && textIn(oldLeft) !== textIn(nowLeft)) return undefined;
  return [...between(oldLeft, nowLeft), ...(was.op === "Unless" ? rights.map(oppositeDirection) : rights)];
}

/** Takes the outermost comparisons with numbers from an expression, also those of the same series: `errs and errs > 5`. */
function filtered(samples: Samples): Samples {
  const tree = withoutParens(samples.tree);
  const filter = filterOf(tree);
  if (filter !== undefined) return filtered(partOf(samples, filter.of, [...samples.all, filter]));
  if (samples.isNamed && isSelection(tree) && wordOf(tree) === "And") {
    const left = filtered(partOf(samples, tree.left));
    const both = filtered(partOf(left, tree.right));
    if (textIn(left) === textIn(both)) return both;
  }
  return partOf(samples, tree);
}

/** What all samples of an expression meet. */
function metBy(samples: Samples): Conditions {
  const inner = filtered(samples);
  return isSelection(inner.tree) && inner.tree.op !== "Or" ? metBy(partOf(inner, inner.tree.left)) : inner.all;
}

const isSelection = (tree: SyntaxNode): tree is Binary => isBinary(tree) && ["And", "Unless", "Or"].includes(tree.op);
const wordOf = ({ op, modifiers }: Binary) => [op, ...modifiers.map(({ text }) => text)].join(" ");

/** The direction of a selection in addition to its left side. */
function beside(tree: Binary, all: Conditions): Directions {
  if (tree.op !== "Or") return ["alerts-less"];
  const value = valueInstead(tree) ?? NaN;
  return Number.isNaN(value) || isMetBeyond([...all, { op: "EQ", value }], [miss]) ? ["alerts-more"] : [];
}

/** `0` of `or vector(0)` */
function valueInstead(tree: SyntaxNode): number | undefined {
  const [name, body] = isBinary(tree) && tree.op === "Or" ? withoutParens(tree.right).parts : [];
  const [argument] = name?.text === "vector" ? (body?.parts ?? []) : [];
  return argument && numberOf(argument);
}

/** The directions of the same operation on other samples, or with another number. */
function operationBetween(was: Samples, is: Samples): Directions {
  const own = is.all.filter(({ op }) => op !== any.op);
  const [one, other] = [numberOf(was.tree) ?? NaN, numberOf(is.tree) ?? NaN];
  if (one < other || one > other) return own.map((each) => risingBy(signOf(each) * (other - one)));
  const [old, now] = [operationIn(was), operationIn(is)];
  if (old === undefined || now === undefined || old.rest !== now.rest) return matchersBetween(was.tree, is.tree);
  const conditions = own.length === 0 ? [any] : own;
  const moved = old.parts.flatMap((tree, i) => {
    const needed = new Set(conditions.map((each) => now.needs(each, i) ?? old.needs(each, i)));
    // What holds for each value holds for all of them.
    const [each = eachValue] = needed.size === 1 ? needed : [];
    const found = between(partOf(was, tree, [each]), partOf(is, now.parts[i] ?? tree, [each]));
    return needed.has(undefined) && found.length > 0 ? unclear : found;
  });
  return [...moved, ...conditions.flatMap((each) => rankBetween(old.ranked, now.ranked, each))];
}

/** The direction of values that fire more often the more they rise. */
const risingBy = (by: number): Direction => (by > 0 ? "alerts-more" : by < 0 ? "alerts-less" : "unclear");

/** 1 if greater values fire, -1 if less do. */
const signOf = ({ op = "" }: Condition) => (["GT", "GEQ"].includes(op) ? 1 : ["LT", "LEQ"].includes(op) ? -1 : 0);

/**
 * The condition of a part of an operation that is met more or less often whenever one of the result is; undefined if that
 * depends on more than one of the samples.
 */
type Needs = (each: Condition, part: number) => Condition | undefined;

// Conditions with a threshold that may be any other one: it is beyond all of a query, so that only the operator counts.
const eachValue = { op: "NEQ", value: Number.MAX_VALUE };
const eachGreater = { op: "GT", value: -Number.MAX_VALUE };
const eachLess = { op: "LT", value: Number.MAX_VALUE };
const hasThreshold = (each: Condition) => ![eachValue, eachGreater, eachLess].some((other) => other === each);

/**
 * What a condition needs of values with which the result rises, or falls if the sign is negative.
 * @param sign 0 if it may rise or fall, undefined if there may be none.
 */
function neededBy(each: Condition, sign: number | undefined): Condition {
  if (each.op === any.op && sign !== undefined) return any;
  const needed = signOf(each) * (sign ?? 0);
  return needed > 0 ? eachGreater : needed < 0 ? eachLess : eachValue;
}

/** What a condition needs of samples that all have a part in the result: only whether there are some. */
const neededOfAll = (each: Condition) => (each.op === any.op ? any : undefined);

/** The sign of conditions for which one sample of an aggregation is enough, and what they need of it. */
const enough: Readonly<Record<string, readonly [sign: number, needed: Condition]>> = {
  count: [1, any],
  max: [1, eachGreater],
  min: [-1, eachLess],
};

/** An operation on parts of an expression. */
interface Operation {
  readonly parts: readonly SyntaxNode[];
  readonly needs: Needs;
}

/** The parts of an operation, its text without them, and apart from that its name if it has a rank. */
function operationIn(samples: Samples) {
  const { tree } = samples;
  const found = isBinary(tree) ? operationOnSides(tree, samples.isNamed) : operationOfOperand(tree);
  if (found === undefined) return undefined;
  const ends = [tree.from, ...found.parts.map(({ to }) => to)];
  const textBetween = (from: number, to = tree.to) => tree.text.slice(from - tree.from, to - tree.from);
  const text = ends.map((from, i) => textBetween(from, found.parts[i]?.from)).join("_");
  const [ranked = ""] = /^(?:min|avg|max)(?=_over_time|\b)/.exec(text) ?? [];
  return { ...found, ranked, rest: text.slice(ranked.length) };
}

const operationOn = (part: SyntaxNode, needs: Needs = (each) => neededBy(each, 0)): Operation => ({
  parts: [part],
  needs,
});

/** The operation of an operator between two sides. */
function operationOnSides(tree: Binary, isNamed: boolean): Operation | undefined {
  const { op, left, right, modifiers } = tree;
  const isMatched = [left, right].every((side) => valueType(side) === "vector");
  const isRead = modifiers.every(({ name }) => name === "BoolModifier") && (isNamed || !isMatched);
  if (isSelection(tree) || !isRead) return undefined;
  const [byRight, byLeft] = [numberOf(right) ?? 0, numberOf(left) ?? 0];
  const signs = { Add: [1, 1], Sub: [1, -1], Mul: [byRight, byLeft], Div: [byRight, 0] }[op];
  // What trims histograms drops other samples.
  const other = isComparison(tree) || op.startsWith("Trim") ? undefined : 0;
  return { parts: [left, right], needs: (each, i) => neededBy(each, signs?.[i] ?? other) };
}

/** The operation of a sign, a range, a function or an aggregation. */
function operationOfOperand(node: SyntaxNode): Operation | undefined {
  const { of, suffixes } = modified(node);
  // A series with samples at other times of a subquery has another value.
  if (suffixes.length > 0) return operationOn(of, valueType(node) === "matrix" ? neededOfAll : undefined);
  const [[first, second], argument] = [node.parts, argumentOf(node)];
  if (node.name === "UnaryExpr" && second !== undefined) return operationOn(second, (each) => neededBy(each, -1));
  if (node.name === "MatrixSelector" && first !== undefined) return operationOn(first);
  if (first === undefined || argument === undefined) return undefined;
  const [name, number] = [first.text, node.parts.at(-1)?.parts[0] ?? argument];
  if (name === "histogram_quantile") return operationOn(number, (each) => neededBy(each, 1));
  if (name === "topk" || name === "bottomk") return operationOn(number, () => eachGreater);
  if (node.name === "FunctionCall") return isPerSeries(name) ? operationOn(argument) : undefined;
  if (!/^(?:sum|avg|min|max|count|group|stddev|stdvar)$/.test(name)) return undefined;
  const [sign, needed] = enough[name] ?? [];
  return operationOn(argument, (each) => (signOf(each) === sign ? needed : neededOfAll(each)));
}

const ranks = ["min", "avg", "max"];

/** The directions of another of the ranks for the same samples. Of one that is no number, only the average is none, too. */
function rankBetween(was: string, is: string, each: Condition): Directions {
  if (was === is || each.op === any.op) return [];
  const sign = signOf(each);
  const isDecided = [was, is].includes(sign > 0 ? "max" : "min");
  return [risingBy(isDecided ? sign * (ranks.indexOf(is) - ranks.indexOf(was)) : 0)];
}

/** The directions of another selector of the same metric. */
function matchersBetween(was: SyntaxNode, is: SyntaxNode): Directions {
  const [old, now] = [selectorIn(was), selectorIn(is)];
  if (old === undefined || now === undefined || old.metric !== now.metric) return unclear;
  const isNarrower = (narrow: Matchers, wide: Matchers) =>
    all(wide.map((each) => anyOf(narrow.map((other) => isMatcherWithin(other, each)))));
  const [isKept, isOld] = [isNarrower(old.matchers, now.matchers), isNarrower(now.matchers, old.matchers)];
  return isKept === undefined || isOld === undefined ? unclear : directionsOf(!isKept, !isOld);
}

type Matchers = NonNullable<ReturnType<typeof matchersIn>>;

/** A metric with its label matchers. */
function selectorIn(node: SyntaxNode) {
  if (node.name !== "VectorSelector") return undefined;
  const [metric, matchers] = [node.parts[0], matchersIn(node)];
  return metric?.name === "Identifier" && matchers ? { metric: metric.text, matchers } : undefined;
}

/** Whether each value that one matcher takes is one that another one of the same label takes, too; undefined if unknown. */
function isMatcherWithin(narrow: Matchers[number], wide: Matchers[number]): boolean | undefined {
  const [one, other] = [{ labelMatchers: [narrow] }, { labelMatchers: [wide] }];
  if (narrow.name !== wide.name || (narrow.isNot && !wide.isNot)) return false;
  if (narrow.isNot) return coveredBy([one], other);
  if (!wide.isNot) return coveredBy([other], one);
  const isShared = meets(one, other);
  return isShared === undefined ? undefined : !isShared;
}
