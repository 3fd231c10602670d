import { groupKey } from "../../sdk/behavior/grouping";
import type { Sample, Series } from "../../sdk/behavior/signals";
import { grouped } from "../../provider/base/grouped";

/** The series that a query has returned. They can be read more than once. */
export interface Recording {
  readonly series: readonly Series[];
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

/** The same in 16 bytes for each sample: in lists, the samples of a query with many series would fill the memory. */
export const packed = ({ series, warnings }: Recording): Recording => ({
  series: series.map(({ labels, samples }) => {
    const numbers = Float64Array.from([...samples].flat());
    return { labels, samples: { [Symbol.iterator]: () => samplesIn(numbers) } };
  }),
  warnings,
});

function* samplesIn(numbers: Float64Array): Generator<Sample> {
  for (let i = 0; i < numbers.length; i += 2) yield [numbers[i] as number, numbers[i + 1] as number]; // They are in pairs.
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
      samples: {
        *[Symbol.iterator]() {
          for (const { samples } of all) yield* samples;
        },
      },
    })),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  };
}
