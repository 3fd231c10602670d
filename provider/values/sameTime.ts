/**
 * Whether two creation times are the same; undefined if one of them is unknown. A service may send a time more exactly
 * in one answer than in another, cut off or rounded: then they may differ by one unit of the coarser one.
 */
export function isSameTime(one: unknown, other: unknown): boolean | undefined {
  if (!isKnownTime(one) || !isKnownTime(other)) return undefined;
  const [a, b] = [Date.parse(String(one)), Date.parse(String(other))];
  // Not a date, such as a number of seconds: only the same text is the same time.
  if (Number.isNaN(a) || Number.isNaN(b))
    return Number.isNaN(a) && Number.isNaN(b) ? String(one) === String(other) : undefined;
  const [digits, others] = [digitsOf(one), digitsOf(other)];
  return digits === others ? a === b : Math.abs(a - b) <= 10 ** (3 - Math.min(digits, others));
}

/** Whether a creation time has a form that can be compared: absent, a string, or a number such as seconds. */
export const isComparable = (time: unknown): boolean =>
  time === undefined || time === null || typeof time === "string" || typeof time === "number";

/** Whether a time is exact enough to identify an object. */
export const isExact = (time: unknown): boolean => isKnownTime(time) && digitsOf(time) === 3;

// Go's zero time stands for none.
const isKnownTime = (time: unknown) =>
  time !== undefined && time !== null && time !== "" && !String(time).startsWith("0001-");

/** The digits after the seconds, as far as a date in JavaScript has them. */
const digitsOf = (time: unknown) => Math.min(/\.(\d+)/.exec(String(time))?.[1]?.length ?? 0, 3);
