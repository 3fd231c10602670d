import { secondsPer } from "../../provider/base/durations";
import { grouped } from "../../provider/base/grouped";
import type { Severity, Simulation, Span } from "../../sdk/behavior/signals";
import { Zone } from "../../sdk/behavior/zones";

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

/** The part of each day that counts as night, in minutes after midnight; it may include midnight. */
export interface Night {
  readonly start: number;
  readonly end: number;
}

/** Reads `22:00-07:00`; undefined if the text has another form. */
export function nightOf(text: string): Night | undefined {
  const [, from = "", fromMinute = "", to = "", toMinute = ""] =
    /^([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-4]):([0-5]\d)$/.exec(text) ?? [];
  const night = { start: Number(from) * 60 + Number(fromMinute), end: Number(to) * 60 + Number(toMinute) };
  return from === "" || night.end > 1_440 || night.start === night.end ? undefined : night;
}

/** Whether a time in seconds since the epoch is in the night of a zone. */
export function isAtNight(time: number, { start, end }: Night, zone: Zone): boolean {
  const local = Math.floor((((time + zone.offsetAt(time)) % 86_400) + 86_400) / 60) % 1_440;
  return start < end ? local >= start && local < end : local >= start || local < end;
}
