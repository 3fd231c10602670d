import type fc from "fast-check";

/** What is drawn from an arbitrary. */
export type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** Numbers from 0 to 1 that one seed decides (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
