import { secondsPer } from "../../provider/base/durations";
import type { DaySchedule, Schedule } from "../types.gen";
import { Zone } from "./zones";

const minuteSecs = secondsPer.m;
const daySecs = secondsPer.d;
const weekSecs = secondsPer.w;
// The epoch was a Thursday: a week of local time begins four days later.
const firstMonday = 4 * daySecs;
/** In the order of a week. */
export const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;

interface Range {
  readonly start: number;
  readonly end: number;
}

/** The times in which a monitor is active; undefined if it always is (rule 8). */
export function activeTimes(schedule: Schedule | undefined, problems: string[]): ActiveTimes | undefined {
  const { timezone = "", weeklySchedule } = schedule ?? {};
  if (weeklySchedule === undefined) return undefined;
  const zone = Zone.find(timezone);
  if (timezone === "") problems.push("schedule.timezone: is required");
  else if (zone === undefined)
    problems.push(`schedule.timezone: expected an IANA time zone like Europe/Berlin, got "${timezone}"`);
  const week = days.flatMap((_, day) => rangesOn(day, weeklySchedule, problems));
  return zone && new ActiveTimes(zone, week);
}

/**
 * The ranges in which a monitor is active on a day of the week, in seconds since Monday 00:00; the last may go on into the
 * next day. Adds what is wrong with them to `problems`.
 */
export function rangesOn(
  day: number,
  week: NonNullable<Schedule["weeklySchedule"]>,
  problems: string[],
): readonly Range[] {
  const name = days[day] ?? "monday";
  return rangesOf(week[name] ?? {}, `schedule.weeklySchedule.${name}`, problems).map(({ start, end }) => ({
    start: start + day * daySecs,
    end: end + day * daySecs,
  }));
}

const wholeDay: Range = { start: 0, end: daySecs };
const kinds = ["ALL_DAY", "ONLY_DURING_RANGES", "NEVER"];

/** The ranges of a day, in seconds since its midnight. A day that is left out is active all day. */
function rangesOf({ active = "", ranges = [] }: DaySchedule, path: string, problems: string[]): readonly Range[] {
  if (active === "ONLY_DURING_RANGES") {
    if (ranges.length === 0) problems.push(`${path}.ranges: is required if active is "${active}"`);
    return ranges.map(({ startHhMm = "", endHhMm = "" }, i): Range => {
      const start = timeOfDay(startHhMm, `${path}.ranges[${i}].startHhMm`, "23:59", problems);
      const end = timeOfDay(endHhMm, `${path}.ranges[${i}].endHhMm`, "24:00", problems);
      // A range that ends before it starts goes on to the next day.
      return { start, end: end > start ? end : end + daySecs };
    });
  }
  if (active !== "" && !kinds.includes(active)) {
    problems.push(`${path}.active: the simulation doesn't support "${active}". Supported: ${kinds.join(", ")}`);
  } else if (ranges.length > 0) {
    problems.push(`${path}.ranges: needs active "ONLY_DURING_RANGES", got "${active}"`);
  }
  return active === "NEVER" ? [] : [wholeDay];
}

function timeOfDay(text: string, path: string, last: string, problems: string[]): number {
  const [, hours, minutes] = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === undefined || text > last) {
    problems.push(`${path}: expected HH:MM from 00:00 to ${last}, got "${text}"`);
    return 0;
  }
  return (Number(hours) * 60 + Number(minutes)) * minuteSecs;
}

/** The local wall clock decides, so an hour that daylight saving repeats counts twice, and one that it skips never. */
export class ActiveTimes {
  readonly #zone: Zone;
  readonly #week: readonly Range[];

  /** @param week In seconds since Monday 00:00; a range may go on into the next week. */
  constructor(zone: Zone, week: readonly Range[]) {
    this.#zone = zone;
    // What goes on from the week before comes first.
    this.#week = [...week.map(({ start, end }) => ({ start: start - weekSecs, end: end - weekSecs })), ...week];
  }

  /** Writes 1 for each of `count` times from `start` at which the monitor is active, and 0 for the others. */
  fill(flags: Uint8Array, start: number, count: number, interval: number): void {
    flags.fill(0, 0, count);
    const end = start + (count - 1) * interval + 1;
    for (const span of this.#zone.spans(start, end)) {
      const toLocal = span.offset - firstMonday;
      const firstWeek = Math.floor((span.start + toLocal) / weekSecs) * weekSecs;
      for (let week = firstWeek; week < span.end + toLocal; week += weekSecs) {
        const toUtc = week - toLocal;
        for (const range of this.#week) {
          const first = Math.ceil((Math.max(range.start + toUtc, span.start) - start) / interval);
          const beyond = Math.ceil((Math.min(range.end + toUtc, span.end) - start) / interval);
          if (beyond > first) flags.fill(1, first, beyond);
        }
      }
    }
  }
}
