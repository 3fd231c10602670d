import fc from "fast-check";
import { expressions, print } from "./promql.js";

// Rules and specifications in all the shapes that their formats have, many of each, each with a name of its own.

/** One rule, receiver or specification of a corpus file. */
export interface Unit {
  readonly name: string;
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Whether it must be converted, or refused; left out if the expression decides. */
  readonly expected?: "converted" | "refused";
}

export interface Corpus {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly units: readonly Unit[];
}

/** A text in every secret of the corpus. */
export const secretText = "s3cret";

/** Writes a file unit by unit, and notes the lines of each. */
class File {
  readonly units: Unit[] = [];
  readonly #lines: string[] = [];

  constructor(readonly path: string) {}

  /** Lines that are no unit. */
  add(...lines: readonly string[]): void {
    this.#lines.push(...lines.flatMap((line) => line.split("\n")));
  }

  unit(name: string, lines: readonly string[], expected?: Unit["expected"]): void {
    const firstLine = this.#lines.length + 1;
    this.add(...lines);
    const lastLine = this.#lines.length;
    this.units.push({ name, file: this.path, firstLine, lastLine, ...(expected === undefined ? {} : { expected }) });
  }

  get text(): string {
    return this.#lines.join("\n");
  }
}

/** All combinations of one value of each. */
function product<T extends Readonly<Record<string, readonly unknown[]>>>(choices: T) {
  return Object.entries(choices).reduce<Record<string, unknown>[]>(
    (found, [key, values]) => found.flatMap((each) => values.map((value) => ({ ...each, [key]: value }))),
    [{}],
  ) as { [K in keyof T]: T[K][number] }[]; // each key holds one of its values
}

const json = JSON.stringify;
/** `key: value` in one line; none if the value is undefined. */
const field = (key: string, value: unknown) => (value === undefined ? [] : [`${key}: ${json(value)}`]);
const indented = (lines: readonly string[], by: string) =>
  lines.map((line) =>
    line
      .split("\n")
      .map((each) => by + each)
      .join("\n"),
  );
/** A list's item. */
const item = ([first = "", ...rest]: readonly string[], by: string) => [
  `${by}- ${first}`,
  ...indented(rest, `${by}  `),
];

// ---- Prometheus -----------------------------------------------------------------------------------------------------

/** Expressions that people write. */
const written = [
  "up == 0",
  "up != 1",
  "5 < a",
  "a > 1e3",
  "a > 0.5 * 100",
  "-a < -5",
  "a > bool 5",
  "a == bool 0",
  "(a > 5)",
  "a > 5 and b < 3",
  "a > 5 or b > 5",
  "a > 5 unless on (x) b",
  "a and b offset 5m > 3",
  "a > on (x) group_left (y) b",
  "a / b > c",
  'absent(up{job="api"})',
  "absent(up) == 1",
  "absent_over_time(up[5m])",
  "vector(1)",
  "1",
  "time() - a > 1d",
  "rate(a[5m] offset 1h) > 0.5",
  "a @ end() > 5",
  "max_over_time((a > 5)[1h:1m]) > 0",
  "min_over_time(a[1h:]) > 0",
  "a > NaN",
  "a < +Inf",
  "histogram_quantile(0.99, sum by (le) (rate(h_bucket[5m]))) > 0.5",
  'sum by (job) (rate(a{code=~"5.."}[5m]))\n  / # all of them\nsum by (job) (rate(a[5m])) > 0.01',
  'label_replace(a, "x", "$1", "y", "(.*)") > 2',
  "topk(3, a) > 2",
  'count_values("v", a) > 1',
  "predict_linear(a[1h], 4 * 3600) < 0",
  "a > scalar(b)",
  '{"utf8.metric", x="#"} > 5',
  // In brackets over several lines, with the comparison inside or behind them.
  '(\n  sum by (job) (rate(a{job=~"x.*"}[5m]))\n/\n  sum by (job) (rate(b{job=~"x.*"}[5m]))\n* 100 > 5\n)',
  "(\n  sum(rate(a[5m]))\n/ on (namespace) group_left\n  sum(rate(b[5m]))\n) * 100 >= 10",
  "(\n  histogram_quantile(0.99, sum by (job, le) (rate(h_bucket[5m]))) > 40\nand\n  sum by (job) (rate(h_count[5m])) > 0\n)",
  "sum by (job, pod) (a == 0)",
  "count(time() - max(a) by (job, pod) >= 300) > 0",
  '(\n  (a{name="X"} == 1) * on() (\n    count(b == 1) == bool (floor(count(c) / 2) + 1)\n  )\n) == 1',
  "count(a == 0) <= (count(b) - floor(count(b) / 2) + 1)",
  "((a > 10000) / (b + a)) >= 0.1",
  "((a + b) > c) and (time() - d) > 60 * 60 * 24 * 10",
  '{__name__=~"a_.*"} != ON(__name__, instance) {__name__=~"a_([^t]|t[^r]).*"} OFFSET 5m',
  "sum_over_time((count(a < 0.75))[5m:]) OR on() vector(0)",
  'cluster_job:a_seconds:99quantile{route!~"(?i).*tail.*|/x.Y/Z"} > 1',
  'label_replace(count by(__name__) ({__name__=~".+"}), "name", "$1", "__name__", "(.+)") > 10000',
];

