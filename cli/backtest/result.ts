import type { Signal, Span } from "../../sdk/behavior/signals";
import { durationText } from "../../sdk/behavior/durations";
import { count, numberText, spanText } from "../output/words";
import type { MonitorChange } from "../preview/monitors";
import type { Figures } from "./figures";

/** One side of a change: the figures and signals of the monitor in the span. */
export interface BacktestSide extends Figures {
  readonly signals: readonly Signal[];
}

/** The backtest of a monitor before and after the change. */
export interface Backtested {
  readonly title: string;
  readonly op: MonitorChange["op"];
  /** Undefined for a new monitor. */
  readonly before?: BacktestSide;
  /** Undefined for a removed monitor. */
  readonly after?: BacktestSide;
  /** The warnings of the query API. */
  readonly warnings: readonly string[];
}

/** A monitor without figures. */
export interface NotSimulated {
  readonly title: string;
  readonly reason: string;
  /** True if its series could not be read: another run may succeed. */
  readonly isFailed: boolean;
}

/** The result of a backtest, from which `--json` is made. */
export interface BacktestResult {
  readonly span: Span;
  readonly monitors: readonly Backtested[];
  readonly notSimulated: readonly NotSimulated[];
}

/** The basis of the figures. */
export const basis = "Simulated with recorded values by the rules in docs/testing.md.";

const quiet = { pages: 0, pagesAtNight: 0, warnings: 0, warningsAtNight: 0, longestSecs: 0 };
type Figure = keyof typeof quiet;

/** `3 → 14`, or the text of one number if they are the same or there was none before. */
const changeText = (old: number | undefined, now: number, text = numberText) =>
  old === undefined || old === now ? text(now) : `${text(old)} → ${text(now)}`;

/** `checkout-errors: 3 → 14 pages in 30 days, 2 → 9 of them at night; longest 4 h` */
export function sentenceOf({ title, op, before, after }: Backtested, span: Span): string {
  const [old, now] = [before ?? (op === "create" ? undefined : quiet), after ?? quiet];
  const any = (name: Figure) => now[name] > 0 || (old !== undefined && old[name] > 0);
  const change = (name: Figure, text?: typeof numberText) => changeText(old?.[name], now[name], text);
  const inSpan = ` in ${spanText(span.to - span.from)}`;
  const counted = (name: "pages" | "warnings", where: string) => {
    const noun = now[name] === 1 ? name.slice(0, -1) : name;
    const same = old?.[name] === now[name] ? " as before" : "";
    const atNight = any(`${name}AtNight`) ? `, ${change(`${name}AtNight`)} of them at night` : "";
    return `${change(name)} ${noun}${same}${where}${atNight}`;
  };
  const hasPages = any("pages") || !any("warnings");
  const parts = [
    ...(hasPages ? [counted("pages", inSpan)] : []),
    ...(any("warnings") ? [counted("warnings", hasPages ? "" : inSpan)] : []),
    ...(any("longestSecs") ? [`longest ${change("longestSecs", durationText)}`] : []),
  ];
  const state = op === "create" ? " (new)" : op === "delete" ? " (removed)" : "";
  return `${title}${state}: ${parts.join("; ")}`;
}

/** The total of all monitors. */
export function totalOf(monitors: readonly Backtested[], span: Span): string {
  const sum = (side: "before" | "after", name: Figure) =>
    monitors.reduce((total, each) => total + (each[side]?.[name] ?? 0), 0);
  const [pages, nights] = [sum("after", "pages"), sum("after", "pagesAtNight")];
  const before = sum("before", "pagesAtNight");
  const night = before + nights > 0 ? `, ${changeText(before, nights)} of them at night` : "";
  const text = `${changeText(sum("before", "pages"), pages)} ${pages === 1 ? "page" : "pages"}`;
  return `${count(monitors.length, "monitor")}: ${text} in ${spanText(span.to - span.from)}${night}`;
}
