import { union } from "../../behaviour/grouping";
import type { Span } from "../../behaviour/signals";
import { timeText } from "../report/words";
import type { Backtested, Side } from "./result";

const columns = 64;
const bars = "▁▂▃▄▅▆▇█";
const sides = ["before", "after"] as const;

/** The picture of a monitor that ever fires. */
export const pictureOf = (monitor: Backtested, span: Span): readonly string[] =>
  [monitor.before, monitor.after].some((side) => side !== undefined && side.signals.length > 0)
    ? blocksOf(monitor, span).map((line) => `  ${line}`)
    : [];

/** The time line of both sides in block characters: how much of each column the monitor fires. Fits 80 columns. */
function blocksOf(monitor: Backtested, span: Span): readonly string[] {
  const rows = sides.flatMap((side) => {
    const found = monitor[side];
    return found === undefined ? [] : [`${side.padEnd(7)}${cellsOf(found, span)}`];
  });
  const [from, to] = [timeText(span.from).slice(5), timeText(span.to).slice(5)];
  return [...rows, `       ${from}${" ".repeat(columns - from.length - to.length)}${to}`];
}

function cellsOf(side: Side, { from, to }: Span): string {
  const width = (to - from) / columns;
  const firing = firingTimes(side);
  return Array.from({ length: columns }, (_, i) => {
    const [start, end] = [from + i * width, from + (i + 1) * width];
    const secs = firing.reduce(
      (sum, each) => sum + Math.max(0, Math.min(each.to, end) - Math.max(each.from, start)),
      0,
    );
    return secs === 0 ? "·" : (bars[Math.min(7, Math.floor((secs / width) * 8))] ?? "");
  }).join("");
}

/** When a side fires with its gravest severity: overlapping signals are one. */
export function firingTimes({ signals }: Side): readonly Span[] {
  const gravest = signals.some(({ severity }) => severity === "critical") ? "critical" : "warn";
  const firing = signals.filter(({ severity }) => severity === gravest);
  const times = union(firing.map(({ firedAt: start, resolvedAt: end = Infinity }) => ({ start, end })));
  return times.map(({ start, end = Infinity }) => ({ from: start, to: end }));
}
