import { groupKey } from "../../sdk/behavior/grouping";
import { PackedSamples, type PackedSeries } from "../../sdk/behavior/packed";
import { grouped } from "../../provider/base/grouped";

/** The series that a query has returned. They can be read more than once. */
export interface Recording {
  readonly series: readonly PackedSeries[];
  /** The API's warnings, for example of a missing part. */
  readonly warnings: readonly string[];
}

/** A query at the interval at which a monitor evaluates it. */
export interface MonitorQuery {
  /** The monitor, for messages. */
  readonly title: string;
  readonly query: string;
  readonly intervalSecs: number;
}

/** Where recorded series come from. */
export interface SeriesSource {
  /** @throws {RequestError} or {CommandError} if they cannot be had */
  record(asked: MonitorQuery): Promise<Recording>;
  /** Whether a selector has series in the time that is read; undefined if another request would be too many. */
  has?(selector: string): Promise<boolean | undefined>;
  close?(): Promise<void>;
}

/** One recording of several, each of which continues the one before. */
export function joined(parts: readonly Recording[]): Recording {
  const byLabels = grouped(
    parts.flatMap(({ series }) => series),
    ({ labels }) => groupKey(labels),
  );
  return {
    series: [...byLabels.values()].map((all) => ({
      labels: all[0]?.labels ?? {},
      samples: new PackedSamples(all.flatMap(({ samples }) => samples.chunks)),
    })),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  };
}
