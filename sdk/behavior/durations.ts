/** The seconds of each unit of a Prometheus duration. */
export const unitSecs = { y: 31_536_000, w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1, ms: 0.001 } as const;

/** Seconds of a Prometheus duration: `1h30m`, `1w`, `500ms`, `0`; undefined if it is not one. */
export function durationSecs(text: string): number | undefined {
  if (text === "0") return 0;
  const match = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/.exec(text);
  if (match === null || text === "") return undefined;
  // In milliseconds, so that the sum is exact.
  const sizes = Object.values(unitSecs);
  return match.slice(1).reduce((sum, count, i) => sum + Number(count ?? 0) * (sizes[i] ?? 0) * 1_000, 0) / 1_000;
}

/** Seconds as a time window of an SLO: a whole number of days, hours or minutes; undefined if it is not one. */
export function sloWindow(secs: number): string | undefined {
  const unit = (["d", "h", "m"] as const).find((each) => secs >= unitSecs[each] && secs % unitSecs[each] === 0);
  return unit === undefined ? undefined : `${secs / unitSecs[unit]}${unit}`;
}

/** Seconds as Prometheus writes a duration: `2m`, `90s`. */
export function promDuration(secs: number): string {
  if (secs % 3_600 === 0) return `${secs / 3_600}h`;
  return secs % 60 === 0 ? `${secs / 60}m` : `${secs}s`;
}

/** Minutes for people: `48 s`, `40.3 min`, `6.7 h`. */
export function minutesText(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} s`;
  return minutes < 120 ? `${Number(minutes.toFixed(1))} min` : `${Number((minutes / 60).toFixed(1))} h`;
}

const units = [
  ["d", unitSecs.d],
  ["h", unitSecs.h],
  ["min", unitSecs.m],
  ["s", 1],
] as const;

/** Seconds for people, in at most two units: `4 h`, `2 d 3 h`, `50 min`. */
export function durationText(secs: number): string {
  const at = units.findIndex(([, size]) => secs >= size);
  if (at < 0) return "0 s";
  const [unit, size] = units[at] ?? units[3];
  const [smaller, part] = units[at + 1] ?? ["", 0];
  const rest = part === 0 ? 0 : Math.floor((secs % size) / part);
  return `${Math.floor(secs / size)} ${unit}${rest === 0 ? "" : ` ${rest} ${smaller}`}`;
}
