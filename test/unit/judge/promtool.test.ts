import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ensurePrometheus } from "../../../tools/prometheus.mjs";
import { blocksIn } from "../../commands/pages.js";
import { type PlainCondition, situations, type Situation } from "../../property/behaviors.js";
import { isDeep, reportFigure, timeLimitMs } from "../../support/figures.js";
import { ownFolder, writeFiles } from "../../support/folders.js";
import { run } from "../../support/run.js";
import { disagreement, ofSimulation, type Question } from "./promtool.js";
import { recordings } from "./recorded.js";
import { translate } from "./rules.js";

const folder = ownFolder();

describe.skipIf(!isDeep)("promtool, an independent judge (deep runs only: it is built with Go)", () => {
  let promtool: string;

  beforeAll(async () => {
    promtool = await ensurePrometheus("promtool");
  }, timeLimitMs);

  const asked = (question: Question) => disagreement(promtool, folder, question);

  test.each([
    ["monitors", false, 300],
    ["monitors with a schedule", true, 150],
  ] as const)(
    "agrees at each evaluation on what %s have firing",
    { timeout: timeLimitMs },
    async (what, hasSchedule, count) => {
      const sampled = fc.sample(situations(hasSchedule).map(judged), { numRuns: count, seed: 18 });
      const questions = sampled.map((situation) => ofSimulation(situation));
      const disagreements: unknown[] = [];
      for (const question of questions) {
        const said = await asked(question);
        if (said !== undefined) disagreements.push({ said, situation: question.situation });
      }
      const rules = questions.reduce((sum, { translation }) => sum + translation.rules.length, 0);
      const series = sampled.reduce((sum, { courses }) => sum + courses.length, 0);
      const sizes = `${count} (${rules} rules, ${series} series)`;
      reportFigure(`${what} judged by promtool: ${sizes}, disagreements: ${disagreements.length}`);
      expect(disagreements.slice(0, 3)).toEqual([]);
    },
  );

  test.each(recordings)("finds what is recorded of it: a monitor $title", async ({ situation, firing }) => {
    const firingAt = (evaluation: number) =>
      firing.flatMap((text) => {
        const [, severity = "", region = "", first, last] = /^(\w+) (\w*) (\d+)-(\d+)$/.exec(text) ?? [];
        if (evaluation < Number(first) || evaluation > Number(last)) return [];
        return [{ severity, ...(region === "" ? {} : { region }) }];
      });
    expect(await asked({ situation, translation: translate(situation), firingAt })).toBeUndefined();
  });

  test("takes the rules that docs/backtest.md shows", async () => {
    const shown = blocksIn("docs/backtest.md").filter(({ heading }) => heading === "Rules for promtool and pint");
    const rules = shown.find(({ language }) => language === "yaml")?.text ?? "";
    writeFiles(folder, { "shown.yml": rules });
    const { code, text } = await run(promtool, ["check", "rules", "shown.yml"], { cwd: folder });
    expect(text).toContain("1 rules found");
    expect(code).toBe(0);
  });
});

/**
 * The part of a situation that Prometheus has words for. `absent` also fires before the first sample, and knows nothing
 * of overrides; `keep_firing_for` knows nothing of a schedule (docs/behavior.md, "Compared with Prometheus").
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
