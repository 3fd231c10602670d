import { type Field, ListField, MapField } from "../../provider/schema/field";
import { fieldIn, type Path, type PathStep } from "../../provider/schema/walk";
import { equivalenceKey } from "../../provider/values/equal";
import { append, grouped } from "../../provider/base/grouped";
import { paired, pairsIn } from "../../provider/values/pairs";
import { pathsWhere } from "../../provider/values/unknown";
import { entries, items } from "../../provider/wire/json";
import { isEquivalentInReview, normalForm } from "./normalForm";
import { shownAt } from "./hidden";

/** A part in which two declarations differ, with the value of each; undefined for nothing. */
export interface Part {
  /** Indexes are those of the later declaration, or `gone`. */
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
  /** The paths of all values in it, from the part on. */
  readonly leaves: readonly Path[];
  /** Whether only the order of a list differs. */
  readonly isOrder?: true;
}

/** The step to an item that only the earlier list has, by its index there. No item of the later list has it. */
export const gone = (index: number): PathStep => -1 - index;

/** The path of a list's order, which contains no item. */
export const orderOf = (list: Path): Path => [...list, "*"];

/** A path with the earlier index of an item that was removed. */
export const shownPath = (path: Path): Path =>
  path.map((step) => (typeof step === "number" && step < 0 ? -1 - step : step));

/**
 * A path with the indexes that the program has: in its normal form, a list without an order has another one, and one whose
 * first match applies may have. An item that is added, removed or a scalar is shown by its value, without an index.
 */
export function programPath(field: Field, [step, ...rest]: Path, declared: unknown, normal: unknown): Path {
  const inner = step === undefined ? undefined : fieldIn(field, step);
  if (step === undefined || inner === undefined) return step === undefined ? [] : [step, ...rest];
  const isUnordered = field instanceof ListField && (field.options.unordered || field.options.format === "firstMatch");
  if (isUnordered && rest.length === 0) return [];
  const item = shownAt(normal, [step]);
  const key = (each: unknown) => equivalenceKey(inner, normalForm(inner, each));
  const found = isUnordered ? items(declared).findIndex((each) => key(each) === equivalenceKey(inner, item)) : -1;
  const at = found < 0 ? step : found;
  return [at, ...programPath(inner, rest, shownAt(declared, [at]), item)];
}

/** The paths of all values in a part, from the declaration on. */
export const leavesOf = ({ path, after, leaves }: Part): readonly Path[] =>
  leaves.map((leaf) => [
    ...path,
    ...leaf.map((step) => (after === undefined && typeof step === "number" ? gone(step) : step)),
  ]);

/**
 * Every part in which two declarations differ. An object or an item that only one side has is one part. Equivalent
 * declarations have no parts, and all others have at least one.
 */
export function differingParts(field: Field, before: unknown, after: unknown, path: Path = []): readonly Part[] {
  if (isEquivalentInReview(field, before, after)) return [];
  const parts =
    field instanceof ListField
      ? partsOfList(field, before, after, path)
      : pairsIn(field, before, after)?.flatMap(({ step, field: inner, left, right }) =>
          // A key's value is compared as it is, even if it is hidden.
          field instanceof MapField && left === right ? [] : differingParts(inner, left, right, [...path, step]),
        );
  return parts === undefined || parts.length === 0 ? [partAt(path, before, after)] : parts;
}

function partsOfList(list: ListField, before: unknown, after: unknown, path: Path): readonly Part[] {
  const [old, now] = [before, after].map((side) => (items(side).length === 0 ? undefined : side));
  const isWhole = path.some(Number.isInteger) && (old === undefined || now === undefined);
  return isWhole ? [partAt(path, old, now)] : partsOfItems(list, items(before), items(after), path);
}

const partAt = (path: Path, before: unknown, after: unknown): Part => {
  const isOnBoth = before !== undefined && after !== undefined;
  return { path, before, after, leaves: isOnBoth ? [[]] : leavesIn(after ?? before) };
};

type Items = readonly unknown[];

function partsOfItems(list: ListField, before: Items, after: Items, path: Path): readonly Part[] {
  const pairs = partners(list, before, after);
  const kept = pairs.filter((pair): pair is readonly [number, number] => pair[1] !== undefined);
  const removed = [...before.keys()].filter((i) => !kept.some(([, from]) => from === i));
  const parts = [
    ...pairs.flatMap(([at, from]) =>
      from === undefined
        ? [partAt([...path, at], undefined, after[at])]
        : differingParts(list.item, before[from], after[at], [...path, at]),
    ),
    ...removed.map((from) => partAt([...path, gone(from)], before[from], undefined)),
  ];
  const inOrder = [...kept].sort(([, a], [, b]) => a - b);
  const itemsIn = (order: typeof kept) => order.map(([, from]) => before[from]);
  if (list.options.unordered || isEquivalentInReview(list, itemsIn(inOrder), itemsIn(kept))) return parts;
  return [...parts, { path, before, after, leaves: [orderOf([])], isOrder: true }];
}

/** For each item of a list the index of the earlier list's item that it corresponds to; undefined for a new one. */
function partners(
  list: ListField,
  before: Items,
  after: Items,
): readonly (readonly [at: number, from: number | undefined])[] {
  const positions = new Map<unknown, number[]>();
  after.forEach((each, at) => append(positions, each, at));
  // Items correspond by their content: those of an ordered list may have moved.
  return paired(new ListField(list.item, "", { unordered: true }), after, before)
    .map(([each, from]) => [positions.get(each)?.shift() ?? 0, from < before.length ? from : undefined] as const)
    .sort(([a], [b]) => a - b);
}

/** The paths of all values in a value. An empty object or list is one. */
const leavesIn = (value: unknown) =>
  pathsWhere(
    value,
    (each) =>
      each !== undefined && each !== null && Object.keys(entries(each)).length === 0 && items(each).length === 0,
  );

/** The steps into a value, with what is there: a list has indexes, an object keys, and anything else none. */
export const stepsIn = (value: unknown): readonly (readonly [PathStep, unknown])[] =>
  Array.isArray(value) ? [...(value as Items).entries()] : Object.entries(entries(value));

/** The part of a value at some of its paths; undefined for nothing. */
export function only(value: unknown, paths: readonly Path[]): unknown {
  if (value === undefined || paths.some(({ length }) => length === 0)) return value;
  const within = grouped(paths, ([step]) => step);
  const inner = (step: PathStep, each: unknown) =>
    only(
      each,
      (within.get(step) ?? []).map((path) => path.slice(1)),
    );
  if (Array.isArray(value)) return (value as Items).flatMap((each, i) => (within.has(i) ? [inner(i, each)] : []));
  const kept = Object.entries(entries(value)).filter(([key]) => within.has(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, inner(key, each)]));
}
