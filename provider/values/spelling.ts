import type { Field } from "../schema/field";
import { objectWith } from "../schema/walk";
import { isObject, items, withoutAbsent } from "../wire/json";
import { isEquivalent } from "./equal";
import { paired } from "./pairs";

/**
 * `before` itself if both are equivalent, else `desired` with the parts that are. The engine compares inputs literally, so another spelling
 * or another order of an unordered list would show as a difference.
 */
export function keepSpelling(field: Field, desired: unknown, before: unknown): unknown {
  if (isEquivalent(field, desired, before)) return before;
  return field.visit({
    scalar: () => desired,
    map: () => desired,
    list: (list) => {
      if (!Array.isArray(desired)) return desired;
      const old = items(before);
      return paired(list, desired, old).map(([each, i]) =>
        i < old.length ? keepSpelling(list.item, each, old[i]) : each,
      );
    },
    object: ({ shape }) => {
      if (!isObject(desired) || !isObject(before)) return desired;
      return withoutAbsent(objectWith(shape, (inner, name) => keepSpelling(inner, desired[name], before[name])));
    },
  });
}
