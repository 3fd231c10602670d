/**
 * Whether two creation times are the same; undefined if one of them is unknown. A service may send a time more exactly
 * in one answer than in another, cut off, or rounded up or down: then they may differ by one unit of the coarser one.
 */
export function isSameTime(one: unknown, other: unknown): boolean | undefined {
  if (!isKnownTime(one) || !isKnownTime(other)) return undefined;
  const [a, b] = [milliseconds(one), milliseconds(other)];
  // Not a date: only the same text is the same time.
  if (a === undefined || b === undefined) return a === b ? String(one) === String(other) : undefined;
  return isExact(one) && digitsOf(one) === digitsOf(other) ? a === b : Math.abs(a - b) <= unitOf(one, other);
}

/** Whether a creation time has a form that can be compared: absent, a string, or a number such as seconds. */
export const isComparable = (time: unknown): boolean =>
  time === undefined || time === null || typeof time === "string" || typeof time === "number";

/** Whether a time is exact enough to identify an object. */
export const isExact = (time: unknown): boolean => isKnownTime(time) && digitsOf(time) >= 3;

/** By how many milliseconds one time is certainly later than another one; undefined if one of them is unknown. */
export function latenessOf(later: unknown, earlier: unknown): number | undefined {
  const [a, b] = [milliseconds(later), milliseconds(earlier)];
  return a === undefined || b === undefined
    ? undefined
    : a - b - (isExact(later) && isExact(earlier) ? 0 : unitOf(later, earlier));
}

/** The service's Date header has whole seconds, and 1 s is leeway. */
export const clockLeewayMs = 2_000;

/**
 * Whether a time in an answer is not before a moment of ours; undefined if that is unknown. Measured on the service's
 * clock, less the leeway.
 * @param date The `Date` of the answer that has just come, in milliseconds since the epoch.
 * @param since The moment, in milliseconds of `performance.now()`.
 */
export function isSince(time: unknown, date: number | undefined, since: number): boolean | undefined {
  const ms = milliseconds(time);
  return ms === undefined || date === undefined ? undefined : ms >= date - (performance.now() - since) - clockLeewayMs;
}

// Go's zero time stands for none.
const isKnownTime = (time: unknown) =>
  time !== undefined && time !== null && time !== "" && !String(time).startsWith("0001-");

/** Larger numbers are milliseconds, smaller ones seconds since the epoch: 1e11 s is in the year 5138. */
const firstMilliseconds = 1e11;

function milliseconds(time: unknown): number | undefined {
  if (!isKnownTime(time)) return undefined;
  const number = Number(time);
  const ms = Number.isNaN(number) ? Date.parse(String(time)) : number < firstMilliseconds ? number * 1000 : number;
  return Number.isNaN(ms) ? undefined : ms;
}

/** The unit of the coarser time, in milliseconds: a date in JavaScript has no smaller one. */
const unitOf = (one: unknown, other: unknown) => 10 ** (3 - Math.min(digitsOf(one), digitsOf(other), 3));

/** The digits after the seconds. */
const digitsOf = (time: unknown) =>
  Number(time) >= firstMilliseconds ? 3 : (/\.(\d+)/.exec(String(time))?.[1]?.length ?? 0);
