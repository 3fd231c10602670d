import { expect, test } from "vitest";
import { parse } from "yaml";
import { withSame } from "../../../dist/cli/commands/export/exported.js";
import { exportDerivedMetric } from "../../../dist/cli/commands/export/recordings.js";
import { alertOf, exported, ruleText } from "./exported.js";
import { masked } from "../../../dist/sdk/engine/preview.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const conditions = (...all: object[]) => ({
  seriesConditions: { defaults: { critical: { conditions: all } } },
});

const needs = (what: string, flag: string) =>
  `Prometheus reads ${what} only with --enable-feature=${flag}, and else rejects the file`;

test.each([
  ["a offset 5m", { op: "EQ", value: 0 }, "a offset 5m == 0"],
  ["a # many", { op: "NEQ" }, "a != 0"],
  ["a", { op: "NOT_EXISTS" }, "absent(a)"],
  ["time()", { op: "GT", value: 1 }, "vector(time()) > 1"],
])("%s with %j is %s", (labelQuery, condition, expr) => {
  expect(alertOf({ labelQuery, ...conditions(condition) })?.expr).toBe(expr);
});

test.each([
  [{ severity: "page" }, "critical", { severity: "page" }],
  [{ severity: "ticket" }, "critical", { severity: "critical" }],
  [{ severity: "ticket" }, "warn", { severity: "ticket" }],
  [{}, "warn", { severity: "warning" }],
])("labels %j of a %s condition are %j", (labels, severity, expected) => {
  const seriesConditions = { defaults: { [severity]: { conditions: [{ op: "GT", value: 1 }] } } };
  expect(alertOf({ labels, seriesConditions })?.labels).toEqual(expected);
});

test("several conditions and severities are alerts of one name that labels tell apart", () => {
  const high = { op: "GT", value: 9 };
  const { alerts, losses } = exported({
    seriesConditions: {
      defaults: { critical: { conditions: [high, { op: "LT", value: 1 }] }, warn: { conditions: [high] } },
    },
  });
  expect(alerts.map(({ alert, expr, labels }) => [alert, expr, labels])).toEqual([
    ["Errors", "errors > 9", { severity: "critical", condition: "1" }],
    ["Errors", "errors < 1", { severity: "critical", condition: "2" }],
    ["Errors", "errors > 9", { severity: "warning" }],
  ]);
  expect(losses).toEqual(["each critical condition becomes its own alert, distinguished by a label"]);
});

test.each([
  [{ labelQuery: undefined, dottedQuery: "a.b" }, "its dottedQuery is not PromQL"],
  [{ labelQuery: undefined, loggingQuery: "a" }, "its loggingQuery is not PromQL"],
  [{ labelQuery: undefined }, "it has no labelQuery"],
  [{ labelQuery: "sum(" }, "this is no valid PromQL: syntax error at the end"],
  [{ labelQuery: unknown }, "its labelQuery is known only after the update"],
  [{ labels: { notifier: masked } }, "its labels.notifier is a secret"],
  [{ seriesConditions: {} }, "it has no conditions in seriesConditions.defaults"],
  [conditions({ op: "ODD" }), 'a condition with op "ODD" has no counterpart'],
  [
    { ...conditions({ op: "ODD" }), signalGrouping: undefined, schedule: {} },
    'a condition with op "ODD" has no counterpart',
  ],
])("%j is rejected with the reason", (args, rejection) => {
  const rejected = exported(args as object); // The types allow no undefined.
  expect(rejected).toMatchObject({ rejection, alerts: [] });
  expect(ruleText(rejected)).toContain(`# errors was not exported: ${rejection}.`);
});

test("what is lost is said above the alert", () => {
  const rules = ruleText(
    exported({
      schedule: { timezone: "Europe/Berlin" },
      notificationPolicySlug: "checkout",
      signalGrouping: { labelNames: ["region"] },
      seriesConditions: { defaults: { critical: { conditions: [{ op: "GT" }] } }, overrides: [{}] },
    }),
  );
  for (const words of ["its overrides are left out", "its schedule", "each region", '"checkout"']) {
    expect(rules).toMatch(new RegExp(`^ {6}# .*${words}.*\\.$`, "m"));
  }
  expect(parse(rules).groups[0].rules.length).toBe(1);
});

