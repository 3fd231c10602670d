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

const chunkSize = 512;
const nothing: readonly Sample[] = [];

/** Reads the samples of a series once, in order of time. */
export class SampleReader {
  readonly #rest: Iterator<Sample> | undefined;
  #chunk: readonly Sample[] = nothing;
  #index = 0;
  #last = -Infinity;
  /** The time of the first sample; without any, the series is known from the beginning (rule 5). */
  readonly knownFrom: number;

  /** @param fail Throws, with a reason. */
  constructor(
    samples: Iterable<Sample>,
    private readonly fail: (problem: string) => never,
  ) {
    if (Array.isArray(samples)) this.#chunk = samples;
    else this.#rest = samples[Symbol.iterator]();
    this.#refill();
    const first = this.#chunk[0];
    this.knownFrom = first?.[0] ?? -Infinity;
    if (first !== undefined && !Number.isFinite(first[0])) {
      fail(`expected times in seconds since the epoch, but the first sample has ${first[0]}`);
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
        const sample = chunk[index] as Sample; // The index is below the length.
        const time = sample[0];
        if (time > tick) break;
        if (!(time > last)) this.fail(`the sample at ${time} does not come after ${last}`);
        last = time;
        index++;
        value = sample[1];
        state = present;
      }
      presence[i] = state;
      values[i] = value;
    }
    this.#index = index;
    this.#last = last;
  }

  #refill(): boolean {
    if (this.#rest === undefined) return false;
    const chunk: Sample[] = [];
    for (let next = this.#rest.next(); ; next = this.#rest.next()) {
      if (next.done === true) break;
      chunk.push(next.value);
      if (chunk.length === chunkSize) break;
    }
    if (chunk.length === 0) return false;
    this.#chunk = chunk;
    return true;
  }
}