/** What people write beside an expression: summaries before it, several lines, quotes, dots and durations of nothing. */
const texts = [
  { summary: "{{ $labels.x }} is {{ $value }}" },
  {
    description: "It is down\n  VALUE = {{ $value }}\n  LABELS = {{ $labels }}",
    summary: "X high (> 80%) (on {{ $labels.x }})",
  },
  {
    description: `{{ $n := query "count(a == 0)" | first | value }}{{ if gt $n 1.0 }}s{{ end }} don't run \`x\`\n`,
    documentation: "https://docs.example.com/checks#a-b",
  },
];

/** What Prometheus refuses, too. */
const wrong = [
  "a >",
  "a > > 5",
  "foo(a) > 5",
  "a[5m]",
  '"text"',
  "time() > 5",
  "a > $threshold",
  "a{x=5} > 1",
  "",
  "a[5m:1m]",
];

const withBlock = (expr: string, isBlock: boolean) =>
  isBlock && expr !== "" ? [`expr: |\n${indented(expr.split("\n"), "  ").join("\n")}`] : field("expr", expr);

function alerts(): readonly File[] {
  const options = product({
    for: [undefined, "5m", "1h30m", "1w", "0m"],
    keep: [undefined, "10m"],
    severity: [undefined, "critical", "warning", "info", "P1", "{{ $labels.severity }}"],
    isBlock: [false, true],
  });
  const rule = (name: string, expr: string, at: number) => {
    const { for: sustain, keep, severity, isBlock = false } = options[at % options.length] ?? {};
    return [
      ...field("alert", name),
      ...withBlock(expr, isBlock),
      ...field("for", sustain),
      ...field("keep_firing_for", keep),
      ...field("labels", severity === undefined ? undefined : { severity, team: "a", oid: "1.3.6.1.4" }),
      ...field("annotations", texts[at % 6]),
    ];
  };
  const generated = fc.sample(expressions, { seed: 4_711, numRuns: 900 }).map(print);
  const good = [...written.flatMap((expr) => [expr, expr, expr]), ...generated];

  const plain = new File("rules/plain.yml");
  plain.add("groups:");
  const wrapped = new File("rules/kubernetes.yaml");
  good.forEach((expr, i) => {
    const name = i % 10 === 0 ? `Alert${i}High(>80%)` : `Alert${i}`;
    const file = i % 4 === 3 ? wrapped : plain;
    if (file === plain && i % 40 === 0)
      plain.add(
        `- name: ${i % 80 === 0 ? "g" : "my own.rules"}`,
        ...(i % 80 === 0 ? ["  interval: 30s"] : []),
        "  rules:",
      );
    if (file === wrapped) {
      file.add("apiVersion: monitoring.coreos.com/v1", "kind: PrometheusRule", `metadata: { name: r${i} }`);
      file.add("spec:", "  groups:", "  - name: g", "    labels: { cluster: c }", "    rules:");
    }
    file.unit(name, item(rule(name, expr, i), file === plain ? "  " : "    "), "converted");
    if (file === wrapped) file.add("---");
  });

  const bad = new File("rules/bad.yml");
  bad.add("groups:", "- name: g", "  limit: 5", "  query_offset: 1m", "  rules:");
  wrong.forEach((expr, i) => bad.unit(`Wrong${i}`, item(rule(`Wrong${i}`, expr, i), "  "), "refused"));
  const mistakes: readonly (readonly string[])[] = [
    ["for: 5"],
    ["for: soon"],
    ["keep_firing_for: -5m"],
    ["labels: [a]"],
    ["annotations: { a: { b: c } }"],
    ["record: x"],
  ];
  mistakes.forEach((lines, i) => {
    const name = `Mistake${i}`;
    bad.unit(name, item([...field("alert", name), "expr: a > 5", ...lines], "  "), "refused");
  });
  bad.unit("Nothing", item(["expr: a > 5"], "  "), "refused");
  bad.unit("Scalar", ["  - Scalar"], "refused");
  return [plain, wrapped, bad];
}

