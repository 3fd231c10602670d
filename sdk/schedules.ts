import type { DaySchedule, Schedule, TimeRange, WeeklySchedule } from "./types.gen";

/** The hours of a day; the end is not part of them. */
export interface Hours {
  /** `HH:MM`, 24 hours. Default: 09:00. */
  readonly from?: string;
  /** `HH:MM`, 24 hours; `24:00` is the end of the day, and a time before `from` is one of the next day. Default: 17:00. */
  readonly to?: string;
}

type Day = keyof WeeklySchedule;

const workdays: readonly Day[] = ["monday", "tuesday", "wednesday", "thursday", "friday"];
const weekend: readonly Day[] = ["saturday", "sunday"];

const each = (days: readonly Day[], day: DaySchedule): WeeklySchedule =>
  Object.fromEntries(days.map((name) => [name, { ...day }]));

const during = (ranges: TimeRange[]): DaySchedule => ({ active: "ONLY_DURING_RANGES", ranges });

/**
 * A schedule of Monday to Friday, 09:00 to 17:00 or other hours: `businessHours("Europe/Berlin")`. Hours that end before
 * they begin go on past midnight: those of Friday end on Saturday.
 * @throws RangeError if the hours have no length, or are no times of the day.
 */
export const businessHours = (timezone: string, hours: Hours = {}): Schedule => {
  const { from, to } = checked(hours);
  // Hours past midnight are two ranges, so that each day shows when the monitor is active.
  const isPastMidnight = to < from;
  const begun = { startHhMm: from, endHhMm: isPastMidnight ? "24:00" : to };
  const goneOn = { startHhMm: "00:00", endHhMm: to };
  return {
    timezone,
    weeklySchedule: {
      ...each(workdays, during(isPastMidnight ? [goneOn, begun] : [begun])),
      ...each(weekend, { active: "NEVER" }),
      ...(isPastMidnight ? { monday: during([begun]), saturday: during([goneOn]) } : {}),
    },
  };
};

/**
 * The rest of the week: every time that is not in `businessHours` of the same hours.
 * @throws RangeError if the hours have no length, or are no times of the day.
 */
export const outOfHours = (timezone: string, hours: Hours = {}): Schedule => {
  const { from, to } = checked(hours);
  const before = { startHhMm: "00:00", endHhMm: from };
  const after = { startHhMm: to, endHhMm: "24:00" };
  const between = { startHhMm: to, endHhMm: from };
  const isPastMidnight = to < from;
  return {
    timezone,
    weeklySchedule: {
      ...each(workdays, left(isPastMidnight ? [between] : [before, after])),
      ...each(weekend, { active: "ALL_DAY" }),
      // No hours go on from Sunday into Monday, but those of Friday do into Saturday.
      ...(isPastMidnight ? { monday: left([before]), saturday: left([after]) } : {}),
    },
  };
};

/** A day that is active in the ranges that have a length. */
function left(ranges: TimeRange[]): DaySchedule {
  const some = ranges.filter(({ startHhMm, endHhMm }) => startHhMm !== endHhMm);
  return some.length === 0 ? { active: "NEVER" } : during(some);
}

/** The hours with their defaults; a day that ends at 00:00 ends at 24:00. */
function checked({ from = "09:00", to = "17:00" }: Hours): Required<Hours> {
  const time = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
  if (!time.test(from)) throw new RangeError(`from: expected HH:MM from 00:00 to 23:59, got "${from}"`);
  if (!time.test(to) && to !== "24:00") throw new RangeError(`to: expected HH:MM from 00:00 to 24:00, got "${to}"`);
  if (from === to) {
    throw new RangeError(`from "${from}" to "${to}" has no length. For whole days use weekdays, or to: "24:00"`);
  }
  return { from, to: to === "00:00" ? "24:00" : to };
}

/** A schedule of Monday to Friday, all day. */
export const weekdays = (timezone: string): Schedule => ({
  timezone,
  weeklySchedule: { ...each(workdays, { active: "ALL_DAY" }), ...each(weekend, { active: "NEVER" }) },
});
