import { isKnown, isMetBeyond } from "../../equality/normal/conditions";
import { filterOf, numberOf, textOf, withoutParens, withUsualNumbers } from "../../promql/expression";
import { resultLabels } from "../../promql/resultLabels";
import { type Binary, nodeOf, readOr, type Tree, treeOf } from "../../promql/tree";
import { conditionText } from "../conditionText";
import { type Direction, oppositeDirection } from "../risk";
import type { Conditions } from "./conditions";
import { sided } from "./rules";

/** The directions of the parts of a change: none if the same values fire. */
type Directions = readonly Direction[];

const unknown: Directions = ["unclear"];
const [any, miss] = [{ op: "EXISTS" }, { op: "NOT_EXISTS" }];

/** The directions of another query for conditions that stay, whatever the data is. Both queries have their canonical text. */
export function queryDirections(before: string, after: string, conditions: Conditions): Directions {
  // A series that is never found is not missed, unless there is no other one.
  const isOne = [before, after].every((text) => resultLabels(text)?.length === 0);
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
  resultLabels(query)?.length === 0 && valueInstead(withoutParens(samplesOf(query).tree)) !== undefined;

/** The conditions of a query: one that all its samples meet, such as `GT 0` of `errs > 5`, is as good as EXISTS. */
export const conditionsBeyond = (query: string, conditions: Conditions): Conditions =>
  readOr(conditions, () => {
    const met = metBy(samplesOf(query));
    const isAlways = (each: Conditions[number]) => isKnown(each) && !isMetBeyond(met, [each]);
    return conditions.map((each) => (isAlways(each) ? { ...each, ...any, value: 0, text: conditionText(each) } : each));
  });

/** The samples of a part of a query for which all of the conditions hold. */
interface Samples {
  readonly tree: Tree;
  readonly query: string;
  readonly all: Conditions;
}

function samplesOf(written: string): Samples {
  const query = withUsualNumbers(written);
  return { tree: treeOf(nodeOf(query)), query, all: [any] };
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
    const fires = (side: Samples, tree: Tree) => !isMetBeyond(metBy({ ...side, tree, all: [any] }), side.all);
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
  return [...filters, ...shiftBetween(numberIn(old), numberIn(now), now.all)];
}

/** Takes the outermost comparisons with numbers from an expression. */
function filtered({ tree, query, all }: Samples): Samples {
  const filter = filterOf(withoutParens(tree));
  if (filter === undefined) return { tree: withoutParens(tree), query, all };
  const { of, op, value } = filter;
  return filtered({ tree: of, query, all: [...all, { op, value }] });
}

/** What all samples of an expression meet. */
function metBy(samples: Samples): Conditions {
  const { tree, query, all } = filtered(samples);
  return isSelection(tree) && tree.op !== "Or" ? metBy({ tree: tree.left, query, all }) : all;
}

const isSelection = (tree: Tree): tree is Binary => tree.is === "binary" && ["And", "Unless", "Or"].includes(tree.op);
const wordOf = ({ op, modifiers }: Binary) => [op, ...modifiers.map(({ text }) => text)].join(" ");

/** The direction of a selection in addition to its left side. */
function beside(tree: Binary, all: Conditions): Directions {
  if (tree.op !== "Or") return ["alerts-less"];
  const value = valueInstead(tree);
  return value === undefined || isMetBeyond([...all, { op: "EQ", value }], [miss]) ? ["alerts-more"] : [];
}

/** `0` of `or vector(0)` */
function valueInstead(tree: Tree): number | undefined {
  const right = tree.is === "binary" && tree.op === "Or" ? withoutParens(tree.right) : undefined;
  const [name, body] = right?.is === "operand" ? right.node.parts : [];
  const [argument] = name?.text === "vector" ? (body?.parts ?? []) : [];
  return argument && numberOf(treeOf(argument));
}

/** The number with which all values of an expression rise, or series are added, and the rest of the text. */
function numberIn({ tree, query }: Samples): readonly [rest: string, value: number] {
  const text = textOf(tree, query);
  if (tree.is === "binary" && ["Add", "Sub"].includes(tree.op)) {
    const value = numberOf(tree.right) ?? NaN;
    return [`+ ${textOf(tree.left, query)}`, tree.op === "Add" ? value : -value];
  }
  const isRising = tree.is === "operand" && /^(?:histogram_quantile|topk|bottomk)\b/.test(text);
  const [first] = isRising ? (tree.node.parts.at(-1)?.parts ?? []) : [];
  if (first === undefined) return [text, NaN];
  return [query.slice(tree.from, first.from) + query.slice(first.to, tree.to), numberOf(treeOf(first)) ?? NaN];
}

/** The directions of the same expression with another number. */
function shiftBetween([old, was]: Shift, [now, is]: Shift, all: Conditions): Directions {
  if (old !== now || Number.isNaN(was + is)) return unknown;
  const more: Direction = is > was ? "alerts-more" : "alerts-less";
  if (/^(?:top|bottom)k/.test(old)) return [more];
  const areAll = (...ops: readonly string[]) => all.every(({ op = "" }) => [...ops, any.op].includes(op));
  if (areAll()) return [];
  return areAll("GT", "GEQ") ? [more] : areAll("LT", "LEQ") ? [oppositeDirection(more)] : unknown;
}

type Shift = ReturnType<typeof numberIn>;
