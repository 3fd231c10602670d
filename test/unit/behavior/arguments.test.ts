import * as pulumi from "@pulumi/pulumi";
import type { MonitorArgs } from "pulumi-observability";
import { explainSLO, type Series, simulate, SimulationError } from "pulumi-observability/behavior";
import { expect, test } from "vitest";
import { monitorPlan } from "../../../dist/sdk/behavior/simulate.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const span = { from: 0, to: 600 };
const condition = { op: "GT", value: 1 };
const conditions = { defaults: { critical: { conditions: [condition] } } };
const scheduled = (schedule: object) => ({ seriesConditions: conditions, schedule });
const onMondays = (monday: object) => scheduled({ timezone: "UTC", weeklySchedule: { monday } });
const range = (startHhMm: string, endHhMm: string) => ({
  active: "ONLY_DURING_RANGES",
  ranges: [{ startHhMm, endHhMm }],
});
const at = "seriesConditions.defaults.critical.conditions[0]";
const monday = "schedule.weeklySchedule.monday";
const matcher = "seriesConditions.overrides[0].labelMatchers[0]";
const zones = "expected an IANA time zone like Europe/Berlin";
const withCondition = (more: object) => ({
  seriesConditions: { defaults: { critical: { conditions: [{ ...condition, ...more }] } } },
});
const withMatcher = (matcher: object) => ({
  seriesConditions: { overrides: [{ labelMatchers: [matcher], severityConditions: { conditions: [condition] } }] },
});

test("what the simulation refuses is refused before anybody is asked for its series", () => {
  expect(() => monitorPlan({ slug: "a", seriesConditions: conditions, intervalSecs: -60 })).toThrow(
    "0 or more seconds",
  );
});

test.each<[string, object]>([
  [`${at}.value: the value is an output. Pass a plain value`, withCondition({ value: pulumi.output(1) })],
  [`${at}.value: the value is a promise. Pass a plain value`, withCondition({ value: Promise.resolve(1) })],
  [
    "schedule: the value is an output. Pass a plain value",
    { seriesConditions: conditions, schedule: pulumi.output({}) },
  ],
  [`${at}.value: the value is known only after the update`, withCondition({ value: unknown })],
  [`${at}.value: expected a number, got a string`, withCondition({ value: "1" })],
  [`${at}.valu: unknown field. Did you mean "value"?`, withCondition({ valu: 1 })],
  ['signalGroupin: unknown field. Did you mean "signalGrouping"?', { seriesConditions: conditions, signalGroupin: {} }],
  [`${at}.op: is required`, withCondition({ op: "" })],
  [
    `${at}.op: the simulation doesn't support "ABOVE". Supported: GT, GEQ, LT, LEQ, EQ, NEQ, EXISTS, NOT_EXISTS`,
    withCondition({ op: "ABOVE" }),
  ],
  [`${at}.sustainSecs: expected 0 or more seconds, got -1`, withCondition({ sustainSecs: -1 })],
  ["intervalSecs: expected 0 or more seconds, got -60", { seriesConditions: conditions, intervalSecs: -60 }],
  ["seriesConditions: needs at least one condition", {}],
  [
    "signalGrouping: has both labelNames and signalPerSeries, only one is allowed",
    { seriesConditions: conditions, signalGrouping: { labelNames: ["a"], signalPerSeries: true } },
  ],
  [
    `schedule.timezone: ${zones}, got "Europe/Atlantis"`,
    scheduled({ timezone: "Europe/Atlantis", weeklySchedule: {} }),
  ],
  [`schedule.timezone: ${zones}, got "+01:00"`, scheduled({ timezone: "+01:00", weeklySchedule: {} })],
  ["schedule.timezone: is required", scheduled({ weeklySchedule: {} })],
  [
    `${monday}.active: the simulation doesn't support "SOMETIMES". Supported: ALL_DAY, ONLY_DURING_RANGES, NEVER`,
    onMondays({ active: "SOMETIMES" }),
  ],
  [`${monday}.ranges: is required if active is "ONLY_DURING_RANGES"`, onMondays({ active: "ONLY_DURING_RANGES" })],
  [
    `${monday}.ranges: needs active "ONLY_DURING_RANGES", got "ALL_DAY"`,
    onMondays({ ...range("08:00", "09:00"), active: "ALL_DAY" }),
  ],
  [
    `${monday}.ranges[0].startHhMm: expected HH:MM from 00:00 to 23:59, got "24:00"`,
    onMondays(range("24:00", "09:00")),
  ],
  [`${monday}.ranges[0].endHhMm: expected HH:MM from 00:00 to 24:00, got "9:00"`, onMondays(range("08:00", "9:00"))],
  [
    `${matcher}.type: the simulation doesn't support "GLOB". Supported: EXACT, REGEX`,
    withMatcher({ name: "a", type: "GLOB", value: "*" }),
  ],
  [
    `${matcher}.value: the simulation can't parse the regular expression "("`,
    withMatcher({ name: "a", type: "REGEX", value: "(" }),
  ],
  [`${matcher}.name: is required`, withMatcher({ type: "EXACT", value: "x" })],
])("a simulation is refused: %s", (problem, args) => {
  const run = () => simulate({ slug: "errors", ...args } as MonitorArgs, [], span);
  expect(run).toThrow(SimulationError);
  expect(run).toThrow(expect.objectContaining({ message: `unable to simulate monitor "errors": ${problem}` }));
});

