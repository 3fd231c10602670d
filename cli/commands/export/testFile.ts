import { Document } from "yaml";
import { type Exported, type ExportedAlert } from "./alerts";
import { type Input, type InputSeries, seriesFor } from "./inputSeries";
import { fileText } from "./ruleFile";
import { duration } from "../../promql/durations";

/** A test of promtool: what an alert does with some series. */
interface UnitTest {
  readonly name: string;
  readonly interval: string;
  readonly input_series?: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly [
    {
      readonly expr: string;
      readonly eval_time: string;
      readonly exp_samples: readonly { readonly labels: string; readonly value: number }[];
    },
  ];
}

/** What the tests of all monitors are. */
export interface TestFile {
  readonly text: string;
  /** How many tests there are. */
  readonly count: number;
  /** The monitors of which an alert has no test. */
  readonly untested: readonly string[];
}

/** Unit tests for `promtool test rules`: each alert fires beyond its threshold, and is silent on the other side. */
export function testFile(exported: readonly Exported[], ruleFile: string): TestFile {
  const tests: UnitTest[] = [];
  const untested = new Set<string>();
  for (const { monitor, alerts, intervalSecs } of exported) {
    for (const alert of alerts) {
      const own = testsOf(alert, intervalSecs);
      tests.push(...own);
      if (own.length === 0) untested.add(monitor.name);
    }
  }
  const evaluation = Math.min(
    60,
    ...exported.filter(({ alerts }) => alerts.length > 0).map((each) => each.intervalSecs),
  );
  const document = new Document({
    rule_files: [ruleFile],
    evaluation_interval: duration(evaluation),
    tests,
  });
  const remark = (name: string) => `${name} has no test: no series can be made up for its query.`;
  return { text: fileText(document, [...untested].map(remark)), count: tests.length, untested: [...untested] };
}

interface Comparison {
  readonly query: string;
  readonly op: string;
  readonly value: number;
}

function testsOf(exported: ExportedAlert, intervalSecs: number): readonly UnitTest[] {
  const { expression, condition } = exported;
  // A query that is a comparison is silent because of it.
  const comparison: Comparison =
    condition.op === "EXISTS" && expression.threshold !== undefined
      ? expression.threshold
      : { query: expression.text, op: condition.op ?? "", value: condition.value ?? 0 };
  const { query, op, value } = comparison;
  const { fires, silent } = sides[op]?.(value, value === 0 ? 1 : Math.abs(value) / 2) ?? {};
  // Only of such a query it is known what it returns without series.
  if (seriesFor(query, 1) === undefined) return [];
  return [
    ...testOf(exported, comparison, intervalSecs, "fires", fires),
    ...testOf(exported, comparison, intervalSecs, "is silent", silent),
  ];
}

/** What a query returns; undefined if there is no such value. */
interface Sides {
  readonly fires: number | typeof nothing;
  readonly silent: number | typeof nothing;
}

/** No series at all. */
const nothing = "nothing";

const sides: Readonly<Record<string, (value: number, away: number) => Sides>> = {
  // Most queries have no values below 0.
  GT: (value, away) => ({ fires: value + away, silent: value === 0 ? 0 : value - away }),
  GEQ: (value, away) => ({ fires: value + away, silent: value - away }),
  LT: (value, away) => ({ fires: value - away, silent: value + away }),
  LEQ: (value, away) => ({ fires: value - away, silent: value + away }),
  EQ: (value, away) => ({ fires: value, silent: value + away }),
  NEQ: (value, away) => ({ fires: value + away, silent: value }),
  EXISTS: () => ({ fires: 1, silent: nothing }),
  NOT_EXISTS: () => ({ fires: nothing, silent: 1 }),
};

function testOf(
  { alert, sustainSecs }: ExportedAlert,
  { query, op, value: threshold }: Comparison,
  intervalSecs: number,
  does: "fires" | "is silent",
  value: number | typeof nothing | undefined,
): readonly UnitTest[] {
  const input = value === nothing ? noInput : value === undefined ? undefined : seriesFor(query, value);
  if (input === undefined) return [];
  // A computed value is only almost the threshold.
  const isExact = input.longest === 0 && input.series.every((each) => each.value === value);
  if (value === threshold && ["EQ", "NEQ"].includes(op) && !isExact) return [];
  // A rate needs some samples in its range.
  const step = Math.max(1, Math.floor(Math.min(intervalSecs, 60, input.shortest / 4)));
  const at = input.longest + sustainSecs + 3 * intervalSecs;
  const count = Math.ceil(at / step) + 1;
  const labels = Object.entries({ alertname: alert.alert, ...alert.labels, alertstate: "firing" })
    // What is filled in from a series is not known here.
    .filter(([, text]) => !text.includes("{{"))
    .map(([name, text]) => `${labelName(name)}=${JSON.stringify(text)}`);
  return [
    {
      name: `${alert.alert} (${alert.labels.severity ?? ""}) ${does}`,
      interval: duration(step),
      ...(input.series.length === 0
        ? {}
        : {
            input_series: input.series.map((each) => ({
              series: seriesText(each),
              values: valuesOf(each, step, count),
            })),
          }),
      promql_expr_test: [
        {
          expr: `count(ALERTS{${labels.join(", ")}})`,
          eval_time: duration(at),
          exp_samples: does === "fires" ? [{ labels: "{}", value: 1 }] : [],
        },
      ],
    },
  ];
}

const noInput: Input = { series: [], longest: 0, shortest: Infinity };

function seriesText({ labels: { __name__: name = "", ...labels } }: InputSeries): string {
  const matchers = Object.entries(labels).map(([label, text]) => `${labelName(label)}=${JSON.stringify(text)}`);
  if (!/^[A-Za-z_:][\w:]*$/.test(name)) return `{${[JSON.stringify(name), ...matchers].join(", ")}}`;
  return matchers.length === 0 ? name : `${name}{${matchers.join(", ")}}`;
}

/** The notation of promtool: a first value, what is added each time, and how often. */
const valuesOf = ({ value, perSecond }: InputSeries, step: number, count: number) =>
  `${short(value)}+${short(perSecond * step)}x${count}`;

/** Without what floating point adds to 0.3. */
const short = (value: number) => Number(value.toPrecision(12));

const labelName = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
