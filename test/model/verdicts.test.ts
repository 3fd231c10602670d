import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { isDeep, reportFigure, timeLimitMs } from "../support/figures.js";
import { type Command, edits, up } from "./commands.js";
import { Life, readsPagesIn } from "./life.js";
import { type Exception, exceptionsOf } from "./exceptions.js";
import { datasets, RestartableService, Twin } from "./service.js";
import { clear } from "./weather.js";

const lanes = isDeep ? 12 : 4;
const programsPerLane = isDeep ? 180 : 10;

/** An earlier program and what others do, an update, and a program with other options, under both providers. */
const histories = fc.record({
  before: fc.array(fc.oneof(...Object.values<fc.WeightedArbitrary<Command>>(edits)), {
    minLength: 3,
    maxLength: 14,
    size: "max",
  }),
  first: up,
  then: fc.array(fc.oneof(...Object.values<fc.WeightedArbitrary<Command>>(edits)), {
    minLength: 1,
    maxLength: 10,
    size: "max",
  }),
  second: up,
});

const sum = { programs: 0, green: 0, red: 0 };
const exceptions = new Map<Exception, number>();

afterAll(() => {
  const named = [...exceptions].map(([name, times]) => `${name} ${times}`).join(", ");
  reportFigure(
    `preview against up: ${sum.programs} programs, both green ${sum.green}, both red ${sum.red}, foreseen exceptions: ${named || 0}`,
  );
});

describe.concurrent("a preview", () => {
  test.each(Array.from({ length: lanes }, (_, lane) => lane + 1))(
    "is green exactly if the update succeeds (lane %i)",
    { timeout: timeLimitMs },
    async (lane) => {
      const service = await RestartableService.start(lane % 2 === 0);
      const twin = await Twin.start(datasets);
      try {
        const details = await fc.check(
          fc.asyncProperty(histories, async ({ before, first, then, second }) => {
            await service.wipe();
            const life = new Life(service, twin, () => {}, readsPagesIn(lane));
            for (const each of before) await life.perform(each);
            await life.up({ ...first, weather: clear, adopt: true, goesOn: true, previewsFirst: false });
            for (const each of then) await life.perform(each);
            const compared = await life.compare({ ...second, goesOn: true, breaksAfter: undefined });
            sum.programs += 1;
            const isGreen = compared.preview.outcome.failures.length === 0;
            const succeeds = compared.up.outcome.failures.length === 0;
            if (isGreen === succeeds) return void (sum[isGreen ? "green" : "red"] += 1);
            const { named, unnamed } = exceptionsOf(compared.preview, compared.up);
            expect(unnamed, "what a preview and an update do not agree about").toEqual([]);
            for (const each of new Set(named)) exceptions.set(each, (exceptions.get(each) ?? 0) + 1);
          }),
          { numRuns: programsPerLane, interruptAfterTimeLimit: timeLimitMs * 0.7, markInterruptAsFailure: true },
        );
        if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
      } finally {
        await service.close();
      }
    },
  );
});
