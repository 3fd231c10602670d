import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ensurePrometheus } from "../../tools/prometheus.mjs";
import { temporaryFolder } from "../package/project.js";
import { type PlainCondition, situations, type Situation } from "../property/behaviours.js";
import { isDeep, reportFigure, timeLimitMs } from "../support/figures.js";
import { judge } from "./promtool.js";

const folder = temporaryFolder();

describe.skipIf(!isDeep)("promtool, an independent judge (deep runs only: it is built with Go)", () => {
  let promtool: string;

  beforeAll(async () => {
    promtool = await ensurePrometheus("promtool");
  }, timeLimitMs);

  test.each([
    ["monitors", false, 300],
    ["monitors with a schedule", true, 150],
  ] as const)(
    "agrees at each evaluation on what %s have firing",
    { timeout: timeLimitMs },
    async (what, hasSchedule, count) => {
      const sampled = fc.sample(situations(hasSchedule).map(judged), { numRuns: count, seed: 18 });
      const verdicts = await judge(promtool, folder, sampled);
      const disagreements = verdicts.filter(({ disagreement }) => disagreement !== undefined);
      const rules = verdicts.reduce((sum, each) => sum + each.rules, 0);
      const series = sampled.reduce((sum, { courses }) => sum + courses.length, 0);
      reportFigure(
        `${what} judged by promtool: ${count} (${rules} rules, ${series} series), disagreements: ${disagreements.length}`,
      );
      expect(disagreements.map(({ disagreement, situation }) => ({ disagreement, situation })).slice(0, 3)).toEqual([]);
    },
  );
});

/**
 * The part of a situation that Prometheus has words for. `absent` also fires before the first sample, and knows nothing
 * of overrides; `keep_firing_for` knows nothing of a schedule. The test below shows each of these differences.
 */
function judged({ monitor, courses, ticks }: Situation): Situation {
  const { schedule, seriesConditions } = monitor;
  const { defaults, overrides = [] } = seriesConditions;
  const conditions = [
    ...Object.values(defaults),
    ...overrides.map(({ severityConditions }) => severityConditions),
  ].flatMap((each) => each.conditions);
  const asksForAbsence = conditions.some(({ op }) => op === "NOT_EXISTS");
  const ended = ({ conditions: all }: { readonly conditions: PlainCondition[] }) => ({
    conditions: all.map((each) => (schedule === undefined ? each : { ...each, resolveSustainSecs: 0 })),
  });
  return {
    monitor: {
      ...monitor,
      seriesConditions: {
        defaults: Object.fromEntries(Object.entries(defaults).map(([severity, each]) => [severity, ended(each)])),
        overrides: asksForAbsence
          ? []
          : overrides.map((each) => ({ ...each, severityConditions: ended(each.severityConditions) })),
      },
    },
    courses: courses.map(({ labels, values }) => ({ labels, values: [values[0] ?? 0, ...values.slice(1)] })),
    ticks,
  };
}
