import { appendFileSync } from "node:fs";
import fc, { type IAsyncPropertyWithHooks } from "fast-check";
import { afterAll, describe, test } from "vitest";

export const isDeep = process.env.TEST_DEEP === "1";

/** Tests that only deep runs do. Of what they show, a usual run has a cheaper test, or it hardly ever changes. */
export const deepTest = test.skipIf(!isDeep) as typeof test;
export const deepDescribe = describe.skipIf(!isDeep) as typeof describe;

/** What usual runs try, or deep ones. */
export const usualOrDeep = <T>(usual: T, deep: T): T => (isDeep ? deep : usual);

/** Decides all that tests draw: always the same, except that tools/test.mjs draws and prints it for a deep run. */
export const seed = Number(process.env.TEST_SEED ?? 1);

/** How often a property is tried: 50 times, deep 500 times, or a part of that, which may be another in deep runs. */
export const runs = (part = 1, deepPart = part) => Math.ceil(usualOrDeep(50 * part, 500 * deepPart));

/** How much of something a file tries: what `--size=<n>` names on the command line, else `usual`. */
export const size = (usual: number) => Number(process.env.TEST_SIZE ?? usual);

/** Prints one line that tells what was tried and how much of it failed; the test command repeats all of them at its end. */
export function reportFigure(figure: string): void {
  console.log(figure);
  if (process.env.TEST_FIGURES !== undefined) appendFileSync(process.env.TEST_FIGURES, `${figure}\n`);
}

/** Counts what a file tries, and prints one line per figure at its end. */
export class Figures {
  readonly #counts = new Map<string, { tried: number; failures: number }>();
  readonly #extras = new Map<string, number>();

  constructor() {
    afterAll(() => {
      const lines = [...this.#counts].map(([name, { tried, failures }]) => `${name}: ${tried}, failures: ${failures}`);
      const extras = [...this.#extras].map(([name, count]) => `${name}: ${count}`);
      for (const line of [...lines, ...extras]) reportFigure(line);
    });
  }

  /** Tries a property and counts it; fast-check's error tells seed, path and the smallest counterexample. */
  async hold<T>(
    name: string,
    property: IAsyncPropertyWithHooks<T>,
    numRuns: number,
    examples: T[] = [],
  ): Promise<void> {
    const figure = this.#counts.get(name) ?? { tried: 0, failures: 0 };
    this.#counts.set(name, figure);
    const details = await fc.check(property, { numRuns: numRuns + examples.length, examples });
    // Of every kind the same number: the figure is one of each kind.
    figure.tried = Math.max(figure.tried, details.numRuns);
    figure.failures += details.failed ? 1 : 0;
    if (!details.failed) return;
    throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  }

  /** Counts something else worth knowing. */
  count(name: string, more = 1): void {
    this.#extras.set(name, (this.#extras.get(name) ?? 0) + more);
  }
}
