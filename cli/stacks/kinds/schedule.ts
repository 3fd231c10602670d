import type { Path } from "../../../provider/schema/walk";
import { days, rangesOn } from "../../../sdk/behavior/schedule";
import type * as types from "../../../sdk/types.gen";
import { listed } from "../../report/words";
import type { Direction, LocatedFinding } from "../risk";
import { arrow } from "../values";
import { append } from "../../../provider/values/grouped";

type Day = (typeof days)[number];

const minutesOfDay = 1_440;
const minutesOfWeek = days.length * minutesOfDay;

/** What a change of a schedule means: when the monitor is silent now, and when it is active again. */
export function scheduleFindings(
  before: types.Schedule | undefined,
  after: types.Schedule | undefined,
): readonly LocatedFinding[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [activeIn(before), activeIn(after)];
  const silent = spansWhere((minute) => old.active[minute] === true && now.active[minute] === false);
  const woken = spansWhere((minute) => old.active[minute] === false && now.active[minute] === true);
  const open = days.filter((_, day) => old.open.has(day) !== now.open.has(day));
  const isMoved = before !== undefined && after !== undefined && (before.timezone ?? "") !== (after.timezone ?? "");
  const dependsOnZone = [old, now].some(({ active }) => active.includes(false));
  const activeOn = (schedule: types.Schedule | undefined, day: Day) => schedule?.weeklySchedule?.[day]?.active;
  const unreadAt = (day: Day) =>
    activeOn(before, day) === activeOn(after, day) ? dayAt(day) : [...dayAt(day), "active"];
  const findings: LocatedFinding[] = [];
  const muted = (direction: Direction, text: string, at: readonly Path[]) =>
    findings.push({ class: "muted", direction, text, at });
  if (silent.length > 0) muted("laxer", `silent on ${spansText(silent)} (${hoursIn(silent)} h a week)`, daysIn(silent));
  if (woken.length > 0) {
    const text = `active on ${spansText(woken)} too (${hoursIn(woken)} h a week)`;
    findings.push({ class: "stricter", direction: "stricter", text, at: daysIn(woken) });
  }
  if (open.length > 0) {
    const change = open.some((day) => now.open.has(days.indexOf(day)))
      ? "cannot be read in the schedule any more"
      : "can be read in the schedule now";
    muted("unclear", `${listed(open.map(capital))} ${change}: may be silent then`, open.map(unreadAt));
  }
  if (isMoved && dependsOnZone) {
    const text = `time zone ${arrow(before.timezone ?? "", after.timezone ?? "")}: silent at other times`;
    muted("unclear", text, [["schedule", "timezone"]]);
  }
  return findings;
}

interface Activity {
  /** For each minute of the week whether the monitor is active; undefined if nobody can know. */
  readonly active: readonly (boolean | undefined)[];
  /** The days whose schedule cannot be read. */
  readonly open: ReadonlySet<number>;
}

/** As the simulation reads it. */
function activeIn(schedule: types.Schedule | undefined): Activity {
  const week = schedule?.weeklySchedule ?? {};
  const open = new Set<number>();
  const ranges = days.flatMap((name, day) => {
    const problems: string[] = [];
    // The engine puts a text in the place of ranges that it hides.
    const isHidden = !Array.isArray(week[name]?.ranges ?? []);
    const found = isHidden ? [] : rangesOn(day, week, problems);
    if (!isHidden && problems.length === 0) return found;
    open.add(day);
    return [];
  });
  const active = Array.from({ length: minutesOfWeek }, (_, minute): boolean | undefined =>
    open.has(Math.floor(minute / minutesOfDay)) ? undefined : false,
  );
  for (const { start, end } of ranges) {
    for (let minute = start / 60; minute < end / 60; minute += 1) active[minute % minutesOfWeek] = true;
  }
  return { active, open };
}

/** The stretches of a week in which something holds, each within one day. */
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

const hoursIn = (spans: readonly (readonly [number, number])[]) =>
  Number((spans.reduce((sum, [from, to]) => sum + to - from, 0) / 60).toFixed(1));

/** `Saturday 00:00–08:00 and Sunday` */
function spansText(spans: readonly (readonly [number, number])[]): string {
  const byTimes = new Map<string, number[]>();
  for (const [from, to] of spans) {
    const times = to - from === minutesOfDay ? "" : ` ${clock(from)}–${clock(to, from)}`;
    append(byTimes, times, Math.floor(from / minutesOfDay));
  }
  const parts = [...byTimes].map(([times, on]) => `${daysText(on)}${times}`);
  return listed(parts);
}

/** `Monday to Friday` */
function daysText(on: readonly number[]): string {
  const isRun = on.length > 2 && on.every((day, i) => day === (on[0] ?? 0) + i);
  const names = on.map((day) => capital(days[day] ?? ""));
  return isRun ? `${names[0] ?? ""} to ${names.at(-1) ?? ""}` : listed(names);
}

function clock(minute: number, from = minute): string {
  const within = minute - Math.floor(from / minutesOfDay) * minutesOfDay;
  return `${String(Math.floor(within / 60)).padStart(2, "0")}:${String(within % 60).padStart(2, "0")}`;
}

const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);
