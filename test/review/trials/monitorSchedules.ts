import { errors } from "./monitorConditions.js";
import { named, orSilent } from "./trial.js";

const during = (...ranges: [startHhMm: string, endHhMm: string][]) => ({
  active: "ONLY_DURING_RANGES",
  ranges: ranges.map(([startHhMm, endHhMm]) => ({ startHhMm, endHhMm })),
});
const allDay = { active: "ALL_DAY" };
const never = { active: "NEVER" };
const off = { active: "NEVER", ranges: undefined };

const workdays = (day: ReturnType<typeof during> | typeof allDay) => ({
  monday: day,
  tuesday: day,
  wednesday: day,
  thursday: day,
  friday: day,
});
const week = (day: ReturnType<typeof during> | typeof allDay, timezone = "Europe/Berlin") => ({
  schedule: { timezone, weeklySchedule: { ...workdays(day), saturday: never, sunday: never } },
});

export const office = errors.from(week(during(["08:00", "20:00"])));
const always = errors.from({ schedule: { timezone: "Europe/Berlin", weeklySchedule: { saturday: allDay } } });

export const monitorSchedules = [
  office(
    "the working day is shorter at both ends",
    week(during(["09:00", "18:00"])),
    named("muted", "laxer", "08:00", "09:00", "18:00", "20:00"),
  ),
  office("the working day begins earlier", week(during(["06:00", "20:00"])), named("muted", "stricter", "06:00")),
  office(
    "nobody is paged over lunch",
    week(during(["08:00", "12:00"], ["13:00", "20:00"])),
    named("muted", "laxer", "12:00", "13:00"),
  ),
  office(
    "the working day moves by two hours",
    week(during(["10:00", "22:00"])),
    named("muted", ["unclear", "laxer"], "08:00", "10:00"),
    orSilent(named("stricter", "stricter", "20:00", "22:00")),
  ),
  office(
    "Friday ends at noon",
    { schedule: { weeklySchedule: { friday: during(["08:00", "12:00"]) } } },
    named("muted", "laxer", "Friday", "12:00"),
  ),
  office(
    "Saturday is watched, too",
    { schedule: { weeklySchedule: { saturday: allDay } } },
    named("muted", "stricter", "Saturday"),
  ),
  office(
    "the on-call moves to New York, the hours stay",
    { schedule: { timezone: "America/New_York" } },
    named("muted", "unclear", "Europe/Berlin", "America/New_York"),
  ),
  office("the hours are meant in UTC from now on", { schedule: { timezone: "UTC" } }, named("muted", "unclear", "UTC")),
  office(
    "London for Berlin, an hour later",
    { schedule: { timezone: "Europe/London" } },
    named("muted", "unclear", "Europe/London"),
  ),
  errors("a schedule of working hours is added", week(during(["08:00", "20:00"])), named("muted", "laxer", "Saturday")),
  office("the schedule is removed", { schedule: undefined }, named("muted", "stricter", "Saturday")),
  always(
    "nobody is told on Saturdays",
    { schedule: { weeklySchedule: { saturday: never } } },
    named("muted", "laxer", "Saturday"),
  ),
  always(
    "nobody is told on Sundays, which had no entry",
    { schedule: { weeklySchedule: { sunday: never } } },
    named("muted", "laxer", "Sunday"),
  ),
  always(
    "a maintenance window on Tuesday nights",
    { schedule: { weeklySchedule: { tuesday: during(["00:00", "02:00"], ["04:00", "24:00"]) } } },
    named("muted", "laxer", "Tuesday", "02:00", "04:00"),
  ),
  errors.from({ schedule: { timezone: "Europe/Berlin", weeklySchedule: { wednesday: never } } })(
    "the silent day moves to Thursday",
    { schedule: { weeklySchedule: { wednesday: undefined, thursday: never } } },
    named("muted", ["unclear", "laxer"], "Thursday"),
    orSilent(named("stricter", "stricter", "Wednesday")),
  ),
  office(
    "every day is switched off",
    {
      schedule: {
        weeklySchedule: { monday: off, tuesday: off, wednesday: off, thursday: off, friday: off },
      },
    },
    named("muted", "laxer", "Monday"),
  ),
  office(
    "the last minute of each day is lost",
    week(during(["08:00", "19:59"])),
    named("muted", "laxer", "19:59", "20:00"),
  ),
  office(
    "a day has a value that only a newer service knows",
    { schedule: { weeklySchedule: { monday: { active: "ON_CALL_HOURS", ranges: undefined } } } },
    named("muted", "unclear", "ON_CALL_HOURS"),
  ),
];
