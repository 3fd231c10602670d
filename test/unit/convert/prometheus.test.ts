import { expect, test } from "vitest";
import { convertText, itemOf, refusalsOf } from "./converted.js";

const rules = (...lines: readonly string[]) =>
  ["groups:", "- name: g", "  rules:", ...lines.map((line) => `  ${line}`)].join("\n");
const conditions = (text: string) => (itemOf(text).args as any).seriesConditions.defaults;

test("an alert becomes a monitor with a signal per series", () => {
  const text = rules(
    "- alert: HighErrorRate",
    "  expr: sum by (job) (rate(errors_total[5m])) > 0.5",
    "  for: 1h30m",
    "  keep_firing_for: 5m",
    "  labels: { severity: page, version: 1.10 }",
    "  annotations: { summary: many errors }",
  );
  expect(itemOf(text)).toMatchObject({
    name: "high-error-rate",
    comments: [],
    args: {
      name: "HighErrorRate",
      labels: { severity: "page", version: "1.10" },
      annotations: { summary: "many errors" },
      labelQuery: "sum by (job) (rate(errors_total[5m]))",
      seriesConditions: {
        defaults: {
          critical: { conditions: [{ op: "GT", value: 0.5, sustainSecs: 5_400, resolveSustainSecs: 300 }] },
        },
      },
      signalGrouping: { signalPerSeries: true },
    },
  });
});

test("without a threshold the whole expression is the query, and every series that it returns fires", () => {
  const text = rules("- alert: Guarded", "  expr: a > 5 and b < 3", "  labels: { severity: warning }");
  const { args, comments } = itemOf(text);
  expect(args).toMatchObject({
    labelQuery: "a > 5 and b < 3",
    seriesConditions: { defaults: { warn: { conditions: [{ op: "EXISTS" }] } } },
  });
  expect(comments).toEqual([expect.stringContaining("thresholds are in the query")]);
  expect(convertText(text).losses).toEqual([]);
});

test("an alert with `bool` always fires, which is said", () => {
  const { args, comments } = itemOf(rules("- alert: A", "  expr: a > bool 5", "  labels: { severity: critical }"));
  expect(args).toMatchObject({ labelQuery: "a > bool 5" });
  expect(comments).toEqual([expect.stringContaining("`bool`, so that every series fires")]);
});

test("a number becomes a vector, as in Prometheus", () => {
  expect(itemOf(rules("- alert: Watchdog", "  expr: 1")).args).toMatchObject({ labelQuery: "vector(1)" });
});

test.each([
  ["critical", "critical", undefined],
  ["Page", "critical", undefined],
  ["error", "critical", 'the severity "error" becomes critical'],
  ["warning", "warn", undefined],
  ["info", "warn", 'the severity "info" becomes warn'],
  ["P1", "critical", 'the severity "P1" is not known, so it is critical'],
  ['""', "critical", "it has no severity, so it is critical"],
])("the severity %s becomes %s", (severity, expected, loss) => {
  const text = rules("- alert: A", "  expr: a > 5", `  labels: { severity: ${severity} }`);
  expect(Object.keys(conditions(text))).toEqual([expected]);
  const { losses, items } = convertText(text);
  expect(losses.map(({ line, item }) => `${line} ${item}`)).toEqual(loss === undefined ? [] : ["6 a"]);
  expect(items[0]?.comments).toEqual(loss === undefined ? [] : [expect.stringContaining(loss)]);
});

test("a group's interval and labels are its rules'; a rule's own label wins", () => {
  const text = [
    "groups:",
    "- name: g",
    "  interval: 90s",
    "  labels: { team: infra, severity: warning }",
    "  rules:",
    "  - { alert: A, expr: a > 5, labels: { severity: critical } }",
  ].join("\n");
  expect(itemOf(text).args).toMatchObject({ intervalSecs: 90, labels: { team: "infra", severity: "critical" } });
});

test("what a group or rule has that a monitor has not is lost, at its line", () => {
  const text = [
    "groups:",
    "- name: g",
    "  limit: 5",
    "  query_offset: 1m",
    "  partial_response_strategy: warn",
    "  rules:",
    "  - alert: A",
    "    expr: a > 5",
    "    for: 1500ms",
    "    labels: { severity: page }",
    "    annotations: { a: '{{ $value }}', b: '{{ $labels.x }}' }",
    "    runbook: x",
  ].join("\n");
  expect(convertText(text).losses.map(({ line, text }) => `${line}: ${text}`)).toEqual([
    "7: templates ({{ … }}) are left as they are; whether the service fills them in is not documented",
    '12: "runbook" has no counterpart and is left out',
    "9: `for` of 1.5 s is rounded up to whole seconds",
    '5: "partial_response_strategy" of the group has no counterpart and is left out',
    "3: the group's limit of 5 alerts or series is left out",
    "4: the group's query offset of 60 s is left out",
  ]);
  expect(itemOf(text).args).toMatchObject({ annotations: { a: "{{ $value }}", b: "{{ $labels.x }}" } });
});

