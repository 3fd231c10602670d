import { sampleOf } from "./service.js";

/** A valid object in which one place is wrong, or only looks wrong. */
export interface Change {
  readonly kind: string;
  /** The changed place on the wire; empty if fields of the whole object are changed. */
  readonly path: string;
  readonly value: unknown;
  readonly object: unknown;
}

/** Changes one place of an object; the place may be missing so far. */
function changed(object: any, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const copy = /^\d+$/.test(step) ? [...(object ?? [])] : { ...object };
  copy[step] = changed(copy[step], rest, value);
  return copy;
}

/** Gives a place of a valid object other values, one after another. The object is the example of its kind by default. */
const of =
  (kind: string, valid: object = sampleOf(kind).example) =>
  (path: string, ...values: readonly unknown[]): readonly Change[] =>
    values.map((value) => ({
      kind,
      path,
      value,
      object: path === "" ? { ...valid, ...(value as object) } : changed(valid, path.match(/\w+/g) ?? [], value),
    }));

const monitor = of("Monitor");
const rule = of("TraceMetricsRule");
const dataset = of("Dataset");
const derived = of("DerivedMetric");
const cloud = of("CloudxMetricsIntegration");
const slo = of("SLO");
const timeslices = of("SLO", {
  name: "s",
  definition: { objective: 99 },
  sli: { custom_timeslice_indicator: { query_template: "q", condition: { op: "GT" }, timeslice_size: "S" } },
});
const email = of("Notifier", { name: "n", email: { to: "team@example.com" } });
const oncallA = of("Notifier", { name: "n", oncall_a: { api_key: "k" } });
const oncallB = of("Notifier");
const oncallC = of("Notifier", { name: "n", oncall_c: { api_key: "k", routing_key: "r" } });
const chat = of("Notifier", { name: "n", chat: { api_url: "https://chat.example.com/hook" } });
const webhook = of("Notifier", { name: "n", webhook: { url: "https://h" } });

const override = "series_conditions.overrides[0]";
const condition = "series_conditions.defaults.critical.conditions[0]";
const monday = "schedule.weekly_schedule.monday";
const saturday = "schedule.weekly_schedule.saturday";
const span = "trace_filter.span[0]";
const query = "queries[0].query";
const alert = "definition.burn_rate_alerting_config[0]";
const timeslice = "sli.custom_timeslice_indicator";
const ranges = (...times: readonly (readonly [string, string])[]) =>
  times.map(([start_hh_mm, end_hh_mm]) => ({ start_hh_mm, end_hh_mm }));
const shares = (...percents: readonly number[]) =>
  percents.map((percent_of_license, i) => ({ dataset_slug: `d${i}`, allocation: { percent_of_license } }));
const allocation = of("LogAllocationConfig", { dataset_allocations: shares(40) });
/** A query with variables of these names. */
const varied = (label_expr: string, ...names: readonly string[]) => ({
  label_expr,
  variables: names.map((name) => ({ name })),
});

