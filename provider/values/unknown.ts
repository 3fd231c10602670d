import type { Path } from "../schema/walk";
import { isObject } from "../wire/json";

/** The engine sends this, at any depth, in place of a value that is not known before the update. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The paths of all unknown values. */
export function unknownPaths(value: unknown): Path[] {
  if (value === unknown) return [[]];
  const below = (step: string | number, each: unknown) => unknownPaths(each).map((path) => [step, ...path]);
  if (Array.isArray(value)) return value.flatMap((each, i) => below(i, each));
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => below(key, each)) : [];
}
