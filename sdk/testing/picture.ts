import { grouped } from "../../provider/base/grouped";
import { testTimeText } from "./times";
import type { Labels, Series, Signal } from "../behavior/signals";

/** The content of a picture. */
interface Pictured {
  readonly from: number;
  readonly to: number;
  readonly intervalSecs: number;
  readonly series: readonly Series[];
  readonly signals: readonly Signal[];
}

/** A row that marks times. */
export interface Marks {
  readonly title: string;
  readonly times: readonly number[];
}

const mostColumns = 72;
const mostRows = 12;
const axisStep = 12;

/** A bar of one to eight eighths, for 0 to 7. */
export const barOf = (eighth: number) => "▁▂▃▄▅▆▇█".charAt(Math.max(0, Math.min(7, eighth)));

/** The timeline as text: a row for each series' values and for each signal, and below them the marks. */
export function picture(pictured: Pictured, marks: readonly Marks[] = []): string {
  const { from, to, intervalSecs, series, signals } = pictured;
  const evaluations = Math.max(1, Math.ceil((to - from) / intervalSecs));
  const perColumn = Math.ceil(evaluations / mostColumns);
  const columns = Math.ceil(evaluations / perColumn);
  const width = perColumn * intervalSecs;
  const columnOf = (time: number) => Math.floor((time - from) / width);
  const draw = (cellOf: (column: number) => string) => Array.from({ length: columns }, (_, i) => cellOf(i)).join("");

  const rows = [
    ...shortened(
      series.map((each) => ({ title: labelsText(each.labels), cells: draw(valuesIn(each, series, columnOf)) })),
      "series",
    ),
    ...shortened(
      signalRows(signals).map(({ title, times }) => ({
        title,
        cells: draw((column) => (times.some((each) => firesIn(each, from + column * width, width)) ? "█" : "·")),
      })),
      "signals",
    ),
    ...marks.map(({ title, times }) => ({
      title,
      cells: draw((column) => (times.some((time) => columnOf(time) === column) ? "▲" : " ")).trimEnd(),
    })),
  ];
  const indent = Math.max(...rows.map(({ title }) => title.length)) + 2;
  return [
    `${" ".repeat(indent)}${axis(from, columns, width)}`,
    ...rows.map(({ title, cells }) => `${title.padEnd(indent)}${cells}`.trimEnd()),
  ].join("\n");
}

/** `critical {region="eu"}`, for messages too. */
export const signalText = ({ severity, labels }: Pick<Signal, "severity" | "labels">) =>
  Object.keys(labels).length === 0 ? severity : `${severity} ${labelsText(labels)}`;

/** `{region="eu"}`; `{}` without labels. */
export const labelsText = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ")}}`;

interface Row {
  readonly title: string;
  readonly cells: string;
}

const shortened = (rows: readonly Row[], what: string): readonly Row[] =>
  rows.length <= mostRows
    ? rows
    : [...rows.slice(0, mostRows), { title: `… ${rows.length - mostRows} more ${what}`, cells: "" }];

function signalRows(signals: readonly Signal[]): readonly { readonly title: string; readonly times: Signal[] }[] {
  const rows = grouped(signals, signalText);
  return rows.size === 0 ? [{ title: "no signal", times: [] }] : [...rows].map(([title, times]) => ({ title, times }));
}

const firesIn = ({ firedAt, resolvedAt = Infinity }: Signal, start: number, width: number) =>
  firedAt < start + width && resolvedAt > start;

/** The highest value in each column, in eighths of what all series reach; a blank if there is no sample. */
function valuesIn({ samples }: Series, all: readonly Series[], columnOf: (time: number) => number) {
  const highest = new Map<number, number>();
  for (const [time, value] of samples) {
    const column = columnOf(time);
    highest.set(column, Math.max(highest.get(column) ?? -Infinity, value));
  }
  const [low, high] = extremes(all);
  return (column: number): string => {
    const value = highest.get(column);
    if (value === undefined) return " ";
    if (Number.isNaN(value)) return "?";
    const eighth = high === low ? 0 : Math.round((7 * (value - low)) / (high - low));
    return barOf(eighth);
  };
}

/** The lowest and the highest value, zero among them. */
function extremes(all: readonly Series[]): readonly [number, number] {
  let [low, high] = [0, 0];
  for (const { samples } of all) {
    for (const [, value] of samples) {
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return [low, high];
}

/** Times after the beginning, at every twelfth column. */
function axis(from: number, columns: number, width: number): string {
  let line = "";
  for (let column = 0; column < columns; column += axisStep) {
    line = `${line.padEnd(column)}${testTimeText(from + column * width, from)}`;
  }
  return from === 0 ? line : `${line}  after ${new Date(from * 1000).toISOString().replace(/\.000Z$/, "Z")}`;
}
