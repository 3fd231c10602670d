import type { Path } from "../../../provider/schema/walk";
import { days, rangesOn } from "../../../sdk/behavior/schedule";
import type * as types from "../../../sdk/types.gen";
import { listed } from "../../report/words";
import type { Direction, LocatedFinding } from "../risk";
import { arrow } from "../values";
import { classed } from "./rules";
import { grouped } from "../../../provider/values/grouped";

type Day = (typeof days)[number];

const minutesOfDay = 1_440;
const minutesOfWeek = days.length * minutesOfDay;

/** The consequences of a change of a schedule: when the monitor is silent now, and when it is active again. */
export function scheduleFindings(
  before: types.Schedule | undefined,
  after: types.Schedule | undefined,
): readonly LocatedFinding[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [activeIn(before), activeIn(after)];
  const turned = (from: boolean, to: boolean) => spansWhere((minute) => old[minute] === from && now[minute] === to);
  const [silent, woken] = [turned(true, false), turned(false, true)];
  const open = days.filter((_, day) => isOpen(old, day) !== isOpen(now, day));
  const isClosedNow = open.every((day) => !isOpen(now, days.indexOf(day)));
  const change = isClosedNow ? "can be parsed in the schedule now" : "can no longer be parsed in the schedule";
  const isMoved = before !== undefined && after !== undefined && (before.timezone ?? "") !== (after.timezone ?? "");
  const dependsOnZone = [old, now].some((active) => active.includes(false));
  const activeOn = (schedule: types.Schedule | undefined, day: Day) => schedule?.weeklySchedule?.[day]?.active;
  const unreadAt = (day: Day) =>
    activeOn(before, day) === activeOn(after, day) ? dayAt(day) : [...dayAt(day), "active"];
  const changed = (isSo: boolean, direction: Direction, text: string, at: readonly Path[]) =>
    isSo ? [classed("schedule", direction, text, at)] : [];
  return [
    ...changed(silent.length > 0, "alerts-less", `silent on ${spansText(silent)}`, daysIn(silent)),
    ...changed(woken.length > 0, "alerts-more", `active on ${spansText(woken, " too")}`, daysIn(woken)),
    ...changed(
      open.length > 0,
      "unclear",
      `${listed(open.map(capital))} ${change}: may be silent then`,
      open.map(unreadAt),
    ),
    ...changed(
      isMoved && dependsOnZone,
      "unclear",
      `time zone ${arrow(before?.timezone ?? "", after?.timezone ?? "")}: silent at other times`,
      [["schedule", "timezone"]],
    ),
  ];
}

/** For each minute of the week whether the monitor is active, as the simulation reads it; undefined if that can't be determined. */
type Activity = readonly (boolean | undefined)[];

/** Whether the schedule of a day can't be parsed: the day before may extend into it, but not to its end. */
const isOpen = (active: Activity, day: number) => active[(day + 1) * minutesOfDay - 1] === undefined;

function activeIn(schedule: types.Schedule | undefined): Activity {
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

/** `Saturday 00:00–08:00 and Sunday (32 h a week)` */
function spansText(spans: readonly (readonly [number, number])[], more = ""): string {
  const byTimes = grouped(spans, ([from, to]) =>
    to - from === minutesOfDay ? "" : ` ${clock(from % minutesOfDay)}–${clock((from % minutesOfDay) + to - from)}`,
  );
  const parts = [...byTimes].map(
    ([times, on]) => `${daysText(on.map(([from]) => Math.floor(from / minutesOfDay)))}${times}`,
  );
  const hours = spans.reduce((sum, [from, to]) => sum + to - from, 0) / 60;
  return `${listed(parts)}${more} (${Number(hours.toFixed(1))} h a week)`;
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
