import type * as types from "../../../sdk/types.gen";

type Condition = types.Condition;

/** The conditions that no other one implies: beside `GT 3` a `GT 5` never fires alone. Any of them fires. */
export const withoutImplied = (conditions: readonly Condition[]): readonly Condition[] =>
  conditions.filter(
    (each, i) => !conditions.some((other, j) => j !== i && implies(each, other) && (j < i || !implies(other, each))),
  );

/** A condition without the value that it ignores. */
export function withoutIgnored(condition: Condition): Condition {
  if (!["EXISTS", "NOT_EXISTS"].includes(condition.op ?? "")) return condition;
  const { value: _, ...rest } = condition;
  return rest;
}

/** Whether one condition fires only while the other one does, too. */
function implies(narrow: Condition, wide: Condition): boolean {
  const { value = 0, sustainSecs: held = 0, resolveSustainSecs: quiet = 0 } = narrow;
  const { value: limit = 0, sustainSecs: needed = 0, resolveSustainSecs: lasting = 0 } = wide;
  if (held < needed || quiet > lasting) return false;
  if (narrow.op === wide.op && value === limit) return true;
  const side = sides.find(({ ops }) => ops.includes(narrow.op ?? "") && ops.includes(wide.op ?? ""));
  if (side === undefined) return false;
  // With the same value, only `GEQ` takes in more than `GT`.
  return value === limit ? wide.op === side.ops[1] : side.isFurther(value, limit);
}

const sides = [
  { ops: ["GT", "GEQ"], isFurther: (value: number, limit: number) => value > limit },
  { ops: ["LT", "LEQ"], isFurther: (value: number, limit: number) => value < limit },
];
