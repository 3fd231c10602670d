import { expect, test } from "vitest";
import { stringify } from "yaml";
import { convertText, itemOf, refusalsOf } from "./converted.js";

const datasource = { type: "prometheus", uid: "prom" };
const query = (refId: string, expr: string, more: object = {}) => ({
  refId,
  datasourceUid: "prom",
  relativeTimeRange: { from: 600, to: 0 },
  model: { refId, expr, instant: true, datasource, ...more },
});
const expression = (refId: string, type: string, of: string, more: object = {}) => ({
  refId,
  datasourceUid: "__expr__",
  model: { refId, type, expression: of, ...more },
});
const reduce = (refId: string, of: string, more: object = {}) =>
  expression(refId, "reduce", of, { reducer: "last", ...more });
const threshold = (refId: string, of: string, type: string, ...params: number[]) =>
  expression(refId, "threshold", of, { conditions: [{ evaluator: { type, params } }] });

const fileOf = (data: readonly { readonly refId: string }[], more: object = {}) => ({
  apiVersion: 1,
  groups: [
    {
      orgId: 1,
      name: "g",
      folder: "f",
      interval: "1m",
      rules: [
        {
          uid: "u",
          title: "High errors",
          condition: data.at(-1)?.refId,
          data,
          for: "5m",
          noDataState: "OK",
          execErrState: "OK",
          labels: { severity: "critical" },
          ...more,
        },
      ],
    },
  ],
});

test.each([
  ["YAML", stringify],
  ["JSON", JSON.stringify],
])("an alert rule in %s becomes a monitor", (_, print) => {
  const data = [query("A", "rate(errors[5m])"), reduce("B", "A"), threshold("C", "B", "gt", 0.5)];
  const { name, args, source, comments } = itemOf(
    print(fileOf(data, { keep_firing_for: "1m", annotations: { a: "b" } })),
  );
  expect({ name, args }).toEqual({
    name: "high-errors",
    args: {
      name: "High errors",
      labels: { severity: "critical" },
      annotations: { a: "b" },
      intervalSecs: 60,
      labelQuery: "rate(errors[5m])",
      seriesConditions: {
        defaults: { critical: { conditions: [{ op: "GT", value: 0.5, sustainSecs: 300, resolveSustainSecs: 60 }] } },
      },
      signalGrouping: { signalPerSeries: true },
    },
  });
  expect(source).toMatchObject({ group: "f/g", name: "High errors" });
  expect(comments).toEqual(['its folder "f" is left out, and the label "grafana_folder"']);
});

/** What the monitor's only condition compares. */
function firingOf(...data: readonly { readonly refId: string }[]) {
  const { labelQuery, seriesConditions } = itemOf(stringify(fileOf(data))).args as any;
  const { op, value } = seriesConditions.defaults.critical.conditions[0];
  return [labelQuery, op, ...(value === undefined ? [] : [value])];
}

const a = query("A", "a");
test.each([
  ["a query alone", [a], ["a", "NEQ", 0]],
  ["a threshold of a query", [a, threshold("C", "A", "lte", 3)], ["a", "LEQ", 3]],
  ["a number", [query("A", "5"), threshold("C", "A", "gt", 3)], ["vector(5)", "GT", 3]],
  ["a range", [a, threshold("C", "A", "within_range", 1, 3)], ["(a) > 1 < 3", "EXISTS"]],
  ["what is outside", [a, threshold("C", "A", "outside_range", 1, 3)], ["(a) < 1 or (a) > 3", "EXISTS"]],
  ["math", [a, reduce("B", "A"), expression("C", "math", "$B > 5")], ["a", "GT", 5]],
  ["math, exchanged", [a, expression("C", "math", "5 < ${A}")], ["a", "GT", 5]],
  ["math that calculates", [a, expression("C", "math", "abs($A) * 100 >= 2 ** 3")], ["abs((a)) * 100", "GEQ", 8]],
  [
    "math that is compared",
    [a, expression("B", "math", "-$A + 1 * 2"), threshold("C", "B", "lt", 3)],
    ["((-(a)) + (1 * 2))", "LT", 3],
  ],
  [
    "math of two conditions",
    [a, expression("C", "math", "$A > 1 && $A < 3 || $A == 7")],
    ["(((a) > 1) and ((a) < 3)) or ((a) == 7)", "EXISTS"],
  ],
])("%s has its counterpart", (_, data, expected) => {
  expect(firingOf(...data)).toEqual(expected);
});

test.each([
  ["a range query", [query("A", "a", { instant: false, range: true })], 'the query "A" is one over a range'],
  ["a Loki query", [query("A", "a", { datasource: { type: "loki" } })], 'the query "A" is one of loki'],
  ["a variable", [query("A", "rate(a[$__rate_interval])")], "Grafana's variable $__rate_interval"],
  ["a query that ends early", [{ ...a, relativeTimeRange: { from: 600, to: 60 } }], "ends before the evaluation"],
  ["bad PromQL", [query("A", "a >")], "this is no valid PromQL"],
  ["classic conditions", [a, expression("C", "classic_conditions", "")], "of the type classic_conditions"],
  ["a resample", [a, expression("C", "resample", "A")], "of the type resample"],
  ["a count", [a, reduce("B", "A", { reducer: "count" })], "the reduction by count"],
  ["replaced values", [a, reduce("B", "A", { settings: { mode: "replaceNN" } })], "the reduction's mode replaceNN"],
  ["an unknown threshold", [a, threshold("C", "A", "no_value")], 'the threshold "no_value"'],
  ["two variables", [a, query("B", "b"), expression("C", "math", "$A / $B > 1")], "joins the labels of two queries"],
  ["a negation", [a, expression("C", "math", "!($A > 1)")], "it negates"],
  ["a function", [a, expression("C", "math", "is_nan($A)")], 'it has "is_nan"'],
  ["a missing reference", [reduce("B", "A")], 'there is no query or expression "A"'],
  ["a circle", [reduce("A", "B"), reduce("B", "A")], "refers to itself"],
])("%s is refused by its name", (_, data, reason) => {
  expect(refusalsOf(stringify(fileOf(data)))).toEqual([expect.stringContaining(reason)]);
});

test("what a rule loses, and what else a file holds, is told", () => {
  const more = {
    noDataState: "NoData",
    execErrState: "Error",
    dashboardUid: "d",
    notification_settings: { receiver: "r" },
  };
  const data = [a, reduce("B", "A", { settings: { mode: "dropNN" } }), threshold("C", "B", "gt", 5)];
  const { losses } = convertText(stringify({ ...fileOf(data, more), contactPoints: [] }));
  expect(losses.map(({ text }) => text)).toEqual([
    '"contactPoints" beside the groups is left out: only alert rules are converted',
    "its reduction drops what is not finite; here an infinite value is compared like any other",
    "what it does without data (NoData) is left out: no series, no signal",
    "what it does if the query fails (Error) is left out",
    "its notification settings are left out: a notification policy must lead to a notifier",
    '"dashboardUid" has no counterpart and is left out',
    'its folder "f" is left out, and the label "grafana_folder"',
  ]);
  expect(refusalsOf(stringify(fileOf([a], { isPaused: true })))).toEqual([
    expect.stringContaining("the rule is paused"),
  ]);
});
