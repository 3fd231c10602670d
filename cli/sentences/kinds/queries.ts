import { isKnown, isMetBeyond } from "../../equality/normal/conditions";
import { coveredBy, meets } from "../../equality/normal/matchers";
import {
  filterOf,
  isPerSeries,
  numberOf,
  textOf,
  valueType,
  withoutParens,
  withUsualNumbers,
} from "../../promql/expression";
import { matchersIn } from "../../promql/labels";
import { exactName, metricsRead } from "../../promql/metrics";
import { argumentOf, resultSeries } from "../../promql/resultSeries";
import { type Binary, nodeOf, readOr, type Tree, treeOf } from "../../promql/tree";
import { conditionText } from "../conditionText";
import { type Direction, oppositeDirection } from "../risk";
import type { Conditions } from "./conditions";
import { sided } from "./rules";

type Condition = Conditions[number];

/** The directions of the parts of a change: none if the same values fire. */
type Directions = readonly Direction[];

const unknown: Directions = ["unclear"];
const [any, miss] = [{ op: "EXISTS" }, { op: "NOT_EXISTS" }];

/** The directions of another query for conditions that stay, whatever the data is. Both queries have their canonical text. */
export function queryDirections(before: string, after: string, conditions: Conditions): Directions {
  // A series that is never found is not missed, unless there is no other one.
  const isOne = [before, after].every((text) => resultSeries(text).labels?.length === 0);
  return readOr(unknown, () => {
    const [old, now] = [samplesOf(before), samplesOf(after)];
    return conditions.flatMap((each) => {
      if (!isKnown(each)) return unknown;
      if (each.op !== miss.op) return between({ ...old, all: [each] }, { ...now, all: [each] });
      const found = between(old, now);
      return isOne || found.length === 0 ? found.map(oppositeDirection) : unknown;
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
  readonly tree: Tree;
  readonly query: string;
  /** Whether each selector reads one metric, so that no two of its series have the same other labels. */
  readonly isNamed: boolean;
  readonly all: Conditions;
}

function samplesOf(written: string): Samples {
  const query = withUsualNumbers(written);
  const isNamed = [metricsRead(query)]
    .flat()
    .every((each) => typeof each !== "string" && exactName(each) !== undefined);
  return { tree: treeOf(nodeOf(query)), query, isNamed, all: [any] };
}

function between(before: Samples, after: Samples): Directions {
  const [old, now] = [filtered(before), filtered(after)];
  const [was, is] = [old.tree, now.tree];
  const filters = [sided(isMetBeyond(old.all, now.all), isMetBeyond(now.all, old.all)) ?? []].flat();
  const areSame = (one: Tree, other: Tree) => textOf(one, old.query) === textOf(other, now.query);
  if (areSame(was, is)) return filters;
  if (isSelection(was) && isSelection(is) && wordOf(was) === wordOf(is)) {
    const isOr = was.op === "Or";
    const rights = between(
      { ...old, tree: was.right, all: isOr ? old.all : [any] },
      { ...now, tree: is.right, all: isOr ? now.all : [any] },
    );
    const fires = (side: Samples, tree: Tree) =>
      side.all.every(hasThreshold) && !isMetBeyond(metBy({ ...side, tree, all: [any] }), side.all);
    // What `or` loses on its left side may come from its right side: never more than that, if the left side always fires.
    const isTold = isOr
      ? was.modifiers.length === 0 && fires(old, was.left) && fires(now, is.left)
      : !rights.includes("unclear");
    if (isTold || areSame(was.left, is.left)) {
      const lefts = between({ ...old, tree: was.left }, { ...now, tree: is.left });
      return [...lefts, ...(was.op === "Unless" ? rights.map(oppositeDirection) : rights)];
    }
  }
  if (isSelection(is)) return [...beside(is, now.all), ...between(old, { ...now, tree: is.left })];
  if (isSelection(was)) return between(now, old).map(oppositeDirection);
  return [...filters, ...operationBetween({ ...old, all: now.all }, now)];
}

/** Takes the outermost comparisons with numbers from an expression, also those of the same series: `errs and errs > 5`. */
function filtered(samples: Samples): Samples {
  const [tree, { query, isNamed, all }] = [withoutParens(samples.tree), samples];
  const filter = filterOf(tree);
  if (filter !== undefined) {
    const { of, op, value } = filter;
    return filtered({ ...samples, tree: of, all: [...all, { op, value }] });
  }
  if (isNamed && isSelection(tree) && wordOf(tree) === "And") {
    const left = filtered({ ...samples, tree: tree.left });
    const both = filtered({ ...left, tree: tree.right });
    if (textOf(left.tree, query) === textOf(both.tree, query)) return both;
  }
  return { ...samples, tree };
}

/** What all samples of an expression meet. */
function metBy(samples: Samples): Conditions {
  const { tree, ...rest } = filtered(samples);
  return isSelection(tree) && tree.op !== "Or" ? metBy({ ...rest, tree: tree.left }) : rest.all;
}

const isSelection = (tree: Tree): tree is Binary => tree.is === "binary" && ["And", "Unless", "Or"].includes(tree.op);
const wordOf = ({ op, modifiers }: Binary) => [op, ...modifiers.map(({ text }) => text)].join(" ");

/** The direction of a selection in addition to its left side. */
function beside(tree: Binary, all: Conditions): Directions {
  if (tree.op !== "Or") return ["alerts-less"];
  const value = valueInstead(tree) ?? NaN;
  return Number.isNaN(value) || isMetBeyond([...all, { op: "EQ", value }], [miss]) ? ["alerts-more"] : [];
}

/** `0` of `or vector(0)` */
function valueInstead(tree: Tree): number | undefined {
  const right = tree.is === "binary" && tree.op === "Or" ? withoutParens(tree.right) : undefined;
  const [name, body] = right?.is === "operand" ? right.node.parts : [];
  const [argument] = name?.text === "vector" ? (body?.parts ?? []) : [];
  return argument && numberOf(treeOf(argument));
}

/** The directions of the same operation on other samples, or with another number. */
function operationBetween(was: Samples, is: Samples): Directions {
  const own = is.all.filter(({ op }) => op !== any.op);
  const [one, other] = [numberOf(was.tree) ?? NaN, numberOf(is.tree) ?? NaN];
  if (one < other || one > other) return own.flatMap(({ op }) => risingBy(other > one, op) ?? unknown);
  const [old, now] = [operationIn(was), operationIn(is)];
  if (old === undefined || now === undefined || old.rest !== now.rest) return matchersBetween(was.tree, is.tree);
  const conditions = own.length === 0 ? [any] : own;
  const moved = old.of.flatMap((tree, i) => {
    const needed = new Set(conditions.map((each) => now.needs(each, i) ?? old.needs(each, i)));
    // What holds for each value holds for all of them.
    const [one] = needed.size === 1 ? needed : [];
    const all = [one ?? eachValue];
    const found = between({ ...was, tree, all }, { ...is, tree: now.of[i] ?? tree, all });
    return needed.has(undefined) && found.length > 0 ? unknown : found;
  });
  return [...moved, ...conditions.flatMap((each) => rankBetween(old.op, now.op, each))];
}

/** The direction of a comparison with values that rise or fall; undefined for one of equality. */
const risingBy = (isRise: boolean, op = ""): Direction | undefined =>
  isGreater(op) ? (isRise ? "alerts-more" : "alerts-less") : isLess(op) ? risingBy(!isRise, "GT") : undefined;

const isGreater = (op = "") => ["GT", "GEQ"].includes(op);
const isLess = (op = "") => ["LT", "LEQ"].includes(op);

/** An operation on samples and numbers. */
interface Operation {
  /** `max`, if there are others of its rank; else empty. */
  readonly op: string;
  /** Its text without such a name, and without what it is of. */
  readonly rest: string;
  readonly of: readonly Tree[];
  /**
   * The condition of what it is of that is met more often or less often whenever one of the result is; undefined if that
   * depends on more than one of the samples.
   */
  needs(condition: Condition, i: number): Condition | undefined;
}

// Conditions with a threshold that may be any other one: it is beyond all of a query, so that only the operator counts.
const eachValue = { op: "NEQ", value: Number.MAX_VALUE };
const eachGreater = { op: "GT", value: -Number.MAX_VALUE };
const eachLess = { op: "LT", value: Number.MAX_VALUE };
const hasThreshold = (each: Condition) => ![eachValue, eachGreater, eachLess].some((other) => other === each);

/**
 * What a condition needs of values with which the result rises, or falls if the sign is negative.
 * @param sign 0 if it may rise or fall, undefined if there may be none.
 */
function neededBy({ op }: Condition, sign: number | undefined): Condition {
  if (op === any.op && sign !== undefined) return any;
  if (!sign || (!isGreater(op) && !isLess(op))) return eachValue;
  return isGreater(op) === sign > 0 ? eachGreater : eachLess;
}

function operationIn({ tree, query, isNamed }: Samples): Operation | undefined {
  const operation = (of: readonly Tree[], needs: Operation["needs"] = (each) => neededBy(each, 0)): Operation => {
    const text = [tree.from, ...of.map(({ to }) => to)].map((from, i) => query.slice(from, of[i]?.from ?? tree.to));
    const [op = ""] = /^(?:min|avg|max)(?=_over_time|\b)/.exec(text[0] ?? "") ?? [];
    return { op, rest: text.join("_").slice(op.length), of, needs };
  };
  if (tree.is === "unary") return operation([tree.of], (each) => neededBy(each, -1));
  if (tree.is === "binary") {
    const { op, left, right, modifiers } = tree;
    const sides = [left, right];
    const isMatched = sides.every((side) => valueType(side) === "vector");
    if (isSelection(tree) || modifiers.some(({ name }) => name !== "BoolModifier")) return undefined;
    if (isMatched && !isNamed) return undefined;
    const factor = (i: number) => numberOf(i === 0 ? right : left) ?? 0;
    const signs = { Add: [1, 1], Sub: [1, -1], Mul: [factor(0), factor(1)], Div: [factor(0), 0], Mod: [0, 0], Pow: [0, 0], Atan2: [0, 0] }[op];
    return operation(sides, (each, i) => neededBy(each, signs?.[i]));
  }
  const { node, suffixes } = tree;
  if (suffixes.length > 0) {
    // A series with samples at other times of a subquery has another value.
    const needs = (each: Condition) => (each.op === any.op ? any : undefined);
    return operation([{ ...tree, suffixes: [], to: node.to }], valueType(tree) === "matrix" ? needs : undefined);
  }
  const [first, argument] = [node.parts[0], argumentOf(node)];
  if (node.name === "MatrixSelector" && first !== undefined) return operation([treeOf(first)]);
  if (first === undefined || argument === undefined) return undefined;
  const [name, number] = [first.text, node.parts.at(-1)?.parts[0] ?? argument];
  if (name === "histogram_quantile") return operation([treeOf(number)], (each) => neededBy(each, 1));
  if (name === "topk" || name === "bottomk") return operation([treeOf(number)], () => eachGreater);
  if (node.name === "FunctionCall") return isPerSeries(name) ? operation([treeOf(argument)]) : undefined;
  if (!/^(?:sum|avg|min|max|count|group|stddev|stdvar)$/.test(name)) return undefined;
  return operation([treeOf(argument)], (each) => {
    if (each.op === any.op || (name === "count" && isGreater(each.op))) return any;
    return name === "max" && isGreater(each.op)
      ? eachGreater
      : name === "min" && isLess(each.op)
        ? eachLess
        : undefined;
  });
}

const ranks = ["min", "avg", "max"];

/** The directions of another of the ranks for the same samples. Of one that is no number, only the average is none, too. */
function rankBetween(was: string, is: string, { op }: Condition): Directions {
  if (was === is || op === any.op) return [];
  const isDecided = [was, is].includes(isGreater(op) ? "max" : "min");
  return [(isDecided && risingBy(ranks.indexOf(is) > ranks.indexOf(was), op)) || "unclear"];
}

/** The directions of another selector of the same metric. */
function matchersBetween(was: Tree, is: Tree): Directions {
  const [old, now] = [selectorIn(was), selectorIn(is)];
  if (old === undefined || now === undefined || old.metric !== now.metric) return unknown;
  const isWithin = (some: Matchers, others: Matchers) =>
    others.every((other) => some.some((each) => isMatcherWithin(each, other)));
  return [sided(!isWithin(old.matchers, now.matchers), !isWithin(now.matchers, old.matchers)) ?? []].flat();
}

type Matchers = NonNullable<ReturnType<typeof matchersIn>>;

/** A metric with its label matchers. */
function selectorIn(tree: Tree) {
  const { parts = [], name = "" } = tree.is === "operand" && tree.suffixes.length === 0 ? tree.node : {};
  const [metric, matchers] = [parts[0], name === "VectorSelector" ? matchersIn(parts) : undefined];
  return metric?.name === "Identifier" && matchers ? { metric: metric.text, matchers } : undefined;
}

/** Whether each value that one matcher takes is one that another one of the same label takes, too. */
function isMatcherWithin(narrow: Matchers[number], wide: Matchers[number]): boolean {
  const [one, other] = [{ labelMatchers: [narrow] }, { labelMatchers: [wide] }];
  if (narrow.name !== wide.name || (narrow.isNot && !wide.isNot)) return false;
  if (narrow.isNot) return coveredBy([one], other) === true;
  return wide.isNot ? meets(one, other) === false : coveredBy([other], one) === true;
}
