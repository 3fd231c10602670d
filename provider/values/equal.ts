import type { Field, FieldOptions, ScalarField } from "../schema/field";
import { entries, isObject, items, keysOf } from "../wire/json";
import { secondsIn } from "../base/durations";
import { unknown, unknownPaths } from "./unknown";

/** An absent scalar and its zero are equivalent on the wire. */
export const isZero = (value: unknown) =>
  value === undefined || value === null || value === 0 || value === false || value === "";

/** Whether an object counts as absent if all of its fields do. Of any other object, the presence has a meaning. */
const isAbsentIfEmpty = ({ format }: FieldOptions) => format === "settings" || format === "schedule";

/** Whether a scalar counts as absent. */
const isAbsent = ({ isItem }: ScalarField, value: unknown) => (isItem ? value === undefined : isZero(value));

/**
 * Whether two values are equivalent for the service. A zero scalar, an empty array, an empty map and settings
 * without values equal an absent one; any other empty object does not. In an unordered list the order does not count, but how often an item occurs does. An
 * unknown value equals nothing.
 */
export function isEquivalent(field: Field, a: unknown, b: unknown): boolean {
  if (a === unknown || b === unknown) return false;
  if (a === undefined && b === undefined) return true;
  return field.visit({
    scalar: (scalar) => plainest(scalar, a) === plainest(scalar, b) || (isAbsent(scalar, a) && isAbsent(scalar, b)),
    list: ({ item, options }) => {
      const [left, right] = [items(a), items(b)];
      // Nearly always the order is the same, which costs no sorting.
      return isSameInOrder(item, left, right) || (options.unordered === true && sameItems(item, left, right));
    },
    map: ({ item }) => {
      const [left, right] = [entries(a), entries(b)];
      return keysOf(left, right).every((key) => isEquivalent(item, left[key], right[key]));
    },
    object: ({ shape, options }) => {
      const [left, right] = isAbsentIfEmpty(options) ? [a ?? {}, b ?? {}] : [a, b];
      if (!isObject(left) || !isObject(right)) return left === right;
      return Object.entries(shape.fields).every(([name, inner]) => isEquivalent(inner, left[name], right[name]));
    },
  });
}

/** Whether two lists contain equivalent items in the same order. */
export const isSameInOrder = (item: Field, left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((each, i) => isEquivalent(item, each, right[i]));

/** Whether two lists contain the same items in any order. */
function sameItems(item: Field, left: readonly unknown[], right: readonly unknown[]): boolean {
  if (left.length !== right.length || unknownPaths([left, right]).length > 0) return false;
  const keys = right.map((each) => equivalenceKey(item, each)).sort();
  return left
    .map((each) => equivalenceKey(item, each))
    .sort()
    .every((key, i) => key === keys[i]);
}

/** A key that is equal for equivalent items of a list. */
export const equivalenceKey = (item: Field, value: unknown) => JSON.stringify(canonical(item, value) ?? null);

/** One form for all spellings of a meaning. */
function canonical(field: Field, value: unknown): unknown {
  return field.visit<unknown>({
    scalar: (scalar) => plainest(scalar, value),
    list: ({ item, options }) => {
      const keys = items(value).map((each) => equivalenceKey(item, each));
      if (keys.length === 0) return undefined;
      return options.unordered ? keys.sort() : keys;
    },
    map: () => {
      const present = Object.entries(entries(value));
      return present.length === 0 ? undefined : present.sort(([a], [b]) => (a < b ? -1 : 1));
    },
    object: ({ shape, options }) => {
      if (!isObject(value)) return value;
      const parts = Object.entries(shape.fields).map(([name, inner]) =>
        isZero(value[name]) ? undefined : canonical(inner, value[name]),
      );
      return isAbsentIfEmpty(options) && parts.every((each) => each === undefined) ? undefined : parts;
    },
  });
}

/** One spelling for all spellings of a scalar: a duration in seconds, anything else as it is. */
function plainest({ options }: ScalarField, value: unknown): unknown {
  if (options.format !== "duration" || typeof value !== "string" || value === "") return value;
  const seconds = secondsIn(value);
  return Number.isSafeInteger(seconds) ? `${seconds}s` : value;
}