// That it is nowhere in the file: test/property/export.test.ts.
test("what is hidden and left out is a loss", () => {
  const seriesConditions = { ...conditions({ op: "GT" }).seriesConditions, overrides: masked };
  const hidden = { signalGrouping: masked, notificationPolicySlug: masked, seriesConditions };
  expect(exported(hidden as object).losses).toEqual([
    expect.stringMatching(/^its overrides are /),
    "its signalGrouping is hidden: add group_by to the route of Alertmanager",
    expect.stringMatching(/^its notification policy a secret is /),
  ]);
});

test("a group has the monitors of one interval", () => {
  const each = (intervalSecs: number) => exported({ intervalSecs });
  const rules = ruleText(each(60), each(30), exported(), each(30), each(0));
  expect(parse(rules).groups.map((group: any) => [group.name, group.interval, group.rules.length])).toEqual([
    ["monitors every 30s", "30s", 2],
    ["monitors every 1m", "1m", 1],
    // The program says none, so Prometheus's own holds.
    ["monitors", undefined, 2],
  ]);
});

test.each([
  ["100% {{ unclosed", '100% {{ "{{" }} unclosed'],
  ["{{ $value | unknown }}", '{{ "{{" }} $value | unknown }}'],
  ["{{ end }}", '{{ "{{" }} end }}'],
  ["{{{ $value }}", '{{ "{{" }}{ $value }}'],
  ["{{ $own }}", '{{ "{{" }} $own }}'],
])("a text that Prometheus may not read as a template is written to be shown as it is: %s", (text, escaped) => {
  const { alerts, losses } = exported({ labels: { cost: text }, annotations: { summary: text } });
  expect(alerts).toMatchObject([{ labels: { cost: escaped }, annotations: { summary: escaped } }]);
  expect(losses).toEqual(
    ["label cost", "annotation summary"].map(
      (what) => `the ${what} is escaped, to be shown as it is: Prometheus may not read it as a template`,
    ),
  );
});

test.each([
  "{{ $labels.job }}: {{ $value | humanize }}",
  '{{- if gt $value 5 }}{{ printf "%.2f" $value }}{{ else if eq $labels.a "}}" }}x{{ else }}y{{ end }}',
  '{{ range query "up" }}{{ .Labels.job }} {{ . | value }}{{ end }} 100 %}}',
])("a text that Prometheus reads as a template stays: %s", (text) => {
  const { alerts, losses } = exported({ annotations: { text } });
  expect([alerts[0]?.annotations, losses]).toEqual([{ text }, []]);
});

test("names that only Prometheus 3 reads, and names that none reads, are losses", () => {
  const { alerts, losses } = exported({
    annotations: { "run-book": "x" },
    labels: { "team/x": "y", __name__: "z", "": "" },
  });
  expect(alerts).toMatchObject([{ annotations: { "run-book": "x" }, labels: { "team/x": "y" } }]);
  expect(losses).toEqual([
    'the label "__name__" is left out: Prometheus has no such name',
    'the label "" is left out: Prometheus has no such name',
    "only Prometheus 3 reads the label team/x: Prometheus 2 rejects the file",
    "only Prometheus 3 reads the annotation run-book: Prometheus 2 rejects the file",
  ]);
});

test.each(["x[5m]", "min(a, b)", "max_of(1, 2) * a"])(
  "a query that Prometheus does not take, %s, is in no file",
  (labelQuery) => {
    expect(exported({ labelQuery })).toMatchObject({ alerts: [], rejection: expect.stringContaining("PromQL") });
  },
);

const derived = (more: object = {}, selector = {}) =>
  exportDerivedMetric("ratio", {
    metricName: "checkout:ratio",
    queries: [{ query: { labelExpr: "rate(errs{$scope}[5m]) # $scope", ...more }, selector }],
  });