/** What every real backend refuses, by the rule that it breaks. service/README.md has the same rules in its table. */
export const meaningless: Readonly<Record<string, readonly (readonly Change[])[]>> = {
  "an override comes to a condition": [monitor(`${override}.severity_conditions`, {}, null, { conditions: [] })],
  "an override's conditions are not given by severity": [
    monitor(`${override}.severity_conditions.critical`, { conditions: [{ op: "GT" }] }),
    monitor(`${override}.severity_conditions.warn`, { conditions: [{ op: "GT" }] }),
  ],
  "a number is one that JSON can repeat": [
    monitor(`${condition}.value`, Infinity),
    monitor(`${condition}.sustain_secs`, Infinity),
    monitor("interval_secs", Infinity),
    rule("histogram_buckets_secs", [1, Infinity]),
    rule(`${span}.duration.min_secs`, -Infinity),
    slo(`${alert}.budget`, Infinity),
    allocation("default_dataset.allocation.percent_of_license", Infinity, -Infinity),
  ],
  "a name is not blank": [
    oncallB("name", " ", "\u200b\ufeff", "\u2060 \u00ad", "\u3164", "\u2800", "\0", "\u{e0020}", "x".repeat(1_001)),
    oncallB("slug", "A".repeat(256), "a b", "a.b", "ä"),
    oncallB("", { name: "日本", slug: "" }),
    derived(`${query}.variables[0].name`, " "),
    monitor("signal_grouping.label_names", ["a", " "]),
    slo("sli.custom_dimension_labels", [""]),
    cloud("principal.client_id", " "),
    cloud("scrape_config.resource_types", [{}]),
    cloud("scrape_config.locations", [" "]),
    rule("group_by[0].label", " "),
  ],
  "a metric name is one": [
    rule("metric_name", " ", "two words", "5xx", "a{b}", "a\n", "-a"),
    derived("metric_name", " ", "-a"),
  ],
  "a label has a name, and not __name__": [
    monitor("labels", { "": "a" }, { " \u200b": "a" }, { __name__: "a" }),
    monitor("annotations", { "": "a" }),
    slo("labels", { "": "a" }),
    slo("annotations", { " ": "a" }),
    slo(`${alert}.labels`, { "": "a" }),
    rule("metric_labels", { __name__: "a" }),
    rule("group_by[0].label", "__name__"),
  ],
  "each key has a label of its own": [rule("group_by", [{ label: "a" }, { label: "b" }, { label: "a" }])],
  "a query is not blank": [
    monitor("label_query", " "),
    monitor("", { label_query: null, dotted_query: " " }, { label_query: null, logging_query: " " }),
    dataset("configuration.log_dataset.match_criteria.query", " "),
    derived(`${query}.label_expr`, " "),
    derived("queries", [{}]),
    allocation("default_dataset.priorities", { low_priority_filters: [{ query: "" }] }),
    slo("sli.custom_indicator.total_query_template", " "),
    slo("sli.custom_indicator.bad_query_template", " "),
    timeslices(`${timeslice}.query_template`, "\n"),
  ],
  "a time is not negative, and whole if its type is": [
    monitor("interval_secs", -1, 0.5),
    monitor(`${condition}.sustain_secs`, -60, 1.5),
    monitor(`${condition}.resolve_sustain_secs`, -60),
    rule(`${span}.duration.min_secs`, -1),
    rule("trace_filter.trace.duration.max_secs", -1),
  ],
  "a range of a day ends after its start": [
    monitor(`${saturday}.ranges`, ranges(["18:00", "08:00"]), ranges(["08:00", "08:00"]), ranges(["08:00", "00:00"])),
  ],
  "the ranges of a day do not overlap": [
    monitor(
      `${saturday}.ranges`,
      ranges(["08:00", "12:00"], ["11:59", "18:00"]),
      ranges(["10:00", "11:00"], ["08:00", "18:00"]),
      ranges(["08:00", "18:00"], ["09:00", "10:00"], ["11:00", "12:00"]),
      ranges(["08:00", "09:00"], ["08:00", "09:00"]),
    ),
  ],
  "a matcher has a name": [
    monitor(`${override}.label_matchers[0]`, { type: "EXACT", value: "a" }, { name: " ", type: "EXACT" }),
    derived("queries[0].selector.labels[0]", { value: "a" }),
  ],
  "a regular expression compiles": [
    ...["(", "a**", "(?=a)"].map((value) =>
      monitor(`${override}.label_matchers[0]`, { name: "a", type: "REGEX", value }),
    ),
    rule(`${span}.service`, { match: "REGEX", value: "[b-a]" }),
    rule(`${span}.tags[0].value`, { match: "REGEX_NEGATION", value: "*" }),
  ],
  "matchers neither repeat nor contradict each other": [
    monitor(`${override}.label_matchers`, Array(2).fill({ name: "a", type: "EXACT", value: "b" }), [
      { name: "a", type: "EXACT", value: "b" },
      { name: "a", type: "EXACT", value: "c" },
    ]),
    derived("queries[0].selector.labels", Array(2).fill({ name: "a", type: "REGEX", value: "b" })),
  ],
  "a window is of at most 90 days": [
    slo("definition.time_window", "91d", "13w", "2161h", "129601m", "99999999999999d", "28 days"),
    slo(`${alert}.window`, "91d", "0h"),
  ],
  "a burn window is not longer than the SLO's": [
    slo("definition.time_window", "30m"),
    slo(`${alert}.window`, "29d"),
    slo("definition", {
      objective: 99,
      enable_burn_rate_alerting: true,
      burn_rate_alerting_config: [{ window: "29d", budget: 2 }],
    }),
  ],
  "a burn budget is a share of the error budget": [slo(`${alert}.budget`, 0, -1, 100.5, null)],
  "alerting is on if there are burn-rate alerts": [slo("definition.enable_burn_rate_alerting", null, false)],
  "a timeslice has a condition and a length": [
    timeslices(`${timeslice}.condition`, null, {}),
    timeslices(`${timeslice}.timeslice_size`, ""),
  ],
  "a minimum is not above its maximum": [
    rule(`${span}.duration`, { min_secs: 2, max_secs: 1 }),
    rule("trace_filter.trace.duration", { min_secs: 2, max_secs: 1 }),
    rule("scope_filter.span_scopes[0].span_count", { min: 3, max: 2 }, { min: -1 }),
  ],
  "buckets are not negative, and ascend": [rule("histogram_buckets_secs", [-1, 1], [2, 1], [1, 1], [0.1, 0.1, 2, 1])],
  "IN and NOT_IN have values": [
    rule(`${span}.operation`, { match: "IN", value: "a" }, { match: "NOT_IN", value: "a" }),
    rule(`${span}.tags[0].value`, { match: "IN", in_values: [] }),
  ],
  "a tag has a key": [rule("group_by[0].key", { type: "TAG" }), rule(`${span}.tags[0].key`, null)],
  "a variable is declared, once": [
    derived(query, varied("rate(a{$scope}[5m])"), varied("a{$scope} / $other", "scope"), varied("a{$x}", "x", "x")),
  ],
  "PromQL parses": [
    monitor("label_query", "sum(rate(a[5m])", "a b c", "$a"),
    derived(`${query}.label_expr`, "sum by (region a)"),
    timeslices(`${timeslice}.query_template`, "rate(a[{{.Window}}])) by"),
  ],
  "PromQL has the right types": [
    monitor(
      "label_query",
      "rate(x)",
      "sum(x[5m])",
      "topk(x)",
      "sum(x, y)",
      "round(x, 1, 2)",
      "1 + label_join(x)",
      'quantile("a", x)',
      "{}",
      '{a=~".*"}',
      'x{__name__="y"}',
      'x{a=~"("}',
      String.raw`x{a="\."}`,
      'label_replace(x, "a", "b", "c", "*")',
      "rate(x[0s])",
      "max_over_time(x[5m:0s])",
      "rate(x[-5m])",
      "x offset 5m offset 5m",
      "x @ NaN",
      'sum by ("") (x)',
      "x * on(a, b) group_left(c, a) y",
      "1 == 2",
      "x + bool y",
      "x and 1",
      "x and on(a) group_left y",
      "x * on(a) 1",
      "sum(x) offset 5m",
      "rate(x offset 5m [5m])",
      "x[5m]",
      '"x"',
    ),
    derived(query, varied("sum(rate($metric{$scope}))", "metric", "scope")),
    derived(`${query}.variables[0].default_label_selector`, "a=", 'a="b" c="d"', '{a=~"("}'),
    slo("sli.custom_indicator.total_query_template", "topk(a{ {{.Filters}} })"),
    slo("sli.custom_indicator.bad_query_template", "topk(a{ {{.Filters}} })"),
    timeslices(`${timeslice}.query_template`, "a{{.Filters}}[{{.Window}}] > 1"),
    slo("sli.additional_label_filters", 'env="prod", region=~"*"'),
  ],
  "a URL is one": [
    webhook("webhook.url", "hook", "ftp://hook.example.com", "https://", "https:// hook", "//hook.example.com"),
    webhook("webhook.url", "javascript:alert(1)", "https://[4B:]", "https://h:99999", "https://../", "https://a..b"),
    webhook("webhook.url", "https://.a/"),
    webhook("webhook.http_config.proxy_url", "proxy"),
    ...["api_url", "icon_url", "image_url", "thumb_url", "title_link"].map((name) => chat(`chat.${name}`, "no URL")),
    chat("chat.actions", [{ type: "button", text: "t", url: "u" }]),
    oncallA("oncall_a.api_url", "a"),
    oncallB("oncall_b.client_url", "a"),
    oncallB("oncall_b.links[0].href", "a"),
    oncallB("oncall_b.images", [{ src: "a" }]),
  ],
  "a mail address is one": [
    email("email.to", "team", "team@", "@example.com", "a@b@c", "a@example.com,", "a b@example.com", "A <a>"),
  ],
  "an action has a type and a text": [
    chat("chat.actions[0]", { text: "t" }, { type: "button", text: "" }, { type: "button", text: " " }),
  ],
  "a responder is somebody": [
    oncallA("oncall_a.responders", [{ responder_type: "TEAM" }], [{ id: "i" }, { name: " " }]),
  ],
  "a token has one line": [
    oncallA("oncall_a.api_key", "k\n"),
    oncallB("oncall_b.routing_key", "a\r\nb"),
    oncallB("oncall_b", { service_key: "\n" }),
    oncallC("oncall_c.routing_key", "r\n"),
    webhook("webhook.http_config.bearer_token", "t\n"),
  ],
  "a receiver has one key": [oncallB("oncall_b.service_key", "s")],
};

