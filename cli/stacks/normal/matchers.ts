import type * as types from "../../../sdk/types.gen";

/** The values that a matcher takes, if that is plain to see: `eu|us`. A pattern is never run. */
export function valuesOf({ type, value = "" }: types.LabelMatcher): readonly string[] | "any" | undefined {
  if (type === "EXACT") return [value];
  if (type !== "REGEX") return undefined;
  if (value === ".*") return "any";
  return /^[\w|-]+$/.test(value) ? value.split("|") : undefined;
}

/** Whether a series can match both lists of matchers: not if one label would need two values. */
export const canMeet = (some: readonly types.LabelMatcher[], others: readonly types.LabelMatcher[]) =>
  !some.some((one) => others.some((other) => one.name === other.name && areApart(valuesOf(one), valuesOf(other))));

const areApart = (some: ReturnType<typeof valuesOf>, others: ReturnType<typeof valuesOf>) =>
  Array.isArray(some) && Array.isArray(others) && !some.some((value) => others.includes(value));
