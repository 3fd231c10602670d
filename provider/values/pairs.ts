import type { ListField } from "../schema/field";
import { formatPath } from "../schema/walk";
import { equivalenceKey, isSameInOrder, isZero } from "./equal";
import { leaves } from "./leaves";
import { withoutSecrets } from "./secrets";
import { append } from "./grouped";

/** An item of a list, and the index of the other list's item that it corresponds to; beyond its end if there is none. */
export type Pair = readonly [each: unknown, index: number];

/**
 * Pairs the items of two lists, sorted by index. Items of a list correspond by index. Those of an unordered list
 * correspond if they are equivalent, otherwise by the number of common values, without secrets.
 */
export function paired(field: ListField, list: readonly unknown[], others: readonly unknown[]): readonly Pair[] {
  if (!field.options.unordered || isSameInOrder(field.item, list, others)) return list.map((each, i) => [each, i]);
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
    .map((each, position): Pair => [each, found.get(position) ?? rest.shift() ?? added++])
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
