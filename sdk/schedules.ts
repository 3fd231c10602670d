import type { DaySchedule, Schedule, TimeRange, WeeklySchedule } from "./types.gen";

/** The hours of a day; the end is not part of them. */
export interface Hours {
  /** `HH:MM`, 24 hours. Default: 09:00. */
  readonly from?: string;
  /** `HH:MM`, 24 hours; `24:00` is the end of the day. Default: 17:00. */
  readonly to?: string;
}

type Day = keyof WeeklySchedule;

const workdays: readonly Day[] = ["monday", "tuesday", "wednesday", "thursday", "friday"];
const weekend: readonly Day[] = ["saturday", "sunday"];

const each = (days: readonly Day[], day: DaySchedule): WeeklySchedule =>
  Object.fromEntries(days.map((name) => [name, { ...day }]));

const during = (ranges: TimeRange[]): DaySchedule => ({ active: "ONLY_DURING_RANGES", ranges });

/** A schedule of Monday to Friday, 09:00 to 17:00 or other hours: `businessHours("Europe/Berlin")`. */
export const businessHours = (timezone: string, { from = "09:00", to = "17:00" }: Hours = {}): Schedule => ({
  timezone,
  weeklySchedule: {
    ...each(workdays, during([{ startHhMm: from, endHhMm: to }])),
    ...each(weekend, { active: "NEVER" }),
  },
});

/** The rest of the week: the nights of Monday to Friday, and Saturday and Sunday. The hours are those to leave out. */
export const outOfHours = (timezone: string, { from = "09:00", to = "17:00" }: Hours = {}): Schedule => {
  const parts = [
    { startHhMm: "00:00", endHhMm: from },
    { startHhMm: to, endHhMm: "24:00" },
  ];
  const left = parts.filter(({ startHhMm, endHhMm }) => startHhMm !== endHhMm);
  return {
    timezone,
    weeklySchedule: {
      ...each(workdays, left.length === 0 ? { active: "NEVER" } : during(left)),
      ...each(weekend, { active: "ALL_DAY" }),
    },
  };
};

/** A schedule of Monday to Friday, all day. */
export const weekdays = (timezone: string): Schedule => ({
  timezone,
  weeklySchedule: { ...each(workdays, { active: "ALL_DAY" }), ...each(weekend, { active: "NEVER" }) },
});
