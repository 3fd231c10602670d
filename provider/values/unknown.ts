import type { Path } from "../schema/walk";
import { isObject } from "../wire/json";

/** The engine sends this, at any depth, instead of a value that is not known before the update. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The paths of all unknown values. */
export const unknownPaths = (value: unknown): Path[] => pathsOf(unknown, value);

/** The paths of all values that are this one. */
export function pathsOf(desired: unknown, value: unknown): Path[] {
  if (value === desired) return [[]];
  const below = (step: string | number, each: unknown) => pathsOf(desired, each).map((path): Path => [step, ...path]);
  if (Array.isArray(value)) return value.flatMap((each, i) => below(i, each));
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => below(key, each)) : [];
}
