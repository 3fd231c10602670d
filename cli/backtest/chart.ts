import type { Behavior } from "../../sdk/behavior/evaluation";
import { PackedSamples, type PackedSeries } from "../../sdk/behavior/packed";
import type { Labels, Sample, Signal, Span } from "../../sdk/behavior/signals";
import type { Incident } from "./incidents";
import type { Night } from "./figures";

/** What a report draws of a simulated monitor. */
export interface Chart {
  readonly span: Span;
  readonly night: Night;
  /** The IANA name of the zone by which days and nights are counted. */
  readonly zone: string;
  readonly before?: ChartSide;
  readonly after?: ChartSide;
  /** The series of the query after the change, or of a removed monitor. */
  readonly series: readonly ChartSeries[];
  /** Whether no side has another query, so that the thresholds of both are on one scale. */
  readonly isOneQuery: boolean;
  /** The incidents that concern the monitor, and how many seconds before the start of one a page counts for it. */
  readonly incidents?: { readonly incidents: readonly Incident[]; readonly leadSecs: number };
  /** How many series the query has, if not all are here with all their samples: then nothing can be tried. */
  readonly reducedFrom?: number;
}

interface ChartSide {
  readonly behavior: Behavior;
  readonly signals: readonly Signal[];
  readonly pages: number;
  readonly pagesAtNight: number;
}

export interface ChartSeries {
  readonly labels: Labels;
  readonly count: number;
  /**
   * Deflated, in base 64: a number of 64 bits for each sample's time, as its distance from the one before, in seconds,
   * then one for each value.
   */
  readonly samples: string;
}

/** The most series that are drawn, and the parts of the span of which the least and the greatest value are drawn. */
const mostSeries = 20;
const parts = 250;

/** The series with the values that are the furthest from 0, as many as are drawn. */
export const highest = (series: readonly PackedSeries[]): readonly PackedSeries[] =>
  series
    .map((each) => [topOf(each), each] as const)
    .sort(([one], [other]) => other - one)
    .slice(0, mostSeries)
    .map(([, each]) => each);

function topOf({ samples }: PackedSeries): number {
  let top = 0;
  samples.forEach((_, value) => (top = Math.max(top, Math.abs(value) || 0)));
  return top;
}

/** The least and the greatest sample of each part of the span. */
export function reducedTo(samples: PackedSamples, { from, to }: Span): PackedSamples {
  const kept = new Map<number, [least: Sample, greatest: Sample]>();
  samples.forEach((time, value) => {
    const part = Math.floor(((time - from) / (to - from)) * parts);
    if (part < 0 || part >= parts) return;
    const both = kept.get(part);
    if (both === undefined) {
      const sample: Sample = [time, value];
      kept.set(part, [sample, sample]);
      return;
    }
    // What is not a number is kept only if there is nothing else.
    if (Number.isNaN(value)) return;
    if (!(value >= both[0][1])) both[0] = [time, value];
    if (!(value <= both[1][1])) both[1] = [time, value];
  });
  const sorted = [...kept.values()].flatMap((both) => [...new Set(both)].sort(([one], [other]) => one - other));
  return new PackedSamples([Float64Array.from(sorted.flat())]);
}