function recorded(): File {
  const file = new File("rules/recording.yml");
  file.add("groups:", "- name: recording", "  interval: 1m", "  rules:");
  written.forEach((expr, i) => {
    const labels = i % 2 === 0 ? { a: "b", c: '$1 "x"' } : undefined;
    file.unit(
      `job:m${i}:rate5m`,
      item([...field("record", `job:m${i}:rate5m`), ...field("expr", expr), ...field("labels", labels)], "  "),
      "converted",
    );
  });
  wrong.forEach((expr, i) => {
    file.unit(`job:wrong${i}`, item([...field("record", `job:wrong${i}`), ...field("expr", expr)], "  "), "refused");
  });
  return file;
}

// ---- Alertmanager ---------------------------------------------------------------------------------------------------

const receivers: Readonly<Record<string, readonly object[]>> = {
  email_configs: [{ to: "a@example.com" }, { to: "a@example.com", html: "{{ x }}", headers: { Subject: "x" } }],
  slack_configs: [
    {
      channel: "#a",
      api_url: `https://chat/${secretText}`,
      actions: [{ type: "button", text: "Undo", confirm: { text: "x" } }],
    },
    { channel: "#a" },
    { api_url_file: "/etc/slack" },
  ],
  pagerduty_configs: [
    { routing_key: secretText, details: { a: "{{ .b }}" }, links: [{ href: "https://x", text: "y" }] },
    { service_key: secretText, severity: "critical", source: "x" },
    { routing_key_file: "/etc/pagerduty" },
  ],
  opsgenie_configs: [{ api_key: secretText, responders: [{ type: "team", name: "x" }] }, { priority: "P1" }],
  victorops_configs: [{ api_key: secretText, routing_key: secretText, custom_fields: { a: "b" } }],
  webhook_configs: [{ url: `https://hook/${secretText}`, max_alerts: 5 }, { url_file: "/etc/hook" }],
};
const unsupported = ["telegram", "msteams", "msteamsv2", "sns", "pushover", "discord", "webex", "wechat", "jira"];
const withoutSecret = ["{}", "{ channel: x, send_resolved: maybe }"];