test("all that is wrong is told at once, and arguments that are not read may be outputs", () => {
  const args = {
    ...withCondition({ op: "X", sustainSecs: -1 }),
    labelQuery: pulumi.output("up"),
    slug: pulumi.output("a"),
  };
  expect(() => simulate(args, [], span)).toThrow(
    /^unable to simulate the monitor:\n {2}.*\.op: .*\n {2}.*\.sustainSecs: /,
  );
});

const sampled = (...times: number[]): Series => ({ labels: {}, samples: times.map((time) => [time, 1] as const) });
test.each<[string, Series[]]>([
  ["series []: it occurs twice", [sampled(), sampled()]],
  ["series []: the sample at 60 does not come after 120", [sampled(0, 120, 60)]],
  ["series []: the sample at 60 does not come after 60", [sampled(60, 60)]],
  ["series []: expected times in seconds since the epoch, but the first sample has NaN", [sampled(NaN)]],
])("series are refused: %s", (problem, series) => {
  expect(() => simulate({ seriesConditions: conditions }, series, span)).toThrow(
    `unable to simulate the monitor: ${problem}`,
  );
});

test("a span without numbers is refused", () => {
  expect(() => simulate({ seriesConditions: conditions }, [], { from: 0, to: NaN })).toThrow("expected from and to");
});

test("an objective is explained from the service's defaults", () => {
  const { errorBudget, alerts } = explainSLO({ definition: { objective: 99.9, enableBurnRateAlerting: true } });
  expect(errorBudget).toEqual({ percent: 0.1, minutes: 40.32 });
  // 30 days give the well-known 14.4; 28 days a little less.
  expect(alerts.map(({ window, burnRate }) => [window, burnRate])).toEqual([
    ["1h", 13.44],
    ["6h", 5.6],
    ["3d", 0.9333333333],
  ]);
  expect(alerts.map((alert) => alert.minutesToAlert(10))).toEqual([8.064, 20.16, 40.32]);
  expect(alerts[0]?.minutesToAlert(1)).toBeUndefined();
});

test("every alert that can fire does so at the share of errors that is told, after its whole window", () => {
  let count = 0;
  for (const objective of [50, 80, 90, 95, 97.5, 98, 99, 99.5, 99.9, 99.95, 99.99, 99.999, 99.5432]) {
    for (const timeWindow of ["7d", "28d", "30d", "90d"]) {
      for (const [window, minutes] of [
        ["5m", 5],
        ["1h", 60],
        ["6h", 360],
        ["3d", 4_320],
      ] as const) {
        for (const budget of [0.7, 1, 2, 3.3, 5, 10, 100]) {
          const burnRateAlertingConfig = [{ window, budget, severity: "warn" }];
          const definition = { objective, timeWindow, enableBurnRateAlerting: true, burnRateAlertingConfig };
          const [alert] = explainSLO({ definition }).alerts;
          if (alert === undefined || alert.errorPercent > 100) continue;
          count += 1;
          expect(alert.minutesToAlert(alert.errorPercent), JSON.stringify(definition)).toBe(minutes);
          expect(alert.minutesToAlert(alert.errorPercent * 0.999)).toBeUndefined();
        }
      }
    }
  }
  expect(count).toBeGreaterThan(800);
});

test("an alert that can never fire is told", () => {
  const definition = { objective: 90, timeWindow: "30d", enableBurnRateAlerting: true };
  expect(String(explainSLO({ definition }))).toContain("never, because it requires 144 % errors");
  expect(explainSLO({ definition }).alerts[0]?.minutesToAlert(100)).toBeUndefined();
});

test.each<[string, object]>([
  ["definition.objective: expected more than 0 and less than 100 percent, got 100", { objective: 100 }],
  [
    'definition.timeWindow: expected a duration like 90m, 24h, 28d or 4w, got "month"',
    { objective: 99, timeWindow: "month" },
  ],
  ["definition.objective: the value is an output. Pass a plain value", { objective: pulumi.output(99) }],
])("an explanation is refused: %s", (problem, definition) => {
  expect(() => explainSLO({ slug: "pay", definition })).toThrow(`unable to explain SLO "pay": ${problem}`);
});
