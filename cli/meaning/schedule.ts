import { union } from "../../sdk/behavior/grouping";
import { days, rangesOn } from "../../sdk/behavior/schedule";
import type * as types from "../../sdk/types.gen";

/**
 * The schedule with each day in one spelling, so that two which are active at the same minutes are the same; undefined if
 * it is always active. One that can't be parsed only gets the days that it leaves out.
 */
export function inOneSpelling(schedule: types.Schedule): types.Schedule | undefined {
  const week = schedule.weeklySchedule ?? {};
  const problems: string[] = [];
  const ranges = days.flatMap((_, day) => rangesOn(day, week, problems));
  if (problems.length > 0) return { ...schedule, weeklySchedule: { ...everyDay, ...week } };
  // What goes on after Sunday is Monday's.
  const all = union([...ranges, ...ranges.map(({ start, end }) => ({ start: start - weekSecs, end: end - weekSecs }))]);
  const weeklySchedule = Object.fromEntries(days.map((name, day) => [name, dayOf(all, day * daySecs)]));
  const isAlways = days.every((name) => weeklySchedule[name]?.active === "ALL_DAY");
  return isAlways ? undefined : { ...schedule, weeklySchedule };
}

export const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
/** `Monday` */
export const dayNames = days.map(capital);

/** The first Monday since the epoch, in days: that was a Thursday. */
export const firstMonday = 4;

const everyDay: types.WeeklySchedule = Object.fromEntries(days.map((name) => [name, { active: "ALL_DAY" }]));
const daySecs = 86_400;
const weekSecs = days.length * daySecs;

/** The part of the times that is within the day which begins at a second of the week. */
function dayOf(all: ReturnType<typeof union>, midnight: number): types.DaySchedule {
  const within = all
    .map(({ start, end = weekSecs }) => ({
      start: Math.max(start - midnight, 0),
      end: Math.min(end - midnight, daySecs),
    }))
    .filter(({ start, end }) => start < end);
  if (within.length === 0) return { active: "NEVER" };
  if (within.some(({ start, end }) => end - start === daySecs)) return { active: "ALL_DAY" };
  const ranges = within.map(({ start, end }) => ({ startHhMm: clockText(start / 60), endHhMm: clockText(end / 60) }));
  return { active: "ONLY_DURING_RANGES", ranges };
}

/** The time of a minute of the day, up to 24:00. */
export const clockText = (minute: number) =>
  [minute / 60, minute % 60].map((each) => String(Math.floor(each)).padStart(2, "0")).join(":");
