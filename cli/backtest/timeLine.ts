import { union } from "../../sdk/behavior/grouping";
import type { Span } from "../../sdk/behavior/signals";
import type { ConditionFiring } from "../../sdk/behavior/sustain";
import { barOf } from "../../sdk/testing/picture";
import { timeText } from "../output/words";
import type { Backtested, BacktestSide } from "./result";

const columns = 64;

const mostDays = 31;

/**
 * `▁▁▃█▁ → ▁▁▁▂▁`: the pages of each day before and after on one scale, in a long span those of several days together.
 * Empty if there are no pages, or is no second day.
 */
export function sparklineOf(monitor: Backtested): string {
  const sides = shownSides(monitor);
  const width = Math.ceil((sides[0]?.side.days.length ?? 0) / mostDays);
  const sums = sides.map(({ side: { days } }) =>
    days.flatMap((_, i) => (i % width > 0 ? [] : days.slice(i, i + width).reduce((sum, { pages }) => sum + pages, 0))),
  );
  const most = Math.max(0, ...sums.flat());
  if (most === 0 || sums[0]?.length === 1) return "";
  return sums.map((own) => own.map((pages) => barOf(Math.ceil((pages / most) * 7))).join("")).join(" → ");
}

/**
 * The pages of each day, and the timeline of both sides in block characters: each column shows the share of its time in
 * which the monitor fires. Fits 80 columns. Empty for a monitor that never fires.
 */
export function pictureOf(monitor: Backtested, span: Span): readonly string[] {
  const sides = shownSides(monitor);
  if (sides.every(({ side }) => side.signals.length === 0)) return [];
  const [from, to] = [timeText(span.from).slice(5), timeText(span.to).slice(5)];
  const sparkline = sparklineOf(monitor);
  const incidents = [...(monitor.judged?.incidents ?? [])].map(({ start, end = span.to }) => ({
    start,
    end: Math.max(start + 1, end), // one of a moment is shown too
  }));
  const rows = [
    ...(sparkline === "" ? [] : [["pages", sparkline]]),
    ...(incidents.length === 0 ? [] : [["incidents", cellsOf(incidents, span)]]),
    ...sides.map(({ name, side }) => [name, cellsOf(firingIn(side, span), span)]),
    ["", `${from}${" ".repeat(columns - from.length - to.length)}${to}`],
  ];
  const width = incidents.length === 0 ? 7 : 10;
  return rows.map(([name = "", cells = ""]) => `  ${name.padEnd(width)}${cells}`);
}

/** The sides with their titles. Those of an unchanged monitor are the same. */
const shownSides = ({ op, before, after }: Backtested) =>
  Object.entries(op === "same" ? { firing: after } : { before, after }).flatMap(([name, side]) =>
    side ? [{ name, side }] : [],
  );

/** The times in which a side fires with its highest severity. */
function firingIn({ signals }: BacktestSide, { to }: Span) {
  const highest = signals.some(({ severity }) => severity === "critical") ? "critical" : "warn";
  const own = signals.filter(({ severity }) => severity === highest);
  return own.map(({ firedAt: start, resolvedAt: end = to }) => ({ start, end }));
}

/** The share of each column in some times: overlapping ones are one. */
function cellsOf(times: readonly ConditionFiring[], { from, to }: Span): string {
  const firing = union(times);
  const width = (to - from) / columns;
  return Array.from({ length: columns }, (_, i) => {
    const [first, last] = [from + i * width, from + (i + 1) * width];
    const secs = firing.reduce((sum, { start, end = to }) => {
      return sum + Math.max(0, Math.min(end, last) - Math.max(start, first));
    }, 0);
    return secs === 0 ? "·" : barOf(Math.floor((secs / width) * 8));
  }).join("");
}
