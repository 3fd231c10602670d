import { type Field, ObjectField } from "../schema/field";
import { isEquivalent } from "./equal";
import { assembled } from "./leaves";
import { pairsIn } from "./pairs";

/**
 * `before` itself if both are equivalent, else `desired` with the parts that are. The engine compares inputs literally, so another spelling
 * or another order of an unordered list would show as a difference.
 */
export function keepSpelling(field: Field, desired: unknown, before: unknown): unknown {
  if (isEquivalent(field, desired, before)) return before;
  const pairs = typeof desired === "object" ? pairsIn(field, before, desired) : undefined;
  if (pairs === undefined) return desired;
  return assembled(
    field,
    pairs.map(({ step, field: inner, left, right }) => {
      // A service may reject settings without values beside what has changed, so the program's presence counts.
      const isPresenceOther = inner instanceof ObjectField && (left === undefined) !== (right === undefined);
      return [step, isPresenceOther ? right : keepSpelling(inner, right, left)];
    }),
  );
}
