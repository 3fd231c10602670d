import type { Path } from "../../../provider/schema/walk";
import { grouped } from "../../../provider/base/grouped";
import { secondsPer } from "../../../provider/base/durations";
import { minutesText } from "../../../sdk/behavior/durations";
import { days, rangesOn } from "../../../sdk/behavior/schedule";
import { Zone } from "../../../sdk/behavior/zones";
import type * as types from "../../../sdk/types.gen";
import { capital, clockText, dayNames, firstMonday } from "../../meaning/schedule";
import { listed } from "../../output/words";
import type { Direction, LocatedFinding } from "../risk";
import { isHidden } from "../../meaning/hidden";
import { items } from "../../../provider/wire/json";
import { valueText } from "../values";
import { classed } from "./rules";

type Schedule = types.Schedule | undefined;
type Day = (typeof days)[number];

const minutesOfDay = 1_440;
const minutesOfWeek = days.length * minutesOfDay;

/** The consequences of a change of a schedule: when the monitor is silent now, and when it is active again. */
export function scheduleFindings(before: Schedule, after: Schedule): readonly LocatedFinding[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const strange =
    before?.timezone === after?.timezone ? [] : [...zoneFindings("old", before), ...zoneFindings("new", after)];
  if (strange.length > 0) return strange;
  const [old, now] = [activeIn(before), activeIn(after)];
  const times = timesOf(before, after);
  const zone: readonly Path[] = times.old === times.now ? [] : [["schedule", "timezone"]];
  const turned = (direction: Direction, word: string, from: boolean, to: boolean) => {
    const spans = spansWhere(times, (was, is) => old[was] === from && now[is] === to);
    const text = `now ${old.includes(to) ? "also " : ""}${word} on ${spansText(spans, times, after)}`;
    return spans.length === 0
      ? []
      : [classed("schedule", direction, text, [...zone, ...spans.map(({ day }) => dayAt(dayName(day)))])];
  };
  const unread = (side: Activity, other: Activity, schedule: Schedule, age: string, end: string) => {
    const on = days.filter((_, day) => isOpen(side, day) && !isOpen(other, day));
    const at = on.map((day) =>
      activeOn(before, day) === activeOn(after, day) ? dayAt(day) : [...dayAt(day), "active"],
    );
    const rangesOf = (day: Day) => items(schedule?.weeklySchedule?.[day]?.ranges);
    const isBeside = on.some((day) => activeOn(schedule, day) !== "ONLY_DURING_RANGES" && rangesOf(day).length > 0);
    const why = isBeside ? ', because ranges need active "ONLY_DURING_RANGES"' : "";
    const text = `the ${age} hours of ${listed(on.map(capital))} can't be read${why}: ${end}`;
    return on.length === 0 ? [] : [classed("schedule", "unclear", text, at)];
  };
  return [
    ...turned("alerts-less", "silent", true, false),
    ...turned("alerts-more", "active", false, true),
    ...unread(now, old, after, "new", "may be silent then"),
    ...unread(old, now, before, "old", "may have been silent then"),
  ];
}

function zoneFindings(age: string, schedule: Schedule): readonly LocatedFinding[] {
  if (schedule === undefined || isHidden(schedule.timezone) || zoneOf(schedule) !== undefined) return [];
  const text = `the ${age} time zone ${valueText(schedule.timezone)} isn't known: may be silent at other times`;
  return [classed("schedule", "unclear", text, [["schedule"]])];
}

/** Whether all is known of when a schedule is active, so that two schedules are compared by their minutes alone. */
export const isScheduleRead = (schedule: Schedule) =>
  schedule === undefined ||
  (zoneOf(schedule) !== undefined && days.every((_, day) => readRanges(schedule, day) !== undefined));

export const isNeverActive = (schedule: Schedule) =>
  days.every((day) => {
    const { active, ranges = [] } = schedule?.weeklySchedule?.[day] ?? {};
    return active === "NEVER" && ranges.length === 0;
  });

const activeOn = (schedule: Schedule, day: Day) => schedule?.weeklySchedule?.[day]?.active;

const zoneOf = ({ timezone = "" }: types.Schedule) => Zone.find(timezone);

/** Minutes that follow each other, in the local time of both sides, since a Monday 00:00. */
interface Times {
  readonly old: Int32Array;
  readonly now: Int32Array;
  /** The day after the last, and how many weeks there are. */
  readonly end: number;
  readonly weeks: number;
}

// A year that all rules of clocks known today apply to; the year of the run would change the text of two equal reviews.
const firstDay = Date.UTC(2029, 11, 31) / 86_400_000;
const weeksOfYear = 52;

/** A week if both sides have the same time; otherwise the weeks of one year, in which each change of clocks occurs. */
function timesOf(before: Schedule, after: Schedule): Times {
  const [old, now] = [before && zoneOf(before), after && zoneOf(after)];
  const week = Int32Array.from({ length: minutesOfWeek }, (_, minute) => minute);
  const always = { old: week, now: week, end: days.length, weeks: 1 };
  if (old === undefined || now === undefined || old === now) return always;
  const start = firstDay * secondsPer.d;
  const from = start - now.offsetAt(start);
  const to = from + (weeksOfYear * days.length + 1) * secondsPer.d;
  const [was, is] = [localMinutes(old, from, to), localMinutes(now, from, to)];
  if (was.every((minute, i) => minute === is[i])) return always;
  return { old: was, now: is, end: firstDay - firstMonday + weeksOfYear * days.length, weeks: weeksOfYear };
}

