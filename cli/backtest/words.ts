import { count } from "../report/words";

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
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

/** A span for people: `30 days`, `6 h`. */
export function spanText(secs: number): string {
  const days = secs / 86_400;
  return Number.isInteger(days) ? count(days, "day") : durationText(secs);
}

/** `2026-11-22 07:30` in UTC. */
export const timeText = (time: number) => new Date(time * 1_000).toISOString().slice(0, 16).replace("T", " ");
