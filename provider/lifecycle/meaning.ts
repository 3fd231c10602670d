import type { Field } from "../schema/field";
import { isObject, type JsonObject } from "../wire/codec";
import { unknown } from "./unknown";

/** An absent scalar and its zero mean the same on the wire. */
export const isZero = (value: unknown) =>
  value === undefined || value === null || value === 0 || value === false || value === "";

/**
 * Whether two values say the same to the service: a zero scalar is an absent one, an empty array or map an absent one;
 * an empty object is not an absent one. An unknown value equals nothing.
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

// Scalars in arrays are data: there 0 is not absent.
export const sameItem = (item: Field, a: unknown, b: unknown) =>
  item.visit({ scalar: () => true, list: () => false, map: () => false, object: () => false })
    ? a === b && a !== unknown
    : sameMeaning(item, a, b);

/**
 * `wanted`, spelled as `before` wherever both mean the same: the engine compares inputs as they are written, so that
 * another spelling alone would show as a difference.
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

/** The value without absent object keys, at any depth. Absent array items stay, so that they can be refused by place. */
export function withoutAbsent(value: JsonObject): JsonObject;
export function withoutAbsent(value: unknown): unknown;
export function withoutAbsent(value: unknown): unknown {
  if (!holdsAbsent(value)) return value;
  if (Array.isArray(value)) return value.map((each) => withoutAbsent(each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined && each !== null)
      .map(([key, each]) => [key, withoutAbsent(each)]),
  );
}

// Most hold none, and need no copy.
function holdsAbsent(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsAbsent);
  return (
    isObject(value) && Object.values(value).some((each) => each === undefined || each === null || holdsAbsent(each))
  );
}

export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
// Without a prototype: a user's key may be called "constructor".
export const entries = (value: unknown): JsonObject =>
  Object.assign(Object.create(null), isObject(value) ? value : undefined);
export const keysOf = (a: JsonObject, b: JsonObject) => [...new Set([...Object.keys(a), ...Object.keys(b)])];