test("a derived metric becomes a recording rule, before the alerts", () => {
  const metric = derived({ variables: [{ name: "scope", defaultLabelSelector: '{a="b"}' }] });
  const [recorded, monitors] = parse(ruleText(exported({ labelQuery: "checkout:ratio" }), metric)).groups;
  expect(recorded).toEqual({
    name: "derived metrics",
    rules: [{ record: "checkout:ratio", expr: 'rate(errs{a="b"}[5m]) # $scope' }],
  });
  expect(monitors.rules).toMatchObject([{ expr: "checkout:ratio > 1" }]);
  expect(metric.losses).toEqual([
    "a recording rule has the value of its last evaluation, and a derived metric is computed when it is queried",
    "each query gets the defaults of its variables scope",
  ]);
});

test.each([
  [derived(), 'this is no valid PromQL: syntax error at "$scope}[5m])"'],
  [
    derived({ labelExpr: "a" }, { labels: [{ name: "x" }] }),
    "its query is only for some labels, which a recording rule can't express",
  ],
  [
    exportDerivedMetric("x", { metricName: "x", queries: [{}, {}] }),
    "a recording rule can't choose among its 2 queries",
  ],
  [
    exportDerivedMetric("x", { metricName: "x y", queries: [{ query: { labelExpr: "a" } }] }),
    '"x y" is no name of a metric',
  ],
  [derived({ labelExpr: masked }), "its queries[0].query.labelExpr is a secret"],
])("a derived metric that no recording rule can compute is rejected (%#)", (metric, rejection) => {
  expect(metric).toMatchObject({ rejection });
  expect(ruleText(metric)).toContain("was not exported");
});

test.each([
  ['{"a.b", "c"="d"}', ['only Prometheus 3 reads the name "a.b" and the name "c": Prometheus 2 rejects the file']],
  ["rate(x[300]) > 5m", ["only Prometheus 3 reads the duration 300 and the number 5m: Prometheus 2 rejects the file"]],
  ["info(limitk(5, x))", [needs("info() and limitk()", "promql-experimental-functions")]],
  ["rate(x[5m] smoothed)", [needs("smoothed", "promql-extended-range-selectors")]],
  ["a + fill(0) b", [needs("fill", "promql-binop-fill-modifiers")]],
  ["rate(x[5m+1m] offset step())", [needs("the duration step() and the duration 5m+1m", "promql-duration-expr")]],
  ["sum(rate(x[5m] offset -(5m))) > 3", []],
])("what not every Prometheus reads is a loss: %s", (labelQuery, expected) => {
  expect(exported({ labelQuery }).losses).toEqual(expected);
  expect(derived({ labelExpr: labelQuery }).losses.slice(1)).toEqual(expected);
});

test("labels that a condition replaces are losses", () => {
  const all = [{ op: "GT", value: 9 }, { op: "LT" }];
  const labels = { severity: "info", condition: "\ud800" };
  expect(exported({ labels, ...conditions(...all) }).losses).toEqual([
    'the label severity "info" is critical in the alerts of its critical conditions',
    "the label condition is replaced by the number of the condition",
    "each critical condition becomes its own alert, distinguished by a label",
    "half of a character, which no file can have, is written as U+FFFD",
  ]);
});

test("rules of the same name and labels are losses, and an unexpected error rejects one item", () => {
  const same = (name: string) => ({ ...exported(), name });
  const failing = exported({ annotations: { a: 5 } } as object);
  const [first, second, other] = withSame([same("a"), same("b"), failing]);
  const loss = "a has a rule of the same name and labels: Prometheus takes their series for one";
  expect([first?.losses, second?.losses]).toEqual([[], [loss]]);
  expect(other).toMatchObject({ alerts: [], rejection: expect.stringMatching(/^an unexpected error: /) });
  expect(withSame([derived(), derived({ labelExpr: "a" }), derived({ labelExpr: "b" })])[2]?.losses[1]).toContain(
    "ratio has",
  );
});

// What go-yaml rejects or reads otherwise, although YAML allows it.
test.each(["\ta\n\tb", "\n\ta", "a\n \tb", " \n"])("the text %j is in quotes", (t) => {
  expect(ruleText(exported({ annotations: { t } }))).toMatch(/^ +t: "/m);
});
