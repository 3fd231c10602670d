import type { Field } from "../../provider/schema/field";
import { objectWith } from "../../provider/schema/walk";
import { unknown } from "../../provider/values/unknown";
import { entries, isObject, items, keysOf } from "../../provider/wire/json";
import { isEquivalent } from "../../provider/values/equal";
import { isHidden } from "./hidden";

/** Two declarations, reduced to the values that are visible on both sides. */
interface Comparable {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Replaces a value masked on one side with the other side's value, and drops hidden objects and lists on both sides. So no
 * rule mistakes the engine's placeholder for the value, or a hidden object for a removed one. Where both sides are
 * equivalent, the later side gets the spelling of the earlier one: rules see only differences.
 */
export function comparable(field: Field, before: unknown, after: unknown): Comparable {
  if (isHidden(before) || isHidden(after)) {
    const visible = isHidden(before) ? after : before;
    const both = isScalar(field) || !isHidden(visible) ? visible : undefined;
    return { before: both, after: both };
  }
  const object = (all: readonly (readonly [string, Comparable])[]): Comparable => {
    const side = (of: "before" | "after") =>
      Object.fromEntries(all.map(([name, each]) => [name, each[of]]).filter(([, value]) => value !== undefined));
    return { before: side("before"), after: side("after") };
  };
  const apart: Comparable = { before: legible(field, before), after: legible(field, after) };
  if (isEquivalent(field, before, after)) return { before: apart.before, after: apart.before };
  return field.visit({
    scalar: () => apart,
    map: ({ item }) => {
      if (!isObject(before) || !isObject(after)) return apart;
      const [left, right] = [entries(before), entries(after)];
      // A key with an empty value is not an absent one.
      const isOn = (key: string) => (key in left && key in right) || isHidden(left[key]) || isHidden(right[key]);
      const each = (key: string) =>
        isOn(key) ? comparable(item, left[key], right[key]) : { before: left[key], after: right[key] };
      return object(keysOf(left, right).map((key) => [key, each(key)]));
    },
    list: ({ item }) => {
      if (isScalar(item) && Array.isArray(after) && after.includes(unknown)) {
        const both = items(before).filter((each) => after.includes(each));
        return { before: both, after: both };
      }
      // Items correspond by position only if none was added or removed.
      if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return apart;
      const all = before.map((each, i) => comparable(item, each, after[i]));
      // A list has no absent items: a hidden item becomes an empty one.
      return {
        before: all.map((each) => each.before ?? {}),
        after: all.map((each) => each.after ?? {}),
      };
    },
    object: ({ shape }) => {
      if (!isObject(before) || !isObject(after)) return apart;
      const fields = Object.entries(shape.fields);
      return object(fields.map(([name, inner]) => [name, comparable(inner, before[name], after[name])]));
    },
  });
}

/** A value without the lists and objects that are hidden as a whole. */
export function legible(field: Field, value: unknown): unknown {
  if (isHidden(value)) return isScalar(field) ? value : undefined;
  return field.visit<unknown>({
    scalar: () => value,
    map: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each) => legible(item, each) ?? {}) : value),
    object: ({ shape }) => (isObject(value) ? objectWith(shape, (inner, name) => legible(inner, value[name])) : value),
  });
}

const isScalar = (field: Field) =>
  field.visit({ scalar: () => true, list: () => false, map: () => false, object: () => false });