/** What contradicts the interface itself. */
export const wrong: Readonly<Record<string, readonly (readonly Change[])[]>> = {
  "what is required is there": [
    oncallB("name", "", null),
    email("email", {}),
    oncallA("oncall_a.api_key", ""),
    oncallB("oncall_b", {}),
    oncallC("oncall_c", {}),
    chat("chat", {}),
    webhook("webhook", { http_config: {} }),
    monitor("schedule.timezone", null),
    monitor(`${override}.severity_conditions.conditions`, [{ op: "GT" }, { op: "" }]),
    rule("metric_name", ""),
    rule("trace_filter", null),
    dataset("configuration", null),
    dataset("configuration.type", ""),
    derived("metric_name", null),
    derived("queries", []),
    cloud("principal", null, {}, { client_id: "a" }),
    slo("definition", null, {}),
    slo("sli.custom_indicator", {}),
    slo(`${alert}.window`, null),
    timeslices(timeslice, {}),
    allocation("dataset_allocations[0].dataset_slug", ""),
  ],
  "of several fields exactly one is there": [
    oncallB("oncall_b", null),
    oncallB("", { oncall_b: null, discard: false }),
    oncallB("email", { to: "a@b" }),
    webhook("webhook.http_config", { bearer_token: "t", basic_auth: {} }),
    monitor("label_query", ""),
    monitor("logging_query", "q"),
    monitor("signal_grouping", { label_names: ["a"], signal_per_series: true }),
    ...[span, "scope_filter.span_scopes[0]", "trace_filter.scope_filter.span_scopes[0]"].map((scope) =>
      rule(`${scope}.tags`, [{ key: "a" }]),
    ),
    dataset("configuration", {
      type: "TRACES",
      trace_dataset: { match_criteria: { span: [{ tags: [{ key: "a" }] }] } },
    }),
    slo("sli", {}),
    timeslices("sli.custom_indicator", { total_query_template: "t", good_query_template: "g" }),
    slo("sli.custom_indicator.good_query_template", "g"),
  ],
  "one field fits another": [
    monitor("", { collection: { slug: "a" }, collection_slug: "b" }),
    monitor(`${monday}.ranges`, ranges(["08:00", "09:00"])),
    monitor(`${saturday}.ranges`, []),
    dataset("configuration", { type: "LOGS", trace_dataset: {} }),
    dataset("configuration", { type: "TRACES", trace_dataset: {}, log_dataset: {} }),
    dataset("configuration", { type: "PROFILES" }),
  ],
  "a value is in its range": [
    monitor("schedule.timezone", "Mars/Phobos", "+01:00"),
    monitor(`${saturday}.ranges`, ranges(["24:00", "8:00"])),
    slo("definition.objective", 0, 100),
    allocation("dataset_allocations[0].allocation.percent_of_license", -1, 101),
    allocation("", { dataset_allocations: shares(50.5), default_dataset: { allocation: { percent_of_license: 50 } } }),
    allocation("dataset_allocations", [...shares(1), { dataset_slug: "" }, ...shares(1)]),
  ],
  "a monitor has a condition, and all mistakes are reported": [
    monitor("series_conditions", null, { defaults: { warn: {} } }),
    monitor("", { label_query: null, interval_secs: -5, series_conditions: null }),
  ],
};

