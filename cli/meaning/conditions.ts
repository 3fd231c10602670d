import { comparisonOps } from "../../provider/kinds/shapes/comparisonOps";
import { holds } from "../../sdk/behavior/conditions";
import { missing, present } from "../../sdk/behavior/ticks";
import type * as types from "../../sdk/types.gen";

type Condition = types.Condition & {
  /** How often the monitor is evaluated; only where conditions of two intervals are compared. */
  readonly intervalSecs?: number;
};

/** The conditions that no other one implies: in addition to `GT 3`, a `GT 5` never fires alone. Any of them fires. */
export const withoutImplied = <Each extends Condition>(conditions: readonly Each[]): readonly Each[] =>
  conditions.filter(
    (each, i) =>
      !conditions.some((other, j) => j !== i && isImplied(each, [other]) && (j < i || !isImplied(other, [each]))),
  );

/** A condition without the value that it ignores. */
export function withoutIgnored(condition: Condition): Condition {
  if (!isExistence(condition)) return condition;
  const { value: _, ...rest } = condition;
  return rest;
}

export const isExistence = ({ op = "" }: Condition) => ["EXISTS", "NOT_EXISTS"].includes(op);

/** Whether a condition fires only while at least one of the others does, too. */
export function isImplied(narrow: Condition, others: readonly Condition[]): boolean {
  const lasting = others.filter((each) => lasts(narrow, each));
  // A value that moves from one condition to another one sustains neither.
  return [...lasting.map((each) => [each]), lasting.filter(({ sustainSecs = 0 }) => sustainSecs === 0)].some((wide) =>
    isCovered(narrow, wide),
  );
}

/** Whether a condition has been true for as long as another one needs whenever it fires, and resolves no later. */
function lasts(narrow: Condition, wide: Condition): boolean {
  const { sustainSecs: held = 0, resolveSustainSecs: quiet = 0, intervalSecs: own = 0 } = narrow;
  const { sustainSecs: needed = 0, resolveSustainSecs: kept = 0, intervalSecs: other = 0 } = wide;
  if (own === other) return needed <= held && kept >= quiet;
  if (quiet > 0 || kept > 0) return false;
  // What is evaluated more rarely knows nothing of the times between, except that it begins to be true at one of them.
  if (own % other === 0) return needed === 0;
  return other % own === 0 && held >= needed + other - own && narrow.op !== "NOT_EXISTS";
}

/** Whether every value that one condition is true for is one that another one is true for, too. */
function isCovered(narrow: Condition, wide: readonly Condition[]): boolean {
  if (wide.some(({ op, value = 0 }) => op === narrow.op && value === (narrow.value ?? 0))) return true;
  const known = wide.filter(isKnown);
  const values = samplesAround([narrow, ...known].map(({ value = 0 }) => value));
  return (
    isKnown(narrow) && values.every((value) => !isTrue(narrow, value) || known.some((each) => isTrue(each, value)))
  );
}

/** Whether there are values for which all of some conditions hold, but not all of the others. */
export function isMetBeyond(some: readonly Condition[], others: readonly Condition[]): boolean {
  const values = samplesAround([...some, ...others].map(({ value = 0 }) => value));
  const holdAt = (all: readonly Condition[], value: number | undefined) => all.every((each) => isTrue(each, value));
  return values.some((value) => holdAt(some, value) && !holdAt(others, value));
}

/** Whether the values that fire are known: not for a hidden threshold or an operator that the simulation doesn't support. */
export const isKnown = (condition: Condition) =>
  comparisonOps.includes(condition.op ?? "") && (isExistence(condition) || typeof (condition.value ?? 0) === "number");

const isTrue = ({ op = "", value: threshold = 0 }: Condition, value: number | undefined) =>
  holds({ op, value: threshold }, value ?? NaN, value === undefined ? missing : present);

/** Samples that no other sample behaves unlike: the thresholds, a value between each two, NaN and a missing sample. */
function samplesAround(thresholds: readonly number[]): readonly (number | undefined)[] {
  const sorted = [...thresholds].sort((a, b) => a - b);
  const between = sorted.map((each, i) => each / 2 + (sorted[i + 1] ?? Infinity) / 2);
  return [-Infinity, ...sorted, ...between, NaN, undefined];
}