function notifiers(): File {
  const file = new File("alertmanager.yml");
  file.add(
    "global:",
    `  slack_api_url: https://chat/${secretText}`,
    `  opsgenie_api_key: ${secretText}`,
    "  smtp_from: a@example.com",
  );
  file.add("route:", "  receiver: receiver-0", "  routes:");
  file.add("  - matchers: [ severity = critical ]", "    receiver: receiver-1", "    mute_time_intervals: [ night ]");
  file.add("receivers:");
  let n = 0;
  const add = (lines: (name: string) => readonly string[], expected: Unit["expected"]) => {
    const name = `receiver-${n++}`;
    file.unit(name, item([`name: ${name}`, ...lines(name)], ""), expected);
  };
  const https = [
    undefined,
    { proxy_url: `http://user:${secretText}@proxy` },
    { basic_auth: { username: "u", password: secretText } },
    { authorization: { credentials: secretText } },
    { bearer_token_file: "/etc/token", tls_config: { insecure_skip_verify: "true", ca_file: "x" } },
  ];
  for (const [key, configs] of Object.entries(receivers)) {
    for (const { config, http, sends } of product({ config: configs, http: https, sends: [undefined, "true", "no"] })) {
      const http_config = http === undefined ? {} : { http_config: http };
      const send_resolved = sends === undefined ? {} : { send_resolved: sends };
      add(() => [`${key}: [ ${json({ ...config, ...http_config, ...send_resolved })} ]`], "converted");
    }
  }
  add(
    (name) => ["webhook_configs:", `- url: http://${secretText}/${name}`, "slack_configs:", "- channel: x"],
    "converted",
  );
  add(() => [], "converted");
  add(() => ["email_configs: []"], "converted");
  for (const tool of unsupported) add(() => [`${tool}_configs: [ { a: b } ]`], "refused");
  for (const config of withoutSecret) add(() => [`pagerduty_configs: [ ${config} ]`], "refused");
  add(() => [`webhook_configs: [ { url: x, http_config: { oauth2: { client_id: x } } } ]`], "refused");
  add(() => [`webhook_configs: [ { url: x, http_config: { authorization: { type: Basic } } } ]`], "refused");
  add(() => [`email_configs: { to: x }`], "refused");
  file.add("inhibit_rules:");
  for (let i = 0; i < 5; i++)
    file.unit(`inhibit-${i}`, [`- source_matchers: [ a="${i}" ]`, "  equal: [ x ]"], "refused");
  file.add("time_intervals:");
  file.unit("night", ["- name: night", "  time_intervals: [ { weekdays: [ saturday ] } ]"], "refused");
  return file;
}

// ---- SLOs -----------------------------------------------------------------------------------------------------------

const prometheus = (query: string) => ({ metricSource: { type: "Prometheus", spec: { query } } });

function openSlo(): File {
  const file = new File("openslo.yaml");
  const indicators = {
    good: { ratioMetric: { counter: true, good: prometheus("sum(g)"), total: prometheus("sum(t)") } },
    bad: { ratioMetric: { bad: prometheus("rate(b[5m])"), total: prometheus("rate(t[5m])") } },
    success: { ratioMetric: { raw: prometheus("ratio"), rawType: "success" } },
    failure: { ratioMetric: { raw: prometheus("ratio"), rawType: "failure" } },
    threshold: { thresholdMetric: prometheus("latency") },
    datadog: { ratioMetric: { raw: { metricSource: { type: "Datadog", spec: { query: "x" } } }, rawType: "success" } },
  };
  const windows = [
    { duration: "28d", isRolling: true },
    { duration: "1M", calendar: { startTime: "2020-01-21 12:30:00", timeZone: "America/New_York" } },
    undefined,
  ];
  const shapes = product({
    indicator: Object.keys(indicators) as (keyof typeof indicators)[],
    method: ["Occurrences", "Timeslices", "RatioTimeslices"],
    window: windows,
    target: [{ target: 0.999 }, { targetPercent: 99.5 }, { target: 1 }],
  });
  shapes.forEach(({ indicator, method, window, target }, i) => {
    const name = `openslo-${i}`;
    const isThreshold = indicator === "threshold";
    const spec = {
      service: "s",
      indicator: { metadata: { name: "i" }, spec: indicators[indicator] },
      ...(window === undefined ? {} : { timeWindow: [window] }),
      budgetingMethod: method,
      objectives: [
        {
          ...target,
          ...(isThreshold ? { op: "lte", value: 0.5 } : {}),
          ...(method === "Timeslices" ? { timeSliceTarget: 0.9, timeSliceWindow: i % 2 === 0 ? "1m" : 5 } : {}),
        },
      ],
      alertPolicies: i % 2 === 0 ? [{ alertPolicyRef: "fast" }] : [],
    };
    file.unit(name, ["apiVersion: openslo/v1", "kind: SLO", `metadata: { name: ${name} }`, `spec: ${json(spec)}`]);
    file.add("---");
  });
  file.add("apiVersion: openslo/v1", "kind: AlertPolicy", "metadata: { name: fast }");
  const condition = { kind: "burnrate", threshold: 14, lookbackWindow: "1h", alertAfter: "5m" };
  file.add(`spec: ${json({ alertWhenBreaching: true, conditions: [{ spec: { severity: "page", condition } }] })}`);
  for (const kind of ["Service", "DataSource", "SLI", "AlertCondition", "AlertNotificationTarget", "Thing"]) {
    file.add("---");
    file.unit(`openslo-${kind}`, ["apiVersion: openslo/v1", `kind: ${kind}`, "metadata: { name: unused }"], "refused");
  }
  return file;
}

