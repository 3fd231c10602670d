import { isKnown, isMetBeyond } from "../../equality/normal/conditions";
import { filterOf, numberOf, textOf, withoutParens, withUsualNumbers } from "../../promql/expression";
import { resultLabels } from "../../promql/resultLabels";
import { nodeOf, readOr, treeOf } from "../../promql/tree";
import { type Direction, oppositeDirection } from "../risk";
import type { Conditions } from "./conditions";
import { sided } from "./rules";

/** The directions of the parts of a change: none if the same values fire. */
type Directions = readonly Direction[];

const unknown: Directions = ["unclear"];
const [any, miss] = [{ op: "EXISTS" }, { op: "NOT_EXISTS" }];

/** The directions of another query for conditions that stay, whatever the data is. Both queries have their canonical text. */
export function queryDirections(before: string, after: string, conditions: Conditions): Directions {
  const found = (all: Conditions) => between({ text: before, all }, { text: after, all });
  // A series that is never found is not missed, unless there is no other one.
  const isOne = [before, after].every((text) => resultLabels(text)?.length === 0);
  const directionsOf = (condition: Conditions[number]) => {
    if (!isKnown(condition)) return unknown;
    if (condition.op !== miss.op) return found([condition]);
    const some = found([any]);
    return isOne || some.length === 0 ? some.map(oppositeDirection) : unknown;
  };
  return readOr(unknown, () => conditions.flatMap(directionsOf));
}

/** Whether a query always has its only series: `sum(up) or vector(0)`. */
export const isNeverMissed = (query: string) =>
  resultLabels(query)?.length === 0 && valueInstead(setOperation(query)) !== undefined;

/** The samples of an expression for which all of the conditions hold. */
interface Samples {
  readonly text: string;
  readonly all: Conditions;
}

function between(before: Samples, after: Samples): Directions {
  const [old, now] = [filtered(before), filtered(after)];
  const filters = [sided(isMetBeyond(old.all, now.all), isMetBeyond(now.all, old.all)) ?? []].flat();
  if (old.text === now.text) return filters;
  const [was, is] = [setOperation(old.text), setOperation(now.text)];
  if (was !== undefined && was.word === is?.word && was.op !== "Or") {
    if (was.right === is.right) return between({ ...old, text: was.left }, { ...now, text: is.left });
    const rights = between({ text: was.right, all: [any] }, { text: is.right, all: [any] });
    if (was.left === is.left) return [...filters, ...(was.op === "And" ? rights : rights.map(oppositeDirection))];
  }
  if (is !== undefined) return [...beside(is, now.all), ...between(old, { ...now, text: is.left })];
  if (was !== undefined) return between(now, old).map(oppositeDirection);
  return [...filters, ...shiftBetween(old.text, now.text, now.all)];
}

/** The direction of a set operation in addition to its left side. */
function beside(operation: SetOperation, all: Conditions): Directions {
  if (operation.op !== "Or") return ["alerts-less"];
  const value = valueInstead(operation);
  return value === undefined || isMetBeyond([...all, { op: "EQ", value }], [miss]) ? ["alerts-more"] : [];
}

/** The directions of the same expression with another number. */
function shiftBetween(before: string, after: string, all: Conditions): Directions {
  const [[old, was], [now, is]] = [numberIn(before), numberIn(after)];
  if (old !== now || Number.isNaN(was + is)) return unknown;
  const more: Direction = is > was ? "alerts-more" : "alerts-less";
  if (/^(?:top|bottom)k/.test(old)) return [more];
  const areAll = (...ops: readonly string[]) => all.every(({ op = "" }) => [...ops, any.op].includes(op));
  if (areAll()) return [];
  return areAll("GT", "GEQ") ? [more] : areAll("LT", "LEQ") ? [oppositeDirection(more)] : unknown;
}

/** The number with which all values of an expression rise, or series are added, and the rest of the text. */
function numberIn(text: string): readonly [rest: string, value: number] {
  const tree = treeIn(text);
  if (tree.is === "binary" && ["Add", "Sub"].includes(tree.op)) {
    const value = numberOf(tree.right) ?? NaN;
    return [`+ ${textOf(tree.left, text)}`, tree.op === "Add" ? value : -value];
  }
  const isRising = tree.is === "operand" && /^(?:histogram_quantile|topk|bottomk)\b/.test(text);
  const [first] = isRising ? (tree.node.parts.at(-1)?.parts ?? []) : [];
  return first ? [text.slice(0, first.from) + text.slice(first.to), numberOf(treeOf(first)) ?? NaN] : [text, NaN];
}

/** Takes the outermost comparisons with numbers from an expression. */
function filtered({ text, all }: Samples): Samples {
  const tree = treeIn(text);
  const filter = filterOf(tree);
  if (filter === undefined) return { text: textOf(tree, text), all };
  const { of, op, value } = filter;
  return filtered({ text: textOf(of, text), all: [...all, { op, value }] });
}

type SetOperation = Readonly<Record<"op" | "word" | "left" | "right", string>>;

/** The outermost operation of an expression, if it selects series. */
function setOperation(text: string): SetOperation | undefined {
  const tree = treeIn(text);
  if (tree.is !== "binary" || !["And", "Unless", "Or"].includes(tree.op)) return undefined;
  const { op, modifiers, left, right } = tree;
  const word = [op, ...modifiers.map((each) => each.text)].join(" ");
  return { op, word, left: textOf(left, text), right: textOf(right, text) };
}

/** `0` of `or vector(0)` */
function valueInstead(operation: SetOperation | undefined): number | undefined {
  const tree = operation?.op === "Or" ? treeIn(operation.right) : undefined;
  const [name, body] = tree?.is === "operand" ? tree.node.parts : [];
  const [argument] = name?.text === "vector" ? (body?.parts ?? []) : [];
  return argument && numberOf(treeOf(argument));
}

const treeIn = (text: string) => withoutParens(treeOf(nodeOf(withUsualNumbers(text))));
