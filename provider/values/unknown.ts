import type { Path, PathStep } from "../schema/walk";
import { isObject } from "../wire/json";

/** The engine sends this, at any depth, instead of a value that is not known before the update. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The paths of all unknown values. */
export const unknownPaths = (value: unknown): Path[] => pathsWhere(value, (each) => each === unknown);

/** The paths of all values that are as a test demands, without those within them. */
export function pathsWhere(value: unknown, isWanted: (value: unknown) => boolean): Path[] {
  if (isWanted(value)) return [[]];
  const parts: readonly (readonly [PathStep, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(isObject(value) ? value : {});
  return parts.flatMap(([step, each]) => pathsWhere(each, isWanted).map((path): Path => [step, ...path]));
}
