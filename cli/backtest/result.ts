import type { Signal, Span } from "../../sdk/behavior/signals";
import { durationText } from "../../sdk/behavior/durations";
import { grouped } from "../../provider/base/grouped";
import { count, numberText, spanText } from "../output/words";
import type { MonitorChange } from "../preview/monitors";
import type { Figures } from "./figures";
import type { detect, Incident, IncidentFigures, IncidentOutcome } from "./incidents";

/** One side of a change: the figures and signals of the monitor in the span. */
export interface BacktestSide extends Figures {
  readonly signals: readonly Signal[];
  /** With `--incidents`. */
  readonly incidents?: IncidentFigures;
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
  /** Why the changed monitor can't fire as written, as sentences: no series, or none with a label. */
  readonly noData: readonly string[];
  /** With `--incidents`: those that concern a side, so that both can be compared, and what each side did in them. */
  readonly judged?: Readonly<Partial<Record<"before" | "after", ReturnType<typeof detect>>>> & {
    readonly incidents: ReadonlySet<Incident>;
  };
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
  /** With `--incidents`. */
  readonly incidents?: readonly IncidentOutcome[];
  /** With `--fail-on`. */
  readonly exceeded?: readonly { readonly monitor: string; readonly limit: string }[];
  /** With `--all`. */
  readonly states?: StateCounts;
}

export type FiringState = "fired" | "noData" | "neverFired";
type StateCounts = Readonly<Record<FiringState, number>>;

/** The basis of the figures. */
export const basis = "Simulated with recorded values by the rules in docs/testing.md.";

const quiet = { pages: 0, pagesAtNight: 0, warnings: 0, warningsAtNight: 0, longestSecs: 0 };
type Figure = keyof typeof quiet;

/** `3 → 14`, or the text of one number if they are the same or there was none before. */
export const figureChange = (old: number | undefined, now: number, text = numberText) =>
  old === undefined || old === now ? text(now) : `${text(old)} → ${text(now)}`;

/** `checkout-errors: 3 → 14 pages in 30 days, 2 → 9 of them at night; longest 4 h` */
export function sentenceOf({ title, op, before, after }: Backtested, span: Span): string {
  const [old, now] = [before ?? (op === "create" ? undefined : quiet), after ?? quiet];
  const any = (name: Figure) => now[name] > 0 || (old !== undefined && old[name] > 0);
  const change = (name: Figure, text?: typeof numberText) => figureChange(old?.[name], now[name], text);
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
  const night = before + nights > 0 ? `, ${figureChange(before, nights)} of them at night` : "";
  const text = `${figureChange(sum("before", "pages"), pages)} ${pages === 1 ? "page" : "pages"}`;
  return `${count(monitors.length, "monitor")}: ${text} in ${spanText(span.to - span.from)}${night}`;
}

/** What a monitor did in the span: after the change, or before it if it is removed. */
export function firingStateOf({ before, after = before, noData }: Backtested): FiringState {
  if (after !== undefined && after.signals.length > 0) return "fired";
  return noData.length > 0 ? "noData" : "neverFired";
}

/** The monitors that fired, the noisiest first, then those without data, then those that never fired; and how many. */
export function ranked(monitors: readonly Backtested[]) {
  const { fired = [], noData = [], neverFired = [] } = Object.fromEntries(grouped(monitors, firingStateOf));
  const by = (name: Figure) => (one: Backtested, other: Backtested) =>
    ((other.after ?? other.before)?.[name] ?? 0) - ((one.after ?? one.before)?.[name] ?? 0);
  // A sort keeps the order of what is equal.
  const noisy = (["longestSecs", "warnings", "pages"] as const).reduce((all, name) => all.sort(by(name)), fired);
  return { monitors: [...noisy, ...noData, ...neverFired], states: stateCounts(monitors.map(firingStateOf)) };
}

export function stateCounts(states: readonly FiringState[]): StateCounts {
  const of = (state: FiringState) => states.filter((each) => each === state).length;
  return { fired: of("fired"), noData: of("noData"), neverFired: of("neverFired") };
}

/** `3 monitors fired, 1 has no data, 2 never fired` */
export const statesText = ({ fired, noData, neverFired }: StateCounts) =>
  `${count(fired, "monitor")} fired, ${numberText(noData)} ${noData === 1 ? "has" : "have"} no data, ${numberText(neverFired)} never fired`;
