import type { Notification, Span } from "../../../sdk/behavior/signals";
import { Zone } from "../../../sdk/behavior/zones";
import { isAtNight, type Night } from "../../backtest/night";
import { h } from "./dom";

/** The pages of one day. */
interface Day {
  /** `2026-11-26` */
  readonly date: string;
  readonly pages: number;
  readonly atNight: number;
}

const daySecs = 86_400;

/** The pages of each day of a span, by the clock of a zone. */
export function pagesByDay(notifications: readonly Notification[], { from, to }: Span, night: Night, zoneName: string) {
  const zone = Zone.named(zoneName);
  const dayOf = (time: number) => Math.floor((time + zone.offsetAt(time)) / daySecs);
  const days = new Map<number, { pages: number; atNight: number }>();
  for (let day = dayOf(from); day <= dayOf(to - 1); day++) days.set(day, { pages: 0, atNight: 0 });
  for (const { at, severity } of notifications) {
    const day = days.get(dayOf(at));
    if (day === undefined || severity !== "critical") continue;
    day.pages += 1;
    if (isAtNight(at, night, zone)) day.atNight += 1;
  }
  return [...days].map(([day, counts]): Day => {
    return { date: new Date(day * daySecs * 1_000).toISOString().slice(0, 10), ...counts };
  });
}

/** Some days of each side, by the side's name. */
export type DaysBySide = readonly (readonly [side: string, days: readonly Day[]])[];

const height = 48;

/** A bar for each day and side, the part at night in another tone; and the same as a table. */
export function daysView(sides: DaysBySide): readonly Node[] {
  const most = Math.max(1, ...sides.flatMap(([, days]) => days.map(({ pages }) => pages)));
  const dates = sides[0]?.[1].map(({ date }) => date) ?? [];
  const bar = (side: string, { pages, atNight }: Day) => {
    const part = (name: string, count: number) => {
      const element = h("span", { class: `${side} ${name}` });
      element.style.height = `${(count / most) * height}px`;
      return element;
    };
    return h("span", { class: "bar" }, part("day", pages - atNight), part("night", atNight));
  };
  const columns = dates.map((date, i) => {
    const own = sides.flatMap(([side, days]) => (days[i] === undefined ? [] : [{ side, day: days[i] }]));
    const words = own.map(({ side, day }) => `${side} ${day.pages}, ${day.atNight} at night`).join("; ");
    return h("span", { class: "bars", title: `${date}: ${words}` }, ...own.map(({ side, day }) => bar(side, day)));
  });
  const cells = (texts: readonly (string | number)[]) => texts.map((text) => h("td", {}, String(text)));
  const table = h(
    "table",
    { class: "plain" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ...["Day", ...sides.flatMap(([side]) => [`Pages ${side}`, "at night"])].map((text) =>
          h("th", { scope: "col" }, text),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      ...dates.map((date, i) =>
        h("tr", {}, ...cells([date, ...sides.flatMap(([, days]) => [days[i]?.pages ?? 0, days[i]?.atNight ?? 0])])),
      ),
    ),
  );
  return [
    h("div", { class: "days", "aria-hidden": "true" }, ...columns),
    h("details", {}, h("summary", {}, `Pages of each day as a table (at most ${most})`), table),
  ];
}
