import type { Severity, Simulation, Span } from "../../sdk/behavior/signals";
import { Zone } from "../../sdk/behavior/zones";
import { isAtNight, type Night } from "./night";

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
}

/** @param zone The IANA name of the time zone by which nights are counted. */
export function figuresOf({ signals, notifications }: Simulation, span: Span, night: Night, zone: string): Figures {
  const place = Zone.named(zone);
  const times = (severity: Severity) => notifications.filter((each) => each.severity === severity).map(({ at }) => at);
  const atNight = (all: readonly number[]) => all.filter((time) => isAtNight(time, night, place)).length;
  const [pages, warnings] = [times("critical"), times("warn")];
  return {
    pages: pages.length,
    pagesAtNight: atNight(pages),
    warnings: warnings.length,
    warningsAtNight: atNight(warnings),
    longestSecs: signals.reduce((longest, { firedAt, resolvedAt = span.to }) => {
      return Math.max(longest, Math.min(resolvedAt, span.to) - Math.max(firedAt, span.from));
    }, 0),
  };
}
