import { type ActiveTimes, activeTimes, days, rangesOn } from "../../../sdk/behavior/schedule";
import { Zone } from "../../../sdk/behavior/zones";
import type { Schedule } from "../../../sdk/types.gen";
import { clockText, dayNames, firstMonday } from "../../meaning/schedule";
import { h } from "./dom";

const [minute, hour, day] = [60, 3_600, 86_400];
const week = 7 * day;

export const readerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** When a row is active: always, at some times, or not known. */
export type ActiveHours = "always" | "unknown" | { readonly schedule: Schedule; readonly times: ActiveTimes };

export function hoursOf(schedule: Schedule | "hidden" | undefined): ActiveHours {
  if (schedule === undefined) return "always";
  if (schedule === "hidden") return "unknown";
  const problems: string[] = [];
  const times = activeTimes(schedule, problems);
  return problems.length > 0 ? "unknown" : times === undefined ? "always" : { schedule, times };
}

/** Whether it is active at a time in seconds; undefined if that is not known. */
export function isActiveAt(hours: ActiveHours, time: number): boolean | undefined {
  if (typeof hours === "string") return hours === "always" || undefined;
  const flags = new Uint8Array(1);
  hours.times.fill(flags, time, 1, minute);
  return flags[0] === 1;
}

/** The start of the next week in a zone in which no zone changes its clocks. */
export function nextWeek(...zones: readonly [Zone, ...Zone[]]): number {
  const startAfter = (time: number) => {
    const local = time + zones[0].offsetAt(time);
    const monday = Math.floor((local - firstMonday * day) / week + 1) * week + firstMonday * day;
    return monday - zones[0].offsetAt(monday - zones[0].offsetAt(time));
  };
  let start = startAfter(Math.floor(Date.now() / 1_000));
  const isSteady = () => zones.every((zone) => zone.offsetAt(start) === zone.offsetAt(start + week));
  for (let i = 0; i < 8 && !isSteady(); i += 1) start = startAfter(start + day);
  return start;
}

/** `Monday–Friday 08:00–18:00`, `Sunday silent`: one line for days that follow each other with the same hours. */
export function hoursText(hours: ActiveHours): readonly string[] {
  if (hours === "always") return ["always active"];
  if (hours === "unknown") return ["hours not known"];
  const { timezone = "", weeklySchedule = {} } = hours.schedule;
  const texts = days.map((_, i) => {
    const ranges = rangesOn(i, weeklySchedule, []).map(({ start, end }) => [start - i * day, end - i * day] as const);
    if (ranges.length === 0) return "silent";
    if (ranges.some(([start, end]) => start === 0 && end >= day)) return "active all day";
    // Until midnight is until 24:00, and what goes on is shown by its time on the next day.
    const last = (end: number) => (end > day ? end - day : end);
    return ranges.map(([start, end]) => `${clockText(start / minute)}–${clockText(last(end) / minute)}`).join(", ");
  });
  const lines: string[] = [];
  for (let first = 0; first < 7;) {
    let last = first;
    while (last < 6 && texts[last + 1] === texts[first]) last += 1;
    lines.push(`${dayNames[first] ?? ""}${last > first ? `–${dayNames[last] ?? ""}` : ""} ${texts[first] ?? ""}`);
    first = last + 1;
  }
  return [...lines, timezone];
}

/** The hours of a week in the schedule's zone and in the reader's, and of the next two nights with a change of clocks. */
export function weekView(hours: ActiveHours): Node {
  if (typeof hours === "string") return h("p", {}, hoursText(hours).join());
  const { times, schedule } = hours;
  const { timezone = "" } = schedule;
  const own = Zone.named(timezone);
  const zones = [timezone, ...(readerZone === timezone ? [] : [readerZone])];
  const views = zones.map((name, i) => {
    const start = nextWeek(Zone.named(name), own);
    const rows = dayNames.map((title, at) => strip(title, times, start + at * day, 24));
    return h("figure", {}, h("figcaption", {}, `${name}${i > 0 ? " (your time zone)" : ""}`), scale(), ...rows);
  });
  const nights = clockChanges(own).map((time) => {
    const first = time - 4 * hour;
    const local = (at: number) => new Date((at + own.offsetAt(at)) * 1_000).toISOString().slice(11, 16);
    const title = new Date((time + own.offsetAt(time)) * 1_000).toISOString().slice(0, 10);
    const caption = `Clocks change on ${title}, from ${local(time - minute)} to ${local(time)}`;
    const labels = [0, 3, 6, 9].map((each) => local(first + each * hour));
    return h("figure", {}, h("figcaption", {}, caption), scale(labels), strip(title, times, first, 12));
  });
  return h("div", { class: "week" }, ...views, ...nights);
}

const halfHour = 1_800;

/** A strip with the hours of a week in the reader's zone in which a row is active. */
export function weekStrip(hours: ActiveHours, className: string): Node | false {
  if (hours === "unknown") return false;
  const flags = new Uint8Array(week / halfHour).fill(1);
  if (typeof hours !== "string") {
    const start = nextWeek(Zone.named(readerZone), Zone.named(hours.schedule.timezone ?? ""));
    hours.times.fill(flags, start, flags.length, halfHour);
  }
  const title = `Monday to Sunday, ${readerZone}`;
  return bar(flags, { class: `weekStrip ${className}`, "aria-hidden": "true", title });
}

/** A bar of equal parts, colored where a flag is set. */
function bar(flags: Uint8Array, props: Readonly<Record<string, string>>): HTMLElement {
  const stops = [...flags].flatMap((flag, i) => {
    if (i > 0 && flag === flags[i - 1]) return [];
    const next = flags.indexOf(1 - flag, i);
    const [from, to] = [i, next < 0 ? flags.length : next].map((at) => `${((at / flags.length) * 100).toFixed(2)}%`);
    return [`var(${flag === 1 ? "--more" : "--line"}) ${from} ${to}`];
  });
  const element = h("span", props);
  element.style.backgroundImage = `linear-gradient(90deg, ${stops.join(", ")})`;
  return element;
}

const scale = (labels = ["00:00", "06:00", "12:00", "18:00"]) =>
  h("div", { class: "strip scale" }, h("span"), ...labels.map((label) => h("span", {}, label)));

function strip(title: string, times: ActiveTimes, start: number, count: number): Node {
  const flags = new Uint8Array(count * 60);
  times.fill(flags, start, flags.length, minute);
  const active = flags.reduce((sum, each) => sum + each, 0) / 60;
  const label = `${title}: active ${Number(active.toFixed(2))} of ${count} hours`;
  return h(
    "div",
    { class: "strip", role: "img", "aria-label": label },
    h("span", { class: "day" }, title),
    bar(flags, {}),
  );
}

/** The next two times at which the clocks of a zone change. */
const clockChanges = (zone: Zone) => {
  const now = Math.floor(Date.now() / 1_000);
  return [...zone.spans(now, now + 400 * day)].slice(1, 3).map(({ start }) => start);
};
