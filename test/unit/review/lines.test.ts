import { expect, test } from "vitest";
import {
  alert,
  among,
  burning,
  derived,
  during,
  fires,
  gt,
  matching,
  monitor,
  override,
  overrides,
  signals,
  slo,
  spans,
  week,
} from "./declarations.js";
import { preview, reviewed } from "./reviewed.js";

const linesOf = (...given: Parameters<typeof preview>) =>
  reviewed(preview(...given)).stacks.flatMap(({ changes }) => changes.flatMap(({ differences }) => differences));
const [page, ticket] = [
  { ...alert("1h", 2), labels: { page: "yes" } },
  { ...alert("6h", 5), labels: { page: "no" } },
];
const noted = (note: string, args: object) => ({ ...args, annotations: { note } });
const conditions = "seriesConditions.defaults.critical.conditions";
const key = "k14'\"\\&amp;&";
const never = { active: "NEVER" };
const days = { monday: never, tuesday: never, wednesday: never, thursday: never, friday: never, saturday: never };

test.each([
  [
    "an item by what was added or removed",
    "TraceMetricsRule",
    spans(among("p", "q")),
    spans(among("r", "p")),
    ['traceFilter.span[0].operation.inValues: "q" → "r"'],
  ],
  [
    "an item that is gone",
    "TraceMetricsRule",
    spans(among("p", "q")),
    spans(among("p")),
    ['traceFilter.span[0].operation.inValues: "q" removed'],
  ],
  [
    "JSON in a value, escaped once",
    "DerivedMetric",
    derived("a"),
    derived("a", { variables: [{ name: "x", defaultLabelSelector: 'y="z"' }] }),
    ['queries[0].query.variables: {"name":"x","defaultLabelSelector":"y=\\"z\\""} added'],
  ],
  [
    "an item of a list in another order, by its index in the program",
    "SLO",
    burning(page, ticket),
    burning(ticket, { ...page, labels: { page: "no" } }),
    ['definition.burnRateAlertingConfig[1].labels.page: "yes" → "no"'],
  ],
  [
    "a key that the engine's paths can't spell",
    "Monitor",
    monitor({ labels: { [key]: "a" } }),
    monitor({ labels: { [key]: "b" } }),
    [`labels[${JSON.stringify(key)}]: "a" → "b"`],
  ],
  [
    "a text that only people read",
    "Monitor",
    noted("a", fires(gt(1))),
    noted("b", fires(gt(2))),
    ['annotations.note: "a" → "b" (text only)', `${conditions}[0].value: 1 → 2`],
  ],
  [
    "times that end at the same evaluation",
    "Monitor",
    fires(gt(1, { sustainSecs: 1 })),
    fires(gt(1, { sustainSecs: 60 })),
    [`${conditions}[0].sustainSecs: 1 → 60 (fires at the same times)`],
  ],
  [
    "another spelling beside a change",
    "Monitor",
    { ...fires(gt(1)), labelQuery: "sum(up) by (a)" },
    { ...fires(gt(2)), labelQuery: "sum by (a) (up)" },
    [`${conditions}[0].value: 1 → 2`, 'labelQuery: "sum(up) by (a)" → "sum by (a) (up)" (means the same as before)'],
  ],
  [
    "a query as the program writes it",
    "Monitor",
    monitor({ labelQuery: "sum( up )" }),
    monitor({ labelQuery: "sum( down )" }),
    ['labelQuery: "sum( up )" → "sum( down )"'],
  ],
  [
    "a zone with the same time",
    "Monitor",
    week({ saturday: during("08:00-12:00") }),
    week({ saturday: during("08:00-12:00") }, "Europe/Paris"),
    ['schedule.timezone: "Europe/Berlin" → "Europe/Paris" (active at the same times)'],
  ],
  [
    "a monitor that is never active",
    "Monitor",
    { ...week(days), intervalSecs: 30 },
    week(days),
    ["intervalSecs: 30 → 60 (the schedule is never active)"],
  ],
  [
    "an override that no series has",
    "Monitor",
    { ...overrides(override(["region=eu"], gt(3))), labelQuery: "sum(up)" },
    { ...overrides(override(["region=us"], gt(3))), labelQuery: "sum(up)" },
    ['seriesConditions.overrides[0].labelMatchers[0].value: "eu" → "us" (fires at the same times)'],
  ],
  [
    "an override that another one hides",
    "Monitor",
    matching("a=1"),
    overrides(override(["a=1"], gt(3)), override(["a=1"], gt(9))),
    ["means the same as before"],
  ],
  [
    "signals that stay the same",
    "Monitor",
    { ...signals({}), labelQuery: "sum(up)" },
    { ...signals({ signalPerSeries: true }), labelQuery: "sum(up)" },
    ['signalGrouping: (not set) → {"signalPerSeries":true} (makes the same signals)'],
  ],
  [
    "alerts that are off",
    "SLO",
    slo({ enableBurnRateAlerting: false, burnRateAlertingConfig: [page] }),
    slo({ enableBurnRateAlerting: false, burnRateAlertingConfig: [{ ...page, budget: 5 }] }),
    ["definition.burnRateAlertingConfig[0].budget: 2 → 5 (burn-rate alerting is off)"],
  ],
])("%s", (_, kind, before, after, lines) => {
  // The engine names places by the indexes of one side, and spells odd keys in a way that can't be read.
  expect(linesOf(kind, { before, after, places: [`labels["${key.replaceAll('"', '\\"')}"]`, "a[0].b"] })).toEqual(
    lines,
  );
  expect(linesOf(kind, { before, after })).toEqual(lines);
});

test("what is masked on one side is not shown by the other, nor a spelling beside it", () => {
  const secret = (labelQuery: string) => ({ ...monitor({ labelQuery }), intervalSecs: 30 });
  const lines = linesOf("Monitor", {
    before: secret("sum(up) by (a)"),
    after: { ...secret("[secret]"), intervalSecs: 60 },
  });
  expect(lines).toEqual(["intervalSecs: 30 → 60", "labelQuery: may have changed (secret)"]);
});
