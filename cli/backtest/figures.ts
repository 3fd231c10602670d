import { secondsPer } from "../../provider/base/durations";
import { grouped } from "../../provider/base/grouped";
import type { Severity, Simulation, Span } from "../../sdk/behavior/signals";
import { Zone } from "../../sdk/behavior/zones";
import { isAtNight, type Night } from "./night";

/** The pages of one day. */
export interface Day {
  /** `2026-11-26`, by the clock of the zone. */
  readonly date: string;
  readonly pages: number;
  readonly atNight: number;
}

/** The figures of a monitor in a span of time. */
export interface Figures {
  /** Notifications of the severity critical. */
  readonly pages: number;
  readonly pagesAtNight: number;
  /** Notifications of the severity warn. */
  readonly warnings: number;
  readonly warningsAtNight: number;
  /** How long the longest signal fires within the span. */
  readonly longestSecs: number;
  /** Every day of the span. */
  readonly days: readonly Day[];
}

const daySecs = secondsPer.d;

/** @param zone The IANA name of the time zone by which days and nights are counted. */
export function figuresOf({ signals, notifications }: Simulation, span: Span, night: Night, zone: string): Figures {
  const place = Zone.named(zone);
  const times = (severity: Severity) => notifications.filter((each) => each.severity === severity).map(({ at }) => at);
  const atNight = (all: readonly number[]) => all.filter((time) => isAtNight(time, night, place)).length;
  const dayOf = (time: number) => Math.floor((time + place.offsetAt(time)) / daySecs);
  const [pages, warnings] = [times("critical"), times("warn")];
  const pagesOf = grouped(pages, dayOf);
  const [first, last] = [dayOf(span.from), dayOf(span.to - 1)];
  return {
    pages: pages.length,
    pagesAtNight: atNight(pages),
    warnings: warnings.length,
    warningsAtNight: atNight(warnings),
    longestSecs: signals.reduce((longest, { firedAt, resolvedAt = span.to }) => {
      return Math.max(longest, Math.min(resolvedAt, span.to) - Math.max(firedAt, span.from));
    }, 0),
    days: Array.from({ length: last - first + 1 }, (_, i): Day => {
      const own = pagesOf.get(first + i) ?? [];
      const date = new Date((first + i) * daySecs * 1_000).toISOString().slice(0, 10);
      return { date, pages: own.length, atNight: atNight(own) };
    }),
  };
}