function slothSpecs(): File {
  const file = new File("sloth.yml");
  const shapes = product({
    sli: ["events", "raw", "plugin"],
    objective: [99.9, 100],
    disabled: ["none", "page", "both"],
    isKubernetes: [false, true],
  });
  shapes.forEach(({ sli, objective, disabled, isKubernetes }, i) => {
    const name = `sloth-${i}`;
    const key = (text: string) => (isKubernetes ? text.replace(/_(.)/g, (_, letter) => letter.toUpperCase()) : text);
    const indicators: Readonly<Record<string, object>> = {
      events: {
        [key("error_query")]: "sum(rate(e[{{.window}}]))",
        [key("total_query")]: "sum(rate(t[{{ .window }}]))",
      },
      raw: { [key("error_ratio_query")]: "avg_over_time(r[{{.window}}])" },
      plugin: { id: "x" },
    };
    const alert = (isOff: boolean) => ({ disable: String(isOff), labels: { severity: "x" } });
    const one = {
      name,
      objective,
      sli: { [sli]: indicators[sli] },
      alerting: {
        name: "A",
        annotations: { summary: "{{ $value }}" },
        [key("page_alert")]: alert(disabled !== "none"),
        [key("ticket_alert")]: alert(disabled === "both"),
      },
    };
    const expected = sli === "plugin" || objective === 100 ? "refused" : "converted";
    const head = isKubernetes
      ? ["apiVersion: sloth.slok.dev/v1", "kind: PrometheusServiceLevel", `metadata: { name: n${i} }`, "spec:"]
      : ["version: prometheus/v1"];
    file.add(...head, ...indented(["service: s", "slos:"], isKubernetes ? "  " : ""));
    file.unit(name, [`${isKubernetes ? "  " : ""}- ${json(one)}`], expected);
    file.add("---");
  });
  return file;
}

function pyrraObjects(): File {
  const file = new File("pyrra.yaml");
  const grouping = ["handler"];
  const indicators = {
    ratio: { errors: { metric: 'r{code=~"5.."}' }, total: { metric: "r" } },
    latency: { success: { metric: 'h_bucket{le="1"}' }, total: { metric: "h_count" } },
    latencyNative: { latency: "500ms", total: { metric: "h" } },
    bool_gauge: { metric: 'up{job="x"}' },
  };
  const shapes = product({
    indicator: Object.keys(indicators) as (keyof typeof indicators)[],
    window: ["4w", "2w", "1w", "90s"],
    isGrouped: [false, true],
    alerting: [undefined, { disabled: "true" }, { burnrates: "false", absent: "false" }],
  });
  shapes.forEach(({ indicator, window, isGrouped, alerting }, i) => {
    const name = `pyrra-${i}`;
    const measured = { ...indicators[indicator], ...(isGrouped ? { grouping } : {}) };
    const spec = {
      target: "99.5",
      window,
      indicator: { [indicator]: measured },
      ...(alerting === undefined ? {} : { alerting }),
    };
    const expected = window === "90s" ? "refused" : "converted";
    file.unit(
      name,
      [
        "apiVersion: pyrra.dev/v1alpha1",
        "kind: ServiceLevelObjective",
        `metadata: { name: ${name} }`,
        `spec: ${json(spec)}`,
      ],
      expected,
    );
    file.add("---");
  });
  return file;
}

export function corpus(): Corpus {
  const files = [...alerts(), recorded(), notifiers(), openSlo(), slothSpecs(), pyrraObjects()];
  return { files: files.map(({ path, text }) => ({ path, text })), units: files.flatMap(({ units }) => units) };
}