function localMinutes(zone: Zone, from: number, to: number): Int32Array {
  const minutes = new Int32Array((to - from) / 60);
  for (const { start, end, offset } of zone.spans(from, to)) {
    const ahead = (from + offset) / 60 - firstMonday * minutesOfDay;
    for (let i = (start - from) / 60; i < (end - from) / 60; i += 1) minutes[i] = i + ahead;
  }
  return minutes;
}

/** For each minute of the week whether the monitor is active, as the simulation reads it; undefined if that can't be determined. */
type Activity = readonly (boolean | undefined)[];

/** Whether the schedule of a day can't be parsed: the day before may extend into it, but not to its end. */
const isOpen = (active: Activity, day: number) => active[(day + 1) * minutesOfDay - 1] === undefined;

function activeIn(schedule: Schedule): Activity {
  const active = Array<boolean | undefined>(minutesOfWeek).fill(false);
  const read = days.map((_, day) => readRanges(schedule, day));
  read.forEach((ranges, day) => {
    if (ranges === undefined) active.fill(undefined, day * minutesOfDay, (day + 1) * minutesOfDay);
  });
  for (const { start, end } of read.flatMap((ranges) => ranges ?? [])) {
    for (let minute = start / 60; minute < end / 60; minute += 1) active[minute % minutesOfWeek] = true;
  }
  return active;
}

/** The ranges that begin on a day; undefined if they are hidden or can't be parsed. */
function readRanges(schedule: Schedule, day: number) {
  const week = schedule?.weeklySchedule ?? {};
  const problems: string[] = [];
  // The engine replaces hidden ranges with a string.
  const isHidden = !Array.isArray(week[days[day] ?? "monday"]?.ranges ?? []);
  const found = isHidden ? [] : rangesOn(day, week, problems);
  return isHidden || problems.length > 0 ? undefined : found;
}

/** A part of a day, in minutes since its midnight. */
interface Span {
  /** Since a Monday. */
  readonly day: number;
  readonly from: number;
  to: number;
}

/** The spans in which a condition is met, each within one day. An hour that the clocks skip does not divide a span. */
function spansWhere({ old, now, end }: Times, holds: (was: number, is: number) => boolean): readonly Span[] {
  const spans: Span[] = [];
  let open: Span | undefined;
  let today = -1;
  now.forEach((is, i) => {
    const day = Math.floor(is / minutesOfDay);
    const isFirst = day !== today;
    if (isFirst && open !== undefined) open.to = minutesOfDay;
    if (isFirst) open = undefined;
    today = day;
    if (day >= end || !holds((old[i] ?? 0) % minutesOfWeek, is % minutesOfWeek)) {
      open = undefined;
      return;
    }
    const minute = is % minutesOfDay;
    if (open === undefined) spans.push((open = { day, from: isFirst ? 0 : minute, to: 0 }));
    open.to = minute + 1;
  });
  return spans;
}

const dayAt = (day: string): Path => ["schedule", "weeklySchedule", day];

/** `Saturday 00:00–08:00 and Sunday (32 h a week)`; `Monday 08:00–09:00 (4 days a year, March and October)` */
function spansText(spans: readonly Span[], { weeks }: Times, after: Schedule): string {
  const timesIn = ({ from, to }: Span) => (to - from === minutesOfDay ? "" : ` ${clockText(from)}–${clockText(to)}`);
  const weekly = [...grouped(spans, (span) => `${dayName(span.day)}${timesIn(span)}`).values()];
  const textOf = (all: readonly Span[]) =>
    listed(
      [...grouped(all, timesIn)].map(
        ([times, some]) =>
          `${namesText(
            some.map(({ day }) => day % days.length),
            dayNames,
          )}${times}`,
      ),
    );
  const always = weekly.filter(({ length }) => length === weeks).flatMap(([span]) => span ?? []);
  const others = grouped(weekly.filter(({ length }) => length !== weeks).flat(), timesIn);
  const minutes = always.reduce((sum, { from, to }) => sum + to - from, 0);
  const parts = [
    ...(minutes === 0 ? [] : [`${textOf(always)} (${minutesText(minutes)} a week)`]),
    ...[...others.values()].map((some) => `${textOf(some)} (${datesText(some.map(({ day }) => day))})`),
  ];
  return `${listed(parts)}${weeks === 1 ? "" : `, ${after?.timezone ?? ""} time`}`;
}

const months = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2030, month)).toLocaleString("en-US", { month: "long", timeZone: "UTC" }),
);

/** `4 days a year, March and October`; `22 days a year, October to March` */
function datesText(all: readonly number[]): string {
  const on = new Set(all);
  const inMonths = [...on].map((day) => new Date((day + firstMonday) * secondsPer.d * 1_000).getUTCMonth());
  return `${on.size} ${on.size === 1 ? "day" : "days"} a year, ${namesText(inMonths, months)}`;
}

const dayName = (day: number) => days[day % days.length] ?? "";

/** `Monday to Friday`, `October to March`, `Monday and Saturday` */
function namesText(some: readonly number[], names: readonly string[]): string {
  const on = names.map((_, i) => some.includes(i));
  const count = on.filter(Boolean).length;
  const first = Math.max(
    on.findIndex((isOn, i) => isOn && !on.at(i - 1)),
    0,
  );
  const run = [...names, ...names].slice(first, first + count);
  const isRun = count > 2 && run.every((name) => on[names.indexOf(name)]);
  return isRun ? `${run[0] ?? ""} to ${run.at(-1) ?? ""}` : listed(names.filter((_, i) => on[i]));
}
