/** The seconds of each unit of a Prometheus duration. */
export const secondsPer = { y: 31_536_000, w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 } as const;

/** `90s`, `2m`: seconds in the largest of the units that divides them; undefined if none does. */
export function inLargestUnit(secs: number, units: readonly (keyof typeof secondsPer)[]): string | undefined {
  const unit = units.find((each) => secs >= secondsPer[each] && secs % secondsPer[each] === 0);
  return unit && `${secs / secondsPer[unit]}${unit}`;
}

/**
 * The seconds since the epoch of a date, which begins in UTC, or of a time with its zone; undefined for anything else: a time
 * without its zone would be another one on another machine.
 */
export function timeIn(text: string): number | undefined {
  const [, date = ""] = /^(\d{4}-\d\d-\d\d)(?:[T ][\d:.]+ ?(?:Z|[+-]\d\d:?\d\d))?$/.exec(text) ?? [];
  const [day, time] = [Date.parse(date), Date.parse(text)];
  // JavaScript reads February 30 as March 2, and 01.02.2026 as a day in January.
  const isDay = Number.isFinite(day) && new Date(day).toISOString().startsWith(date);
  return isDay && Number.isFinite(time) ? time / 1_000 : undefined;
}

/** Seconds of a Prometheus duration: `1h30m`, `1w`, `500ms`, `0`; undefined if it is not one. */
export function secondsIn(text: string): number | undefined {
  if (text === "0") return 0;
  const match = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (match === null || text === "") return undefined;
  // In milliseconds, so that the sum is exact.
  const sizes = Object.values(secondsPer);
  return match.slice(1).reduce((sum, count, i) => sum + Number(count ?? 0) * (sizes[i] ?? 0) * 1_000, 0) / 1_000;
}
