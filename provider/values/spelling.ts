import type { Field } from "../schema/field";
import { objectWith } from "../schema/walk";
import { isObject, items, withoutAbsent } from "../wire/json";
import { sameMeaning } from "./equal";
import { paired } from "./pairs";

/**
 * `wanted`, but spelled as in `before` if both mean the same. The engine compares inputs literally, so another spelling
 * or another order of an unordered list would show as a difference.
 */
export function keepSpelling(field: Field, wanted: unknown, before: unknown): unknown {
  if (sameMeaning(field, wanted, before)) return before;
  return field.visit({
    scalar: () => wanted,
    map: () => wanted,
    list: (list) => {
      if (!Array.isArray(wanted)) return wanted;
      const old = items(before);
      return paired(list, wanted, old).map(([each, i]) =>
        i < old.length ? keepSpelling(list.item, each, old[i]) : each,
      );
    },
    object: ({ shape }) => {
      if (!isObject(wanted) || !isObject(before)) return wanted;
      return withoutAbsent(objectWith(shape, (inner, name) => keepSpelling(inner, wanted[name], before[name])));
    },
  });
}
