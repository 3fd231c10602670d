import { type Field, ListField } from "../schema/field";
import { formatPath, type PathStep } from "../schema/walk";
import { entries, isObject, items, keysOf } from "../wire/json";
import { equivalenceKey, isEquivalent, isZero } from "./equal";
import { leaves } from "./leaves";
import { withoutSecrets } from "./secrets";
import { append } from "../base/grouped";

/** Two parts that correspond to each other; undefined for a part that only one side has. */
export interface Pair {
  /** To the part of the left side. An item that only the right side has is beyond the left side's end. */
  readonly step: PathStep;
  readonly field: Field;
  readonly left: unknown;
  readonly right: unknown;
}

/**
 * The pairs of parts of two values: of an object's fields, a map's keys, and the right list's items. Undefined if the two
 * can only be compared as a whole: scalars, and an object with none.
 */
export const pairsIn = (field: Field, left: unknown, right: unknown): readonly Pair[] | undefined =>
  field.visit<readonly Pair[] | undefined>({
    scalar: () => undefined,
    list: (list) => {
      const old = items(left);
      return paired(list, items(right), old).map(([each, i]) => pair(i, list.item, old[i], each));
    },
    map: ({ item }) => {
      const [old, now] = [entries(left), entries(right)];
      return keysOf(old, now).map((key) => pair(key, item, old[key], now[key]));
    },
    object: ({ shape }) => {
      if (!isObject(left) || !isObject(right)) return undefined;
      // Most fields are in neither.
      const present = shape.members.filter(({ name }) => left[name] !== undefined || right[name] !== undefined);
      return present.map(({ name, field: inner }) => pair(name, inner, left[name], right[name]));
    },
  });

const pair = (step: PathStep, field: Field, left: unknown, right: unknown): Pair => ({ step, field, left, right });

/** Whether two values are lists of which one has more items: then their items may not correspond. */
export const isLonger = (field: Field, left: unknown, right: unknown) =>
  field instanceof ListField && items(left).length !== items(right).length;

/** An item of a list, and the index of the other list's item that it corresponds to; beyond its end if there is none. */
type Placed = readonly [each: unknown, index: number];

/**
 * Pairs the items of two lists, sorted by index. Items of a list correspond by index. Those of an unordered list
 * correspond if they are equivalent, otherwise by the number of common values, without secrets.
 */
export function paired(field: ListField, list: readonly unknown[], others: readonly unknown[]): readonly Placed[] {
  const isSame = (each: unknown, i: number) => isEquivalent(field.item, each, others[i]);
  const isInOrder = !field.options.unordered || (list.length === others.length && list.every(isSame));
  if (isInOrder) return list.map((each, i) => [each, i]);
  const found = new Map<unknown, number>(); // by position in `list`
  const take = (position: number, index: number) => {
    found.set(position, index);
    open.delete(index);
  };
  const open = new Set(others.keys());

  const indexes = new Map<string, number[]>();
  const publicKeyOf = (each: unknown) => equivalenceKey(field.item, withoutSecrets(field.item, each));
  others.forEach((each, i) => append(indexes, publicKeyOf(each), i));
  for (const same of indexes.values()) same.reverse();
  list.forEach((each, position) => {
    const index = indexes.get(publicKeyOf(each))?.pop();
    if (index !== undefined) take(position, index);
  });

  const alone = [...list.keys()].filter((position) => !found.has(position));
  for (const { position, index } of closest(field, list, others, alone, open)) {
    if (!found.has(position) && open.has(index)) take(position, index);
  }
  const rest = [...open];
  let added = others.length;
  return list
    .map((each, position): Placed => [each, found.get(position) ?? rest.shift() ?? added++])
    .sort(([, a], [, b]) => a - b);
}

/** Positions in `list` with indexes in `others` whose items have values in common, most first. */
function closest(
  { item }: ListField,
  list: readonly unknown[],
  others: readonly unknown[],
  positions: readonly number[],
  indexes: Iterable<number>,
): readonly { readonly position: number; readonly index: number }[] {
  const valuesOf = (value: unknown) =>
    leaves(item, withoutSecrets(item, value))
      .filter((leaf) => !isZero(leaf.value))
      .map((leaf) => `${formatPath(leaf.path)} ${JSON.stringify(leaf.value)}`);
  const itemsByValue = new Map<string, number[]>();
  for (const index of indexes) for (const value of valuesOf(others[index])) append(itemsByValue, value, index);
  return positions
    .flatMap((position) => {
      const common = new Map<number, number>();
      for (const value of valuesOf(list[position]))
        for (const index of itemsByValue.get(value) ?? []) common.set(index, (common.get(index) ?? 0) + 1);
      return [...common].map(([index, count]) => ({ position, index, count }));
    })
    .sort((a, b) => b.count - a.count || a.position - b.position || a.index - b.index);
}