/** What looks alike and is accepted. */
export const accepted: readonly (readonly Change[])[] = [
  oncallB("name", "\u200b⚙", "😀".repeat(1_000)),
  oncallB("slug", "A".repeat(255)),
  oncallB("oncall_b", { service_key: "k" }, { service_key: "k", routing_key: "" }),
  oncallB("discard", true),
  oncallB("", { oncall_b: null, discard: true }),
  email("email.to", 'Team <team@example.com>, "Last, First" <b@localhost>', "{{ .Labels.owner }}"),
  oncallA("oncall_a.responders", [{ username: "u" }]),
  chat("chat.title_link", "{{ .Link }}"),
  chat("chat.icon_url", "", "http://bücher.example/a%20b"),
  webhook("webhook.url", "https://user:password@[::1]:8443/a?b=c#d", "https://example.com./"),
  webhook("webhook.http_config", { proxy_url: "socks5://proxy:1080" }, { bearer_token: "", basic_auth: {} }),
  monitor(
    "label_query",
    'label_replace(up{a=~"b$|^$c"}, "x", "$1", "y", "(.*)") # $comment',
    'a / on (b) c offset 5m > 2 * {__name__=~"d.+"} @ 60 offset 1h',
    '5./2. * rate(a{b="1."}[30m+0s] offset 5m @ 3.) # 1.',
  ),
  monitor("", { label_query: "", dotted_query: "a.b" }),
  monitor("", { collection: { slug: "a" }, collection_slug: "a" }, { collection: { slug: "a" }, collection_slug: "" }),
  monitor("series_conditions.defaults", null, { warn: { conditions: [{ op: "ABOUT" }] } }),
  monitor(condition, { op: "GT", value: -1e308, sustain_secs: 0 }),
  monitor(`${override}.label_matchers`, [
    { name: "a", type: "REGEX", value: "(?i)b|\\pL+" },
    { name: "a", type: "REGEX", value: "c" },
    { name: "a", type: "EXACT", value: "b" },
    { name: "a", type: "LIKE", value: "(" },
  ]),
  monitor("schedule", {}),
  monitor("schedule.timezone", "UTC"),
  monitor(`${saturday}.ranges`, ranges(["08:00", "12:00"], ["12:00", "24:00"])),
  monitor(saturday, { active: "FULL_MOON", ranges: ranges(["00:00", "24:00"]) }),
  monitor("signal_grouping", { label_names: [], signal_per_series: true }),
  rule("metric_name", "http.server/latency-total"),
  rule("histogram_buckets_secs", [0, 0.001, 1]),
  rule("group_by", [{}, {}], [{ key: { type: "SERVICE" } }]),
  rule("trace_filter", {}, { span: [{ duration: { min_secs: 2, max_secs: 0 }, operation: { match: "EXACT" } }] }),
  rule(`${span}.tags`, [
    { key: "a", value: {} },
    { key: "b", numeric_value: { value: 0 } },
  ]),
  dataset("configuration", { type: "LOGS", log_dataset: {} }, { type: "PROFILES", log_dataset: {} }),
  dataset("configuration", { type: "TRACES", trace_dataset: { match_criteria: { trace: { error: {} } } } }),
  dataset("configuration", { type: "constructor", log_dataset: {} }),
  derived(
    query,
    varied('sum by ($by) (rate(a{b="c",$s}[$w] offset $o)) > $l + d{e=$v}', "by", "s", "w", "o", "l", "v"),
    varied('a{b="$c"}', "unused"),
    varied("a * on ($by) group_left ($of) b", "by", "of"),
    varied("a * on (x_$by) group_left (x_$of) b", "by", "of"),
    varied("rate($x) + topk($n, a @ $at)", "x", "n", "at"),
    {
      label_expr: "rate(a{$scope}[$window])",
      variables: [
        { name: "scope", default_label_selector: '{b="", __name__=~"c|d",}' },
        { name: "window", default_label_selector: "5m" },
      ],
    },
  ),
  derived("queries", [{ query: { label_expr: "a" } }, { query: { label_expr: "b" }, selector: {} }]),
  cloud("scrape_config", { locations: [], resource_types: [{ name: "vm", metric_names: [] }] }),
  slo("sli.custom_indicator", { total_query_template: "t", good_query_template: "g" }),
  slo(
    "sli.custom_indicator.total_query_template",
    "sum by ({{.GroupBy}}) (rate(a{b='c', {{.Filters}} }[{{.Window}}]))",
  ),
  slo("sli.custom_indicator.total_query_template", "{{ if .X }}rate(a){{ end }}"),
  slo("sli.additional_label_filters", 'a="", {{.More}}'),
  timeslices(`${timeslice}.query_template`, "{{.Query}}"),
  slo(
    "definition",
    { objective: 0.1 },
    { objective: 99, enable_burn_rate_alerting: false, burn_rate_alerting_config: [] },
  ),
  slo("definition.time_window", "90m", "24h", "4w", "2160h"),
  slo(alert, { window: "28d", budget: 100 }),
  allocation(
    "",
    {},
    { dataset_allocations: shares(33.3, 33.3, 33.3), default_dataset: { allocation: { percent_of_license: 0.1 } } },
  ),
];