test("that templates stay is told once for each file, and not above every alert", () => {
  const rules = ["A", "B"].map((name) => `{ alert: ${name}, expr: up == 0, annotations: { a: "{{ $value }}" } }`);
  const { items, losses } = convertText(`groups: [{ name: g, rules: [${rules.join(", ")}] }]`);
  expect(items.flatMap(({ comments }) => comments)).not.toContainEqual(expect.stringContaining("templates"));
  expect(losses.filter(({ item }) => item === "templates")).toHaveLength(1);
});

test("a bad rule is refused at its line, and the others are converted", () => {
  const text = rules(
    "- alert: Good",
    "  expr: a > 5",
    "- alert: Bad",
    "  expr: |",
    "    a",
    "      > > 5",
    "- alert: Worse",
    "  expr: a > 5",
    "  for: 5",
    "- expr: a",
    "- { alert: A, record: b, expr: a }",
    "- text",
    "- alert: ''",
    "  expr: a",
    "- alert: Listed",
    "  expr: a > 5",
    "  labels: [a]",
    "- alert: Last",
    "  expr: b > 5",
  );
  expect(convertText(text).items.map(({ name }) => name)).toEqual(["good", "last"]);
  expect(refusalsOf(text)).toEqual([
    '9: this is no valid PromQL: syntax error at ">"',
    '12: for is "5" instead of a duration such as 5m or 1h30m',
    "13: it has neither `alert` nor `record`",
    "14: it has both `alert` and `record`",
    "15: it has neither `alert` nor `record`",
    "16: the alert has no name",
    "20: labels is an array instead of a map of texts",
  ]);
});

test("a bad group is refused, and the next is converted", () => {
  const text = [
    "groups:",
    "- name: a",
    "  interval: x",
    "  rules: []",
    "- name: b",
    "  rules:",
    "  - { alert: A, expr: a }",
  ];
  expect(refusalsOf(text.join("\n"))).toEqual(['3: interval is "x" instead of a duration such as 5m or 1h30m']);
  expect(convertText(text.join("\n")).items.length).toBe(1);
});

test("alerts of one name have names of their own, by severity, by group or by number", () => {
  const text = rules(
    "- { alert: DiskFull, expr: a > 5, labels: { severity: critical } }",
    "- { alert: DiskFull, expr: a > 3, labels: { severity: warning } }",
    "- { alert: DiskFull, expr: a > 4, labels: { severity: warning } }",
    "- { alert: disk-full, expr: a > 4, labels: { severity: warning } }",
    "- { alert: 磁盘满, expr: a > 4 }",
    "- { alert: Überlast, expr: a > 4 }",
  );
  const { items } = convertText(text);
  expect(items.map(({ name, args }) => [name, args.name])).toEqual([
    ["disk-full", "DiskFull"],
    ["disk-full-warning", "DiskFull"],
    ["disk-full-g", "DiskFull"],
    ["disk-full-2", "disk-full"],
    ["monitor", "磁盘满"],
    ["uberlast", "Überlast"],
  ]);
});

test("a recording rule becomes a derived metric, with the rule's labels on each series", () => {
  const text = rules("- record: job:x:rate5m", "  expr: sum(rate(x[5m]))", '  labels: { a: "b", c: "$1" }');
  const { name, args, comments } = itemOf(text);
  expect(name).toBe("job-x-rate5m");
  expect(args).toEqual({
    name: "job:x:rate5m",
    metricName: "job:x:rate5m",
    queries: [
      {
        query: {
          labelExpr: 'label_replace(label_replace(sum(rate(x[5m])), "a", "b", "", ""), "c", "$$1", "", "")',
        },
      },
    ],
  });
  expect(comments).toEqual(["the expression holds a $, which in a derived metric begins a variable"]);
});

test("rules that record the same metric are one derived metric of all their series", () => {
  const text = rules(
    "- { record: m, expr: a, labels: { x: '1' } }",
    "- { record: m, expr: b }",
    "- { record: m, expr: b }",
    "- { record: m, expr: 1 }",
  );
  expect(itemOf(text).args).toEqual({
    metricName: "m",
    queries: [{ query: { labelExpr: '(label_replace(a, "x", "1", "", ""))\nor\n(b)\nor\n(vector(1))' } }],
  });
});

test("the rules of a Kubernetes object are converted, also in a list", () => {
  const object = (name: string) => ({
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata: { name },
    spec: { groups: [{ name, rules: [{ alert: name, expr: 1 }] }] },
  });
  const list = {
    apiVersion: "v1",
    kind: "List",
    items: [object("a"), { apiVersion: "v1", kind: "Secret" }, object("b")],
  };
  const { items, refused } = convertText(JSON.stringify(list));
  expect(items.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(refused.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('"Secret" of v1 is none of the known formats'),
  ]);
});
