import { secondsIn, secondsPer, timeIn } from "../../provider/base/durations";

/** A time after the beginning of a test (`"90s"`, `"5m"`, `"1h30m"`, `"2d"`), or a date, or seconds since the epoch. */
export type Time = string | number | Date;

/**
 * A time in seconds since the epoch.
 * @throws TypeError if it is not a time.
 */
export function timeSecs(time: Time, from: number): number {
  if (typeof time === "number" && Number.isFinite(time)) return time;
  const after = typeof time === "string" ? secondsIn(time) : undefined;
  if (after !== undefined) return from + after;
  const date = typeof time === "string" ? timeIn(time) : new Date(time).getTime() / 1000;
  if (date !== undefined && Number.isFinite(date)) return date;
  throw new TypeError(
    `expected a time like "5m", "1h30m" or "2026-03-29T01:00:00Z", or seconds since the epoch, got ${JSON.stringify(time)}`,
  );
}

/** A time as a test writes it: `1h30m` after the beginning, `0` for the beginning itself. */
export function testTimeText(seconds: number, from: number): string {
  let rest = Math.abs(seconds - from);
  const parts = (["d", "h", "m"] as const).map((unit) => {
    const count = Math.floor(rest / secondsPer[unit]);
    rest -= count * secondsPer[unit];
    return count === 0 ? "" : `${count}${unit}`;
  });
  const text = `${parts.join("")}${rest === 0 ? "" : `${Number(rest.toFixed(3))}s`}`;
  return `${seconds < from ? "-" : ""}${text === "" ? "0" : text}`;
}
