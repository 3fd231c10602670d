import { isDeepStrictEqual } from "node:util";
import type { Field, FieldOptions, ScalarField } from "../schema/field";
import { entries, isObject, items } from "../wire/json";
import { secondsIn } from "../base/durations";
import { unknown, unknownPaths } from "./unknown";

/** An absent scalar and its zero are equivalent on the wire. */
export const isZero = (value: unknown) =>
  value === undefined || value === null || value === 0 || value === false || value === "";

/** Whether an object counts as absent if all of its fields do. Of any other object, the presence has a meaning. */
const isAbsentIfEmpty = ({ format }: FieldOptions) => format === "settings" || format === "schedule";

/**
 * Whether two values are equivalent for the service. A zero scalar, an empty array, an empty map and settings
 * without values equal an absent one; any other empty object does not. In an unordered list the order does not count, but how
 * often an item occurs does. An unknown value equals nothing.
 */
export function isEquivalent(field: Field, a: unknown, b: unknown): boolean {
  // Nearly always both are spelled alike, which takes no keys.
  if (isDeepStrictEqual(a, b) && unknownPaths(a).length === 0) return true;
  const key = equivalenceKey(field, a);
  return key === equivalenceKey(field, b) && !key.includes(unknown);
}

/** A key that is equal for equivalent values. */
export const equivalenceKey = (field: Field, value: unknown) => JSON.stringify(canonical(field, value) ?? null);

/** One form for all spellings of a meaning; undefined for what counts as absent. */
function canonical(field: Field, value: unknown): unknown {
  if (value === undefined || value === unknown) return value;
  return field.visit<unknown>({
    // A zero that is an item is data.
    scalar: (scalar) => (!scalar.isItem && isZero(value) ? undefined : plainest(scalar, value)),
    list: ({ item, options }) => {
      const each = items(value);
      if (each.length === 0) return undefined;
      return options.unordered
        ? each.map((one) => equivalenceKey(item, one)).sort()
        : each.map((one) => canonical(item, one));
    },
    map: () => {
      const present = Object.entries(entries(value)).filter(([, each]) => each !== undefined);
      return present.length === 0 ? undefined : present.sort(([a], [b]) => (a < b ? -1 : 1));
    },
    object: ({ shape, options }) => {
      if (!isObject(value)) return value;
      const parts = shape.members.map(({ name, field: inner }) => canonical(inner, value[name]));
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
