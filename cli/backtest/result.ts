import type { Signal, Span } from "../../sdk/behavior/signals";
import { durationText } from "../../sdk/behavior/durations";
import { count, numberText, spanText } from "../report/words";
import type { MonitorChange } from "../stacks/monitors";
import { type Figures, noFigures } from "./figures";

/** One side of a change: what the monitor does in the span. */
export interface Side extends Figures {
  readonly signals: readonly Signal[];
}

/** What a monitor would have done before and after the change. */
export interface Backtested {
  readonly title: string;
  readonly op: MonitorChange["op"];
  /** Undefined for a new monitor. */
  readonly before?: Side;
  /** Undefined for one that is removed. */
  readonly after?: Side;
  /** What the query API warns of. */
  readonly warnings: readonly string[];
}

/** A monitor without figures. */
export interface NotSimulated {
  readonly title: string;
  readonly reason: string;
  /** True if its series could not be had: another run may succeed. */
  readonly isFailed: boolean;
}

/** What came of each monitor, those that cannot be simulated first. */
export type Outcomes = ReadonlyMap<MonitorChange, Backtested | NotSimulated>;

/** What a backtest says; it is what `--json` prints. */
export interface BacktestResult {
  readonly span: Span;
  readonly monitors: readonly Backtested[];
  readonly notSimulated: readonly NotSimulated[];
}

export function resultOf(outcomes: Outcomes, span: Span): BacktestResult {
  const [monitors, notSimulated]: [Backtested[], NotSimulated[]] = [[], []];
  for (const each of outcomes.values()) {
    if ("op" in each) monitors.push(each);
    else notSimulated.push(each);
  }
  return { span, monitors, notSimulated };
}

/** What the figures are. */
export const basis = "Simulated with recorded values by the rules in docs/behavior.md.";

const quiet: Side = { ...noFigures, signals: [] };

/** `checkout-errors: 3 → 14 pages in 30 days, 2 → 9 of them at night; longest 4 h` */
export function sentenceOf({ title, op, before, after }: Backtested, span: Span): string {
  const [old, now] = [before ?? (op === "create" ? undefined : quiet), after ?? quiet];
  const change = (of: (side: Side) => number, text = numberText) => {
    const value = of(now);
    return old === undefined || of(old) === value ? text(value) : `${text(of(old))} → ${text(value)}`;
  };
  const counted = (of: (side: Side) => number, noun: string) => {
    const isSame = old !== undefined && of(old) === of(now);
    return `${change(of)} ${noun}${of(now) === 1 ? "" : "s"}${isSame ? " as before" : ""}`;
  };
  const any = (of: (side: Side) => number) => [old, now].some((side) => side !== undefined && of(side) > 0);
  const atNight = (of: (side: Side) => number) => (any(of) ? `, ${change(of)} of them at night` : "");
  const hasWarnings = any(({ warnings }) => warnings);
  const hasPages = any(({ pages }) => pages) || !hasWarnings;
  const inSpan = ` in ${spanText(span.to - span.from)}`;
  const parts = [
    hasPages && `${counted(({ pages }) => pages, "page")}${inSpan}${atNight(({ pagesAtNight }) => pagesAtNight)}`,
    hasWarnings &&
      `${counted(({ warnings }) => warnings, "warning")}${hasPages ? "" : inSpan}${atNight(({ warningsAtNight }) => warningsAtNight)}`,
    any(({ longestSecs }) => longestSecs) && `longest ${change(({ longestSecs }) => longestSecs, durationText)}`,
  ].filter((part) => typeof part === "string");
  const state = op === "create" ? " (new)" : op === "delete" ? " (removed)" : "";
  return `${title}${state}: ${parts.join("; ")}`;
}

/** What all monitors do together. */
export function totalOf(monitors: readonly Backtested[], span: Span): string {
  const sum = (side: "before" | "after", of: (figures: Figures) => number) =>
    monitors.reduce((total, each) => total + of(each[side] ?? quiet), 0);
  const pages = [sum("before", ({ pages }) => pages), sum("after", ({ pages }) => pages)] as const;
  const nights = [sum("before", (each) => each.pagesAtNight), sum("after", (each) => each.pagesAtNight)] as const;
  const text = ([old, now]: readonly [number, number]) =>
    old === now ? numberText(now) : `${numberText(old)} → ${numberText(now)}`;
  const night = nights[0] + nights[1] > 0 ? `, ${text(nights)} of them at night` : "";
  return `${count(monitors.length, "monitor")}: ${text(pages)} ${pages[1] === 1 ? "page" : "pages"} in ${spanText(span.to - span.from)}${night}`;
}
