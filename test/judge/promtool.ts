import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { simulate } from "../../dist/behaviour/simulate.js";
import { run } from "../../tools/run.mjs";
import { seriesOf, type Situation } from "../property/behaviours.js";
import { type Translation, translate } from "./rules.js";

/** What promtool says to a situation: nothing if it agrees. */
export interface Verdict {
  readonly situation: Situation;
  readonly rules: number;
  readonly disagreement: string | undefined;
}

/** Asks promtool whether at each evaluation it has the same groups firing as our simulation. */
export async function judge(
  promtool: string,
  folder: string,
  situations: readonly Situation[],
  translated: (situation: Situation) => Translation = translate,
): Promise<readonly Verdict[]> {
  const tests = situations.map((situation, i) => {
    const { rules, inputSeries } = translated(situation);
    const interval = `${situation.monitor.intervalSecs}s`;
    writeFileSync(join(folder, `rules${i}.yml`), stringify({ groups: [{ name: "g", interval, rules }] }));
    const test = { interval, input_series: inputSeries, promql_expr_test: expectations(situation) };
    const name = `test${i}.yml`;
    writeFileSync(
      join(folder, name),
      // JSON is YAML, and much faster to read.
      JSON.stringify({ rule_files: [`rules${i}.yml`], evaluation_interval: interval, tests: [test] }),
    );
    return { name, rules: rules.length };
  });
  const verdicts: Verdict[] = [];
  for (const [i, { name, rules }] of tests.entries()) {
    const { ok, lines } = await run(promtool, ["test", "rules", name], { cwd: folder });
    verdicts.push({ situation: situations[i] as Situation, rules, disagreement: ok ? undefined : lines.join("\n") });
  }
  return verdicts;
}

/** The groups that fire at each evaluation, as promtool is to find them. */
function expectations(situation: Situation): object[] {
  const { monitor, courses, ticks } = situation;
  const { labelNames = [], signalPerSeries } = monitor.signalGrouping;
  const names = signalPerSeries ? Object.keys(courses[0]?.labels ?? {}) : labelNames;
  const by = ["severity", ...names].join(",");
  const { signals } = simulate(monitor, seriesOf(situation), { from: 0, to: ticks * monitor.intervalSecs });
  return Array.from({ length: ticks }, (_, i) => {
    const at = i * monitor.intervalSecs;
    const firing = signals.filter(({ firedAt, resolvedAt = Infinity }) => firedAt <= at && at < resolvedAt);
    return {
      expr: `group by (${by}) (ALERTS{alertstate="firing"})`,
      eval_time: `${at}s`,
      exp_samples: firing.map(({ severity, labels }) => ({
        labels: `{${Object.entries({ severity, ...labels })
          .map(([name, value]) => `${name}="${value}"`)
          .join(",")}}`,
        value: 1,
      })),
    };
  });
}
