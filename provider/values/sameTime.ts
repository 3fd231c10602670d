/**
 * Whether two creation times are the same. A service may tell them more exactly in one answer than in another: the
 * digits that both have decide. Undefined if one of them is not known.
 */
export function isSameTime(one: unknown, other: unknown): boolean | undefined {
  const [a, b] = [one, other].map((time) => Date.parse(String(time)));
  if (a === undefined || b === undefined || Number.isNaN(a) || Number.isNaN(b)) return undefined;
  const digits = Math.min(...[one, other].map((time) => /\.(\d+)/.exec(String(time))?.[1]?.length ?? 0), 3);
  const unit = 10 ** (3 - digits);
  return Math.floor(a / unit) === Math.floor(b / unit);
}
