import { setImmediate } from "node:timers/promises";

// In milliseconds. A body of 1 MiB takes up to a second, a search through 100,000 objects some.
const turn = 20;

/** Runs the steps, and lets other requests in after every 20 ms. */
export async function inTurns<T>(steps: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const end = performance.now() + turn;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < end);
    await setImmediate();
  }
}
