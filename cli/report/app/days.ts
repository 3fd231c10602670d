import { secondsPer } from "../../../provider/base/durations";
import type { Span } from "../../../sdk/behavior/signals";
import type { Zone } from "../../../sdk/behavior/zones";
import type { Day } from "../../backtest/figures";
import { h } from "./dom";
import { dayNames } from "../../meaning/schedule";

const height = 48;

/** A bar for each day of each side, the part at night in another tone; and the same as a table. */
export function daysView(
  sides: readonly (readonly [side: string, days: readonly Day[]])[],
  { from, to }: Span,
  zone: Zone,
): readonly Node[] {
  const most = Math.max(1, ...sides.flatMap(([, days]) => days.map(({ pages }) => pages)));
  const dates = sides[0]?.[1].map(({ date }) => date) ?? [];
  const named = dates.map((date) => `${dayNames[(new Date(date).getUTCDay() + 6) % 7]?.slice(0, 3) ?? ""} ${date}`);
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
    const title = `${named[i] ?? ""}: ${words}`;
    const bars = h("span", { class: "bars", title }, ...own.map(({ side, day }) => bar(side, day)));
    // As wide as the part of the day within the span.
    const local = Date.parse(date) / 1_000;
    const start = local - zone.offsetAt(local);
    bars.style.flexGrow = String(Math.min(start + secondsPer.d, to) - Math.max(start, from));
    return bars;
  });
  const titles = ["Day", ...sides.flatMap(([side]) => [`Pages ${side}`, "at night"])];
  const head = h("tr", {}, ...titles.map((title) => h("th", { scope: "col" }, title)));
  const rows = named.map((date, i) => {
    const counts = sides.flatMap(([, days]) => [days[i]?.pages ?? 0, days[i]?.atNight ?? 0]);
    return h("tr", {}, ...[date, ...counts].map((each) => h("td", {}, String(each))));
  });
  const table = h("table", { class: "plain" }, h("thead", {}, head), h("tbody", {}, ...rows));
  return [
    h("div", { class: "days", "aria-hidden": "true" }, ...columns),
    h("details", {}, h("summary", {}, `Pages of each day as a table (at most ${most})`), table),
  ];
}
