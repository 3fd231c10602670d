import type { Path } from "../../../provider/schema/walk";
import { grouped } from "../../../provider/values/grouped";
import { minutesText, secondsOf } from "../../../sdk/behavior/durations";
import { days, rangesOn } from "../../../sdk/behavior/schedule";
import { Zone } from "../../../sdk/behavior/zones";
import type * as types from "../../../sdk/types.gen";
import { listed } from "../../report/words";
import type { Direction, LocatedFinding } from "../risk";
import { classed } from "./rules";

type Schedule = types.Schedule | undefined;
type Day = (typeof days)[number];

const minutesOfDay = 1_440;
const minutesOfWeek = days.length * minutesOfDay;

/** The consequences of a change of a schedule: when the monitor is silent now, and when it is active again. */
export function scheduleFindings(before: Schedule, after: Schedule): readonly LocatedFinding[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [activeIn(before), activeIn(after)];
  const phases = phasesOf(before, after);
  const zone = phases.some(({ shift }) => shift !== 0) ? `, ${after?.timezone ?? ""} time` : "";
  const turned = (direction: Direction, word: string, from: boolean, to: boolean) => {
    const spansIn = ({ shift }: Phase) =>
      spansWhere((minute) => old[(minute - shift + minutesOfWeek) % minutesOfWeek] === from && now[minute] === to);
    return [...grouped(phases, (phase) => spansText(spansIn(phase), zone))].flatMap(([text, during]) => {
      const when = during.length === phases.length ? "" : ` ${listed(during.map(datesText))}`;
      const at = daysIn(during.flatMap(spansIn));
      return text === ""
        ? []
        : [classed("schedule", direction, `now ${old.includes(to) ? "also " : ""}${word} on ${text}${when}`, at)];
    });
  };
  const unread = (side: Activity, other: Activity, text: string) => {
    const on = days.filter((_, day) => isOpen(side, day) && !isOpen(other, day));
    const at = on.map((day) =>
      activeOn(before, day) === activeOn(after, day) ? dayAt(day) : [...dayAt(day), "active"],
    );
    return on.length === 0 ? [] : [classed("schedule", "unclear", text.replace("…", listed(on.map(capital))), at)];
  };
  return [
    ...turned("alerts-less", "silent", true, false),
    ...turned("alerts-more", "active", false, true),
    ...unread(now, old, "the new hours of … can't be read: may be silent then"),
    ...unread(old, now, "the old hours of … can't be read: may have been silent then"),
  ];
}

/** Whether all is known of when a schedule is active, so that two schedules are compared by their minutes alone. */
export const isScheduleRead = (schedule: Schedule) =>
  schedule === undefined || (zoneOf(schedule) !== undefined && !activeIn(schedule).includes(undefined));

const activeOn = (schedule: Schedule, day: Day) => schedule?.weeklySchedule?.[day]?.active;

function zoneOf({ timezone = "" }: types.Schedule): Zone | undefined {
  try {
    return Zone.named(timezone);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A part of the next year in which the time zones of two schedules are equally far apart. */
interface Phase {
  /** In minutes: the new zone's time minus the old one's. */
  readonly shift: number;
  /** In seconds; undefined for the beginning and the end of the year. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

function phasesOf(before: Schedule, after: Schedule): readonly Phase[] {
  const [old, now] = [before && zoneOf(before), after && zoneOf(after)];
  const always = { shift: 0, start: undefined, end: undefined };
  if (old === undefined || now === undefined || old === now) return [always];
  const from = Math.floor(Date.now() / 1_000);
  const to = from + secondsOf.y;
  const starts = [old, now].flatMap((zone) => [...zone.spans(from, to)].map(({ start }) => start));
  const shifts = [...new Set(starts)]
    .sort((a, b) => a - b)
    .map((start) => ({ start, shift: (now.offsetAt(start) - old.offsetAt(start)) / 60 }))
    .filter(({ shift }, i, all) => shift !== all[i - 1]?.shift);
  return shifts.map(({ start, shift }, i) => ({
    shift,
    start: i === 0 ? undefined : start,
    end: shifts[i + 1]?.start,
  }));
}

/** `from 2027-03-14 until 2027-03-28` */
const datesText = ({ start, end }: Phase) =>
  [start && `from ${dateOf(start)}`, end && `until ${dateOf(end)}`].filter(Boolean).join(" ");
const dateOf = (secs: number) => new Date(secs * 1_000).toISOString().slice(0, 10);

/** For each minute of the week whether the monitor is active, as the simulation reads it; undefined if that can't be determined. */
type Activity = readonly (boolean | undefined)[];

/** Whether the schedule of a day can't be parsed: the day before may extend into it, but not to its end. */
const isOpen = (active: Activity, day: number) => active[(day + 1) * minutesOfDay - 1] === undefined;

function activeIn(schedule: Schedule): Activity {
  const week = schedule?.weeklySchedule ?? {};
  const active = Array.from({ length: minutesOfWeek }, (): boolean | undefined => false);
  const ranges = days.flatMap((name, day) => {
    const problems: string[] = [];
    // The engine replaces hidden ranges with a string.
    const isHidden = !Array.isArray(week[name]?.ranges ?? []);
    const found = isHidden ? [] : rangesOn(day, week, problems);
    if (!isHidden && problems.length === 0) return found;
    active.fill(undefined, day * minutesOfDay, (day + 1) * minutesOfDay);
    return [];
  });
  for (const { start, end } of ranges) {
    for (let minute = start / 60; minute < end / 60; minute += 1) active[minute % minutesOfWeek] = true;
  }
  return active;
}

/** The spans of a week in which a condition is met, each within one day. */
function spansWhere(holds: (minute: number) => boolean): readonly (readonly [from: number, to: number])[] {
  const spans: [number, number][] = [];
  for (let minute = 0; minute < minutesOfWeek; minute += 1) {
    if (!holds(minute)) continue;
    const last = spans.at(-1);
    if (last !== undefined && last[1] === minute && minute % minutesOfDay !== 0) last[1] = minute + 1;
    else spans.push([minute, minute + 1]);
  }
  return spans;
}

const dayAt = (day: string): Path => ["schedule", "weeklySchedule", day];

const daysIn = (spans: readonly (readonly [number, number])[]) =>
  spans.map(([from]) => dayAt(days[Math.floor(from / minutesOfDay)] ?? ""));

/** `Saturday 00:00–08:00 and Sunday (32 h a week)`; empty for no spans. */
function spansText(spans: readonly (readonly [number, number])[], zone: string): string {
  if (spans.length === 0) return "";
  const byTimes = grouped(spans, ([from, to]) =>
    to - from === minutesOfDay ? "" : ` ${clock(from % minutesOfDay)}–${clock((from % minutesOfDay) + to - from)}`,
  );
  const parts = [...byTimes].map(
    ([times, on]) => `${daysText(on.map(([from]) => Math.floor(from / minutesOfDay)))}${times}`,
  );
  const minutes = spans.reduce((sum, [from, to]) => sum + to - from, 0);
  return `${listed(parts)} (${minutesText(minutes)} a week${zone})`;
}

/** `Monday to Friday` */
function daysText(on: readonly number[]): string {
  const isRun = on.length > 2 && on.every((day, i) => day === (on[0] ?? 0) + i);
  const names = on.map((day) => capital(days[day] ?? ""));
  return isRun ? `${names[0] ?? ""} to ${names.at(-1) ?? ""}` : listed(names);
}

/** The time of a minute of the day, up to 24:00. */
const clock = (minute: number) =>
  [minute / 60, minute % 60].map((each) => String(Math.floor(each)).padStart(2, "0")).join(":");

const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
