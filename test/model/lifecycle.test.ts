import fc from "fast-check";
import { afterAll, describe, test } from "vitest";
import { reportFigure, runs, seed, size } from "../support/figures.js";
import { type Command, command } from "./commands.js";
import { Life } from "./life.js";
import { losses } from "./losses.js";
import { RestartableService, Twin } from "./service.js";

/** Lives that are lived at the same time: most of each is waiting. */
const lanes = 8;
const longestLife = 50;

const counts = new Map<string, number>();
const count = (what: string, more = 1) => void counts.set(what, (counts.get(what) ?? 0) + more);
const sum = { commands: 0, runs: 0, failures: 0 };

afterAll(() => {
  reportFigure(`model commands: ${sum.commands} in ${sum.runs} runs, failures: ${sum.failures}`);
  const found = losses.map((loss) => `${loss} ${counts.get(`oracle ${loss}`) ?? 0}`);
  reportFigure(`model losses: ${found.join(", ")}`);
  for (const [what, times] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) reportFigure(`model ${what}: ${times}`);
});

describe.concurrent("a stack, whatever happens to it", () => {
  test.each(Array.from({ length: lanes }, (_, lane) => lane + 1))(
    "keeps its promises and ends as declared (lane %i)",
    async (lane) => {
      const service = await RestartableService.start(lane % 2 === 0);
      const twin = await Twin.start();
      try {
        const lives = fc.noBias(fc.array(command, { minLength: 1, maxLength: longestLife, size: "max" }));
        const details = await fc.check(
          fc.asyncProperty(lives, (commands) => live(commands, service, twin)),
          // Each lane tries others.
          { seed: Math.imul(seed + lane, 0x9e3779b1), numRuns: size(runs(0.02, 0.26)) },
        );
        sum.runs += details.numRuns;
        if (!details.failed) return;
        sum.failures += 1;
        throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
      } finally {
        await service.close();
      }
    },
  );
});

async function live(commands: readonly Command[], service: RestartableService, twin: Twin): Promise<void> {
  await service.wipe();
  const life = new Life(service, twin, count);
  for (const [i, each] of commands.entries()) {
    await life.perform(each).catch((error: unknown) => {
      throw new Error(`at command ${i + 1}, ${JSON.stringify(each).slice(0, 200)}`, { cause: error });
    });
  }
  await life.settle();
  sum.commands += commands.length;
}
