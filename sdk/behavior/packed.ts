import type { Sample, Series } from "./signals";

/** Samples in 16 bytes each: in lists, those of a query with many series would fill the memory. */
export class PackedSamples implements Iterable<Sample> {
  /** @param chunks In order of time; in each, every sample's time is followed by its value. */
  constructor(readonly chunks: readonly Float64Array[]) {}

  get count(): number {
    return this.chunks.reduce((sum, { length }) => sum + length / 2, 0);
  }

  /** Many times as fast as the iterator, which makes an array of each sample. */
  forEach(visit: (time: number, value: number) => void): void {
    for (const numbers of this.chunks) {
      for (let i = 0; i < numbers.length; i += 2) visit(numbers[i] as number, numbers[i + 1] as number); // They are in pairs.
    }
  }

  *[Symbol.iterator](): Generator<Sample> {
    for (const numbers of this.chunks) {
      for (let i = 0; i < numbers.length; i += 2) yield [numbers[i] as number, numbers[i + 1] as number]; // As above.
    }
  }
}

/** A series whose samples are all in memory. */
export interface PackedSeries extends Series {
  readonly samples: PackedSamples;
}

const chunkSize = 128;

/** The samples as numbers. A chunk is valid until the next one is taken. */
export function* chunksOf(samples: Iterable<Sample>): Generator<Float64Array> {
  if (samples instanceof PackedSamples) return yield* samples.chunks;
  const chunk = new Float64Array(2 * chunkSize);
  let length = 0;
  for (const [time, value] of samples) {
    chunk[length++] = time;
    chunk[length++] = value;
    if (length < chunk.length) continue;
    yield chunk;
    length = 0;
  }
  yield chunk.subarray(0, length);
}
