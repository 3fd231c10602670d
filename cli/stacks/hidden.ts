import type { Field } from "../../provider/schema/field";
import type { Meaning } from "../../provider/schema/meaning";
import { fieldIn, meaningOf, meantScalars, objectWith, type Path } from "../../provider/schema/walk";
import { unknown } from "../../provider/values/unknown";
import { entries, isObject, items, keysOf } from "../../provider/wire/json";
import { isHidden } from "./places";

/** Two declarations of which only what both show is compared. */
export interface Comparable {
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * What one side hides it says as the other one does; what nobody can see inside of is left out on both sides. So no rule
 * takes the engine's text in the place of a value for the value, or a hidden object for one that is gone.
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
  return field.visit({
    scalar: () => apart,
    map: ({ item }) => {
      if (!isObject(before) || !isObject(after)) return apart;
      const [left, right] = [entries(before), entries(after)];
      return object(keysOf(left, right).map((key) => [key, comparable(item, left[key], right[key])]));
    },
    list: ({ item }) => {
      if (isScalar(item) && Array.isArray(after) && after.includes(unknown)) {
        const both = items(before).filter((each) => after.includes(each));
        return { before: both, after: both };
      }
      // Which items correspond is plain only if none came or went.
      if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return apart;
      const all = before.map((each, i) => comparable(item, each, after[i]));
      // No item of a list is absent: one that nobody can see says nothing.
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

/** A value without the lists and objects in it that are hidden as a whole. */
function legible(field: Field, value: unknown): unknown {
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

/** What everything at a place decides, by the schema. */
export function meaningsAt(field: Field, path: Path, around?: Meaning): ReadonlySet<Meaning> {
  const [step, ...rest] = path;
  const meaning = meaningOf(field, around);
  const inner = step === undefined ? undefined : fieldIn(field, step);
  if (inner !== undefined) return meaningsAt(inner, rest, meaning);
  return new Set(meantScalars(field, around).flatMap((each) => each.meaning ?? []));
}
