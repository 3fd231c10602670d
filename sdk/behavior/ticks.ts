import { chunksOf } from "./packed";
import type { Sample } from "./signals";

/** The state of a series at an evaluation. */
const unseen = 0;
export const missing = 1;
export const present = 2;

/** Some evaluations in a row, at most `capacity`; all series are taken through one block before the next. */
export class Block {
  static readonly capacity = 1_024;
  /** The time of the first evaluation. */
  start = 0;
  count = 0;
  /** Whether the monitor is active, by evaluation; undefined if it always is. */
  active: Uint8Array | undefined;
  /** `unseen`, `missing` or `present`, by evaluation. */
  readonly presence = new Uint8Array(Block.capacity);
  /** The series' value, by evaluation; not a number unless present. */
  readonly values = new Float64Array(Block.capacity);

  constructor(readonly interval: number) {}
}

/** The first evaluation at or after a time (rule 1: evaluations are at multiples of the interval). */
export const firstTick = (time: number, interval: number) => Math.ceil(time / interval) * interval;

/** Reads the samples of a series once, in order of time. */
export class SampleReader {
  readonly #rest: Iterator<Float64Array>;
  #chunk: Float64Array = new Float64Array();
  #index = 0;
  #last = -Infinity;
  /** The time of the first sample; without any, the series is known from the beginning (rule 5). */
  readonly knownFrom: number;

  /** @param fail Throws, with a reason. */
  constructor(
    samples: Iterable<Sample>,
    private readonly fail: (problem: string) => never,
  ) {
    this.#rest = chunksOf(samples);
    this.#refill();
    const [first] = this.#chunk;
    this.knownFrom = first ?? -Infinity;
    if (first !== undefined && !Number.isFinite(first)) {
      fail(`expected times in seconds since the epoch, but the first sample has ${first}`);
    }
  }

  /** Writes presence and values of the block's evaluations: each has the last sample of the interval that ends with it. */
  fill({ start, count, interval, presence, values }: Block): void {
    const known = this.knownFrom;
    let chunk = this.#chunk;
    let index = this.#index;
    let last = this.#last;
    let tick = start;
    for (let i = 0; i < count; i++, tick += interval) {
      let value = NaN;
      let state = tick >= known ? missing : unseen;
      for (;;) {
        if (index === chunk.length) {
          if (!this.#refill()) break;
          chunk = this.#chunk;
          index = 0;
        }
        const time = chunk[index] as number; // The index is below the length.
        if (time > tick) break;
        if (!(time > last)) this.fail(`the sample at ${time} does not come after ${last}`);
        last = time;
        value = chunk[index + 1] as number; // They are in pairs.
        index += 2;
        state = present;
      }
      presence[i] = state;
      values[i] = value;
    }
    this.#index = index;
    this.#last = last;
  }

  #refill(): boolean {
    for (let next = this.#rest.next(); next.done !== true; next = this.#rest.next()) {
      if (next.value.length === 0) continue;
      this.#chunk = next.value;
      return true;
    }
    return false;
  }
}
