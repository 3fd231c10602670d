import type { Behavior } from "../../sdk/behavior/evaluation";
import type { Labels, Sample, SampledSeries, Signal, Span } from "../../sdk/behavior/signals";
import type { IncidentLog } from "./incidents";
import type { Night } from "./night";

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
  /** The incidents that concern the monitor. */
  readonly incidents?: IncidentLog;
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
export const mostSeries = 20;
const parts = 250;

/** Compares series by the value that is the furthest from 0. */
export const highestFirst = (one: SampledSeries, other: SampledSeries) => topOf(other) - topOf(one);

const topOf = ({ samples }: SampledSeries) =>
  samples.reduce((top, [, value]) => Math.max(top, Math.abs(value) || 0), 0);

/** The least and the greatest sample of each part of the span. */
export function reducedTo(samples: readonly Sample[], { from, to }: Span): readonly Sample[] {
  const kept = new Map<number, readonly [least: Sample, greatest: Sample]>();
  for (const sample of samples) {
    const part = Math.floor(((sample[0] - from) / (to - from)) * parts);
    if (part < 0 || part >= parts) continue;
    const [least, greatest] = kept.get(part) ?? [sample, sample];
    // What is not a number is kept only if there is nothing else.
    const [isLeast, isGreatest] = [!(sample[1] >= least[1]), !(sample[1] <= greatest[1])];
    if (!Number.isNaN(sample[1])) kept.set(part, [isLeast ? sample : least, isGreatest ? sample : greatest]);
    else if (!kept.has(part)) kept.set(part, [sample, sample]);
  }
  return [...kept.values()].flatMap((both) => [...new Set(both)].sort(([one], [other]) => one - other));
}
