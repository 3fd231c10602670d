import { type Field, ListField, ScalarField } from "../../provider/schema/field";
import { isEquivalent } from "../../provider/values/equal";
import { assembled, withParts } from "../../provider/values/leaves";
import { pairsIn } from "../../provider/values/pairs";
import { unknown } from "../../provider/values/unknown";
import { isObject, items } from "../../provider/wire/json";
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
    const both = field instanceof ScalarField || !isHidden(visible) ? visible : undefined;
    return { before: both, after: both };
  }
  const apart: Comparable = { before: legible(field, before), after: legible(field, after) };
  if (isEquivalent(field, before, after)) return { before: apart.before, after: apart.before };
  if (field instanceof ListField) return comparableList(field, before, after) ?? apart;
  if (!isObject(before) || !isObject(after)) return apart;
  const all = (pairsIn(field, before, after) ?? []).map(
    ({ step, field: inner, left, right }) => [step, comparable(inner, left, right)] as const,
  );
  const side = (of: keyof Comparable) =>
    assembled(
      field,
      all.map(([step, each]) => [step, each[of]]),
    );
  return { before: side("before"), after: side("after") };
}

/** Undefined if items may not correspond. Those of a normal form have their places, which `programPath` looks for. */
function comparableList({ item }: ListField, before: unknown, after: unknown): Comparable | undefined {
  if (item instanceof ScalarField && Array.isArray(after) && after.includes(unknown)) {
    const both = items(before).filter((each) => after.includes(each));
    return { before: both, after: both };
  }
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return undefined;
  const all = before.map((each, i) => comparable(item, each, after[i]));
  // A list has no absent items: a hidden item becomes an empty one.
  return { before: all.map((each) => each.before ?? {}), after: all.map((each) => each.after ?? {}) };
}

/** A value without the lists and objects that are hidden as a whole. */
export function legible(field: Field, value: unknown): unknown {
  if (isHidden(value)) return field instanceof ScalarField ? value : undefined;
  // A list has no absent items.
  return withParts(
    field,
    value,
    (inner, each) => legible(inner, each) ?? (field instanceof ListField ? {} : undefined),
  );
}
