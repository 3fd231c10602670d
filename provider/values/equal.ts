import type { Field } from "../schema/field";
import { entries, isObject, items, keysOf, withoutAbsent } from "../wire/json";
import { unknown } from "./unknown";

/** An absent scalar and its zero mean the same on the wire. */
export const isZero = (value: unknown) =>
  value === undefined || value === null || value === 0 || value === false || value === "";

/**
 * Whether two values mean the same to the service. A zero scalar, an empty array and an empty map equal an absent one;
 * an empty object does not. An unknown value equals nothing.
 */
export function sameMeaning(field: Field, a: unknown, b: unknown): boolean {
  if (a === unknown || b === unknown) return false;
  return field.visit({
    scalar: () => a === b || (isZero(a) && isZero(b)),
    list: ({ item }) => {
      const [left, right] = [items(a), items(b)];
      return left.length === right.length && left.every((each, i) => sameItem(item, each, right[i]));
    },
    map: () => {
      const [left, right] = [entries(a), entries(b)];
      return keysOf(left, right).every((key) => left[key] === right[key] && left[key] !== unknown);
    },
    object: ({ shape }) => {
      if (!isObject(a) || !isObject(b)) return a === b;
      return Object.entries(shape.fields).every(([name, inner]) => sameMeaning(inner, a[name], b[name]));
    },
  });
}

// Scalars in arrays are data: 0 is not absent there.
const sameItem = (item: Field, a: unknown, b: unknown) =>
  item.visit({ scalar: () => true, list: () => false, map: () => false, object: () => false })
    ? a === b && a !== unknown
    : sameMeaning(item, a, b);

/**
 * `wanted`, but spelled as in `before` if both mean the same. The engine compares inputs literally, so another spelling
 * would show as a difference.
 */
export function keepSpelling(field: Field, wanted: unknown, before: unknown): unknown {
  if (sameMeaning(field, wanted, before)) return before;
  return field.visit({
    scalar: () => wanted,
    map: () => wanted,
    list: ({ item }) =>
      Array.isArray(wanted) ? wanted.map((each, i) => keepItem(item, each, items(before)[i])) : wanted,
    object: ({ shape }) => {
      if (!isObject(wanted) || !isObject(before)) return wanted;
      return withoutAbsent(
        Object.fromEntries(
          Object.entries(shape.fields).map(([name, inner]) => [name, keepSpelling(inner, wanted[name], before[name])]),
        ),
      );
    },
  });
}

const keepItem = (item: Field, wanted: unknown, before: unknown) =>
  before === undefined ? wanted : keepSpelling(item, wanted, before);
