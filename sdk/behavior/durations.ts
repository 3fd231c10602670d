import { inLargestUnit, secondsPer } from "../../provider/base/durations";

/** Seconds as a time window of an SLO: a whole number of days, hours or minutes; undefined if it is not one. */
export const sloWindow = (secs: number): string | undefined => inLargestUnit(secs, ["d", "h", "m"]);

/** Seconds as Prometheus writes a duration: `2m`, `90s`. */
export const prometheusDuration = (secs: number): string => inLargestUnit(secs, ["h", "m"]) ?? `${secs}s`;

/** Minutes for people: `48 s`, `40.3 min`, `6.7 h`. */
export function minutesText(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} s`;
  return minutes < 120 ? `${Number(minutes.toFixed(1))} min` : `${Number((minutes / 60).toFixed(1))} h`;
}

const units = [
  ["d", secondsPer.d],
  ["h", secondsPer.h],
  ["min", secondsPer.m],
  ["s", 1],
] as const;

/** Whole seconds for people: `3 d 11 h 20 min`. */
export function secondsText(secs: number): string {
  let rest = secs;
  const parts = units.map(([unit, size]) => {
    const number = Math.floor(rest / size);
    rest %= size;
    return number === 0 ? "" : `${number} ${unit}`;
  });
  return parts.filter(Boolean).join(" ") || "0 s";
}

/** Seconds for people, in at most two units: `4 h`, `2 d 3 h`, `50 min`. */
export function durationText(secs: number): string {
  const at = units.findIndex(([, size]) => secs >= size);
  const [, smallest] = units[at + 1] ?? units[3];
  return secondsText(secs - (secs % smallest));
}
