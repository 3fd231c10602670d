import { stringify } from "yaml";
import { simulate } from "../../../dist/sdk/behavior/simulate.js";
import { seriesOf, type Situation } from "../../property/behaviors.js";
import { writeFiles } from "../../support/folders.js";
import { run } from "../../support/run.js";
import { type Translation, translate } from "./rules.js";

/** A group that fires, by its labels and its severity. */
export type Firing = Readonly<Record<string, string>>;

/** What promtool is asked: whether these rules have at each evaluation exactly these groups firing. */
export interface Question {
  readonly situation: Situation;
  readonly translation: Translation;
  readonly firingAt: (evaluation: number) => readonly Firing[];
}

/** Whether promtool finds what our simulation does. */
export const ofSimulation = (situation: Situation): Question => {
  const translation = translate(situation);
  const { intervalSecs } = situation.monitor;
  const { signals } = simulate(situation.monitor, seriesOf(situation), { from: 0, to: situation.ticks * intervalSecs });
  const firingAt = (evaluation: number) =>
    signals
      .filter(({ firedAt, resolvedAt = Infinity }) => {
        return firedAt <= evaluation * intervalSecs && evaluation * intervalSecs < resolvedAt;
      })
      .map(({ severity, labels }) => ({ severity, ...labels }));
  return { situation, translation, firingAt };
};

/** What promtool says against it; nothing if it agrees. */
export async function disagreement(promtool: string, folder: string, question: Question): Promise<string | undefined> {
  const { situation, translation } = question;
  const interval = `${situation.monitor.intervalSecs}s`;
  const { rules, inputSeries } = translation;
  const test = { interval, input_series: inputSeries, promql_expr_test: expectations(question) };
  writeFiles(folder, {
    "rules.yml": stringify({ groups: [{ name: "g", interval, rules }] }),
    // JSON is YAML, and faster to read.
    "test.yml": JSON.stringify({ rule_files: ["rules.yml"], evaluation_interval: interval, tests: [test] }),
  });
  const { code, text } = await run(promtool, ["test", "rules", "test.yml"], { cwd: folder });
  return code === 0 ? undefined : text;
}

function expectations({ situation: { monitor, courses, ticks }, firingAt }: Question): object[] {
  const { labelNames = [], signalPerSeries } = monitor.signalGrouping;
  const names = signalPerSeries ? Object.keys(courses[0]?.labels ?? {}) : labelNames;
  const expr = `group by (${["severity", ...names].join(",")}) (ALERTS{alertstate="firing"})`;
  return Array.from({ length: ticks }, (_, i) => ({
    expr,
    eval_time: `${i * monitor.intervalSecs}s`,
    exp_samples: firingAt(i).map((labels) => ({ labels: `{${texts(labels).join(",")}}`, value: 1 })),
  }));
}

const texts = (labels: Firing) => Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
