import {
  cloudxMetricsIntegration,
  dataset,
  derivedMetric,
  type KindSample,
  logAllocationConfig,
  monitor,
  notifier,
  slo,
  traceMetricsRule,
} from "./service.js";

/** Changes to a valid resource that make it meaningless, and the first problem that the service tells. */
type Violation = readonly [sample: KindSample, changes: Readonly<Record<string, unknown>>, problem: string];

type Changes = Violation[1];
const of = (sample: KindSample, ...rows: readonly (readonly [Changes, problem: string])[]) =>
  rows.map(([changes, problem]): Violation => [sample, changes, problem]);
const critical = (...conditions: readonly object[]) => ({
  series_conditions: { defaults: { critical: { conditions } } },
});
const override = (override: object) => ({
  series_conditions: {
    defaults: { critical: { conditions: [{ op: "GT" }] } },
    overrides: [{ severity_conditions: { conditions: [{ op: "GT" }] }, ...override }],
  },
});
const matchers = (...label_matchers: readonly object[]) => override({ label_matchers });
const day = (...ranges: readonly (readonly [string, string])[]) => ({
  schedule: {
    timezone: "UTC",
    weekly_schedule: {
      monday: {
        active: "ONLY_DURING_RANGES",
        ranges: ranges.map(([start_hh_mm, end_hh_mm]) => ({ start_hh_mm, end_hh_mm })),
      },
    },
  },
});
const span = (scope: object) => ({ trace_filter: { span: [scope] } });
const definition = (more: object) => ({ definition: { objective: 99, ...more } });
const burn = (alert: object, more = {}) =>
  definition({
    enable_burn_rate_alerting: true,
    burn_rate_alerting_config: [{ window: "1h", budget: 2, ...alert }],
    ...more,
  });
const query = (label_expr: string, ...variables: readonly object[]) => ({
  queries: [{ query: { label_expr, variables } }],
});
const timeslices = (more: object) => ({
  sli: {
    custom_timeslice_indicator: { query_template: "q", condition: { op: "GT" }, timeslice_size: "S", ...more },
  },
});
const events = (total_query_template: string, more = {}) => ({
  sli: { custom_indicator: { total_query_template, bad_query_template: "bad" }, ...more },
});
const receiver = (name: string, fields: object) => ({ email: null, [name]: fields });
const chat = (more: object) => receiver("chat", { api_url: "https://chat.example.com/hook", ...more });

const overridePath = "series_conditions.overrides[0]";
const first = "series_conditions.defaults.critical.conditions[0]";
const alert = "definition.burn_rate_alerting_config[0]";
const spanPath = "trace_filter.span[0]";
const queryPath = "queries[0].query";
const resource = "scrape_config.resource_types[0]";
const monday = "schedule.weekly_schedule.monday.ranges";
const blank = 'expected a text that is not blank, got " "';
const blankName = "name: expected 1 to 1000 characters that are not all blank";
const noLabel = "is no label: expected a name that is not blank and not __name__";
const someMetric =
  'expected a metric name of at most 1000 letters, digits and "_:./-" that begins with a letter, "_" or ":"';
const someUrl = "expected an http or https URL";
const someDuration = "expected a duration like 90m, 24h, 28d or 4w, of at most 90 days";
const addresses = "expected mail addresses like team@example.com, separated by commas";

/** Queries that parse, and the place and the reason for which they are refused. */
const wrongTypes: readonly (readonly [query: string, problem: string])[] = [
  ["rate(x)", '6, "x": argument 1 of rate has to be a range vector like a[5m], not an instant vector'],
  ["sum(x[5m])", '5, "x[5m]": argument 1 of sum has to be an instant vector, not a range vector like a[5m]'],
  ["topk(x)", '1, "topk(x)": topk takes 2 arguments, not 1'],
  ["sum(x, y)", '1, "sum(x, y)": sum takes 1 argument, not 2'],
  ["round(x, 1, 2)", '1, "round(x, 1, 2)": round takes 1 to 2 arguments, not 3'],
  ["1 + label_join(x)", '5, "label_join(x)": label_join takes at least 3 arguments, not 1'],
  ['quantile("a", x)', String.raw`10, "\"a\"": argument 1 of quantile has to be a number, not a text`],
  ["{}", '1, "{}": a selector needs a metric name, or a matcher that does not match the empty text'],
  [
    '{a=~".*"}',
    String.raw`1, "{a=~\".*\"}": a selector needs a metric name, or a matcher that does not match the empty text`,
  ],
  ['x{__name__="y"}', String.raw`1, "x{__name__=\"y\"}": a selector has one metric name`],
  ['x{a=~"("}', '6, "\\"(\\"": the pattern is no regular expression: missing closing ): `(`'],
  ['x{a="\\."}', String.raw`5, "\"\\.\"": a text has the unknown escape \.; a backslash is \\`],
  [
    'label_replace(x, "a", "b", "c", "*")',
    '33, "\\"*\\"": the pattern is no regular expression: missing argument to repetition operator: `*`',
  ],
  ["rate(x[0s])", '8, "0s": a range and its steps are longer than 0'],
  ["max_over_time(x[5m:0s])", '20, "0s": a range and its steps are longer than 0'],
  ["rate(x[-5m])", '8, "-5m": a range and its steps are longer than 0'],
  ["x offset 5m offset 5m", '1, "x offset 5m offset 5": offset follows a selector once'],
  ["x @ NaN", '5, "NaN": @ takes a time'],
  ['sum by ("") (x)', String.raw`8, "(\"\")": a label has a name`],
  [
    "x * on(a, b) group_left(c, a) y",
    '1, "x * on(a, b) group_l": the label a is both in on and in group_left or group_right',
  ],
  ["1 == 2", '1, "1 == 2": a comparison of two numbers needs bool'],
  ["x + bool y", '1, "x + bool y": bool follows only comparisons'],
  ["x and 1", '1, "x and 1": and, or and unless take instant vectors, not numbers'],
  ["x and on(a) group_left y", '1, "x and on(a) group_le": and, or and unless take no group_left and group_right'],
  ["x * on(a) 1", '1, "x * on(a) 1": on and ignoring stand between instant vectors'],
  ["sum(x) offset 5m", '1, "sum(x) offset 5m": offset follows a selector, its range or a subquery'],
  [
    "rate(x offset 5m [5m])",
    '6, "x offset 5m [5m]": a range follows a selector, before offset and @; after others a subquery like (a + b)[5m:1m]',
  ],
  ["x[5m]", '1, "x[5m]": a query has to be an instant vector or a number, not a range vector like a[5m]'],
  ['"x"', String.raw`1, "\"x\"": a query has to be an instant vector or a number, not a text`],
];

const defaults: readonly (readonly [filters: string, problem: string])[] = [
  ["a=", "syntax error at position 3, the end"],
  ['a="b" c="d"', String.raw`syntax error at position 7, "c=\"d\""`],
  ['{a=~"("}', 'at position 5, "\\"(\\"": the pattern is no regular expression: missing closing ): `(`'],
];

/** What every real backend refuses, by the rule that it breaks. README.md has the same rules in its table. */
export const meaningless: Readonly<Record<string, readonly Violation[]>> = {
  "an override comes to a condition": [
    ...of(
      monitor,
      [override({ severity_conditions: {} }), `${overridePath}.severity_conditions.conditions: is required`],
      [override({ severity_conditions: null }), `${overridePath}.severity_conditions: is required`],
      [
        override({ severity_conditions: { conditions: [] } }),
        `${overridePath}.severity_conditions.conditions: expected at least one condition, got none`,
      ],
    ),
  ],
  "an override's conditions are not given by severity": ["critical", "warn"].map((severity) => [
    monitor,
    override({ severity_conditions: { conditions: [{ op: "GT" }], [severity]: { conditions: [{ op: "GT" }] } } }),
    `${overridePath}.severity_conditions.${severity}: the conditions of an override are not given by severity; write them as "severity_conditions": {"conditions": […]}`,
  ]),
  "a number is one that JSON can repeat": [
    ...of(
      monitor,
      [critical({ op: "GT", value: Infinity }), `${first}.value: is too large for a number`],
      [critical({ op: "GT", sustain_secs: Infinity }), `${first}.sustain_secs: is too large for a number`],
    ),
    ...of(
      traceMetricsRule,
      [{ histogram_buckets_secs: [1, Infinity] }, "histogram_buckets_secs[1]: is too large for a number"],
      [span({ duration: { min_secs: -Infinity } }), `${spanPath}.duration.min_secs: is too large for a number`],
    ),
    [slo, burn({ budget: Infinity }), `${alert}.budget: is too large for a number`],
    [
      logAllocationConfig,
      { default_dataset: { allocation: { percent_of_license: Infinity } } },
      "default_dataset.allocation.percent_of_license: is too large for a number",
    ],
  ],
  "a name is not blank": [
    ...[" ", "\u200b\ufeff", "\u2060 \u00ad", "\u3164", "\u2800", "\0", "\u{e0020}"].map((name): Violation => [
      notifier,
      { name },
      blankName,
    ]),
    [derivedMetric, query("a", { name: " " }), `${queryPath}.variables[0].name: ${blank}`],
    [monitor, { signal_grouping: { label_names: ["a", " "] } }, `signal_grouping.label_names[1]: ${blank}`],
    [slo, { sli: { custom_dimension_labels: [""] } }, "sli.custom_dimension_labels[0]: is required"],
    ...of(
      cloudxMetricsIntegration,
      [{ principal: { client_id: " ", tenant_id: "t" } }, `principal.client_id: ${blank}`],
      [{ scrape_config: { resource_types: [{}] } }, `${resource}.name: is required`],
      [{ scrape_config: { locations: [" "] } }, `scrape_config.locations[0]: ${blank}`],
    ),
    [
      traceMetricsRule,
      { group_by: [{ label: " " }] },
      'group_by[0].label: expected a label that is not blank and not __name__, got " "',
    ],
  ],
  "a metric name is one": [traceMetricsRule, derivedMetric].flatMap((sample) =>
    [" ", "two words", "5xx", "a{b}", "a\n", "-a"].map((metric_name): Violation => [
      sample,
      { metric_name },
      `metric_name: ${someMetric}, got ${JSON.stringify(metric_name)}`,
    ]),
  ),
  "a label has a name, and not __name__": [
    ...of(
      monitor,
      [{ labels: { "": "a" } }, `labels[""]: ${noLabel}`],
      [{ labels: { " \u200b": "a" } }, `labels[${JSON.stringify(" \u200b")}]: ${noLabel}`],
      [{ labels: { __name__: "a" } }, `labels.__name__: ${noLabel}`],
      [{ annotations: { "": "a" } }, 'annotations[""]: its name is blank'],
    ),
    ...of(
      slo,
      [{ labels: { "": "a" } }, `labels[""]: ${noLabel}`],
      [{ annotations: { " ": "a" } }, 'annotations[" "]: its name is blank'],
      [burn({ labels: { "": "a" } }), `${alert}.labels[""]: ${noLabel}`],
    ),
    ...of(
      traceMetricsRule,
      [{ metric_labels: { __name__: "a" } }, `metric_labels.__name__: ${noLabel}`],
      [
        { group_by: [{ label: "__name__" }] },
        'group_by[0].label: expected a label that is not blank and not __name__, got "__name__"',
      ],
    ),
  ],
  "each key has a label of its own": [
    [
      traceMetricsRule,
      { group_by: [{ label: "a" }, { label: "b" }, { key: { type: "SERVICE" }, label: "a" }] },
      'group_by[2].label: "a" is the label of another key',
    ],
  ],
  "a query is not blank": [
    ...["dotted_query", "label_query", "logging_query"].map((name): Violation => [
      monitor,
      { label_query: null, [name]: " " },
      `${name}: ${blank}`,
    ]),
    [
      dataset,
      { configuration: { type: "LOGS", log_dataset: { match_criteria: { query: " " } } } },
      `configuration.log_dataset.match_criteria.query: ${blank}`,
    ],
    ...of(
      derivedMetric,
      [query(" "), `${queryPath}.label_expr: ${blank}`],
      [{ queries: [{}] }, `${queryPath}: is required`],
    ),
    [
      logAllocationConfig,
      { default_dataset: { priorities: { low_priority_filters: [{ query: "" }] } } },
      "default_dataset.priorities.low_priority_filters[0].query: is required",
    ],
    ...of(
      slo,
      [
        { sli: { custom_indicator: { total_query_template: " ", bad_query_template: "b" } } },
        `sli.custom_indicator.total_query_template: ${blank}`,
      ],
      [
        { sli: { custom_indicator: { total_query_template: "t", bad_query_template: " " } } },
        `sli.custom_indicator.bad_query_template: ${blank}`,
      ],
      [
        timeslices({ query_template: "\n" }),
        'sli.custom_timeslice_indicator.query_template: expected a text that is not blank, got "\\n"',
      ],
    ),
  ],
  "a time is not negative, and whole if its type is": [
    ...of(
      monitor,
      [{ interval_secs: -1 }, "interval_secs: expected 0 or more seconds, got -1"],
      [{ interval_secs: 0.5 }, "interval_secs: expected an integer, got 0.5"],
      [critical({ op: "GT", sustain_secs: -60 }), `${first}.sustain_secs: expected 0 or more seconds, got -60`],
      [
        critical({ op: "GT", resolve_sustain_secs: -60 }),
        `${first}.resolve_sustain_secs: expected 0 or more seconds, got -60`,
      ],
      [critical({ op: "GT", sustain_secs: 1.5 }), `${first}.sustain_secs: expected an integer, got 1.5`],
    ),
    ...of(
      traceMetricsRule,
      [span({ duration: { min_secs: -1 } }), `${spanPath}.duration.min_secs: expected 0 or more seconds, got -1`],
      [
        { trace_filter: { trace: { duration: { max_secs: -1 } } } },
        "trace_filter.trace.duration.max_secs: expected 0 or more seconds, got -1",
      ],
    ),
  ],
  "a range of a day ends after its start": [
    ...of(
      monitor,
      [day(["18:00", "08:00"]), `${monday}[0]: ends at 08:00, not after its start at 18:00`],
      [day(["08:00", "08:00"]), `${monday}[0]: ends at 08:00, not after its start at 08:00`],
      [day(["08:00", "00:00"]), `${monday}[0]: ends at 00:00, not after its start at 08:00`],
    ),
  ],
  "the ranges of a day do not overlap": [
    ...of(
      monitor,
      [day(["08:00", "12:00"], ["11:59", "18:00"]), `${monday}[1]: overlaps ranges[0]`],
      [day(["10:00", "11:00"], ["08:00", "18:00"]), `${monday}[0]: overlaps ranges[1]`],
      [day(["08:00", "18:00"], ["09:00", "10:00"], ["11:00", "12:00"]), `${monday}[1]: overlaps ranges[0]`],
      [day(["08:00", "09:00"], ["08:00", "09:00"]), `${monday}[1]: overlaps ranges[0]`],
    ),
  ],
  "a matcher has a name": [
    ...of(
      monitor,
      [matchers({ type: "EXACT", value: "a" }), `${overridePath}.label_matchers[0].name: is required`],
      [matchers({ name: " ", type: "EXACT" }), `${overridePath}.label_matchers[0].name: ${blank}`],
    ),
    [
      derivedMetric,
      { queries: [{ query: { label_expr: "a" }, selector: { labels: [{ value: "a" }] } }] },
      "queries[0].selector.labels[0].name: is required",
    ],
  ],
  "a regular expression compiles": [
    ...of(
      monitor,
      [
        matchers({ name: "a", type: "REGEX", value: "(" }),
        `${overridePath}.label_matchers[0].value: is no regular expression: missing closing ): \`(\``,
      ],
      [
        matchers({ name: "a", type: "REGEX", value: "a**" }),
        `${overridePath}.label_matchers[0].value: is no regular expression: invalid nested repetition operator: \`**\``,
      ],
      [
        matchers({ name: "a", type: "REGEX", value: "(?=a)" }),
        `${overridePath}.label_matchers[0].value: is no regular expression: invalid or unsupported Perl syntax: \`(?=\``,
      ],
    ),
    ...of(
      traceMetricsRule,
      [
        span({ service: { match: "REGEX", value: "[b-a]" } }),
        `${spanPath}.service.value: is no regular expression: invalid character class range: \`b-a\``,
      ],
      [
        span({ tags: [{ key: "a", value: { match: "REGEX_NEGATION", value: "*" } }] }),
        `${spanPath}.tags[0].value.value: is no regular expression: missing argument to repetition operator: \`*\``,
      ],
    ),
  ],
  "matchers neither repeat nor contradict each other": [
    ...of(
      monitor,
      [
        matchers(...Array(2).fill({ name: "a", type: "EXACT", value: "b" })),
        `${overridePath}.label_matchers[1]: says the same as label_matchers[0]`,
      ],
      [
        matchers({ name: "a", type: "EXACT", value: "b" }, { name: "a", type: "EXACT", value: "c" }),
        `${overridePath}.label_matchers[1]: "a" cannot be both "b" and "c"`,
      ],
    ),
    [
      derivedMetric,
      {
        queries: [
          { query: { label_expr: "a" }, selector: { labels: Array(2).fill({ name: "a", type: "REGEX", value: "b" }) } },
        ],
      },
      "queries[0].selector.labels[1]: says the same as labels[0]",
    ],
  ],
  "a window is of at most 90 days": [
    ...["91d", "13w", "2161h", "129601m", "99999999999999d"].map((time_window): Violation => [
      slo,
      definition({ time_window }),
      `definition.time_window: ${someDuration}, got "${time_window}"`,
    ]),
    [slo, burn({ window: "91d" }, { time_window: "90d" }), `${alert}.window: ${someDuration}, got "91d"`],
  ],
  "a burn window is not longer than the SLO's": [
    ...of(
      slo,
      [
        burn({ window: "8d" }, { time_window: "7d" }),
        `${alert}.window: expected at most the SLO's time window, 7d, got 8d`,
      ],
      [burn({ window: "29d" }), `${alert}.window: expected at most the SLO's time window, 28d, got 29d`],
    ),
  ],
  "a burn budget is a share of the error budget": [
    ...[0, -1, 100.5].map((budget): Violation => [
      slo,
      burn({ budget }),
      `${alert}.budget: expected more than 0 and at most 100 percent, got ${budget}`,
    ]),
    [slo, burn({ budget: null }), `${alert}.budget: is required`],
  ],
  "alerting is on if there are burn-rate alerts": [
    ...[null, false].map((enable_burn_rate_alerting): Violation => [
      slo,
      burn({}, { enable_burn_rate_alerting }),
      "definition.burn_rate_alerting_config: needs enable_burn_rate_alerting: true",
    ]),
  ],
  "a timeslice has a condition and a length": [
    ...of(
      slo,
      [timeslices({ condition: null }), "sli.custom_timeslice_indicator.condition: is required"],
      [timeslices({ condition: {} }), "sli.custom_timeslice_indicator.condition.op: is required"],
      [timeslices({ timeslice_size: "" }), "sli.custom_timeslice_indicator.timeslice_size: is required"],
    ),
  ],
  "a minimum is not above its maximum": [
    ...of(
      traceMetricsRule,
      [
        span({ duration: { min_secs: 2, max_secs: 1 } }),
        `${spanPath}.duration: expected min_secs of at most max_secs, got 2 and 1`,
      ],
      [
        { trace_filter: { trace: { duration: { min_secs: 2, max_secs: 1 } } } },
        "trace_filter.trace.duration: expected min_secs of at most max_secs, got 2 and 1",
      ],
      [
        { scope_filter: { span_scopes: [{ span_count: { min: 3, max: 2 } }] } },
        "scope_filter.span_scopes[0].span_count: expected min of at most max, got 3 and 2",
      ],
      [span({ span_count: { min: -1 } }), `${spanPath}.span_count.min: expected 0 or more spans, got -1`],
    ),
  ],
  "buckets are not negative, and ascend": [
    ...of(
      traceMetricsRule,
      [{ histogram_buckets_secs: [-1, 1] }, "histogram_buckets_secs[0]: expected 0 or more seconds, got -1"],
      [{ histogram_buckets_secs: [2, 1] }, "histogram_buckets_secs[1]: expected more than the one before it, 2, got 1"],
      [{ histogram_buckets_secs: [1, 1] }, "histogram_buckets_secs[1]: expected more than the one before it, 1, got 1"],
    ),
  ],
  "IN and NOT_IN have values": ["IN", "NOT_IN"].flatMap((match): Violation[] => [
    ...of(
      traceMetricsRule,
      [
        span({ operation: { match, value: "a" } }),
        `${spanPath}.operation.in_values: is required if match is "${match}"`,
      ],
      [
        span({ tags: [{ key: "a", value: { match, in_values: [] } }] }),
        `${spanPath}.tags[0].value.in_values: is required if match is "${match}"`,
      ],
    ),
  ]),
  "a tag has a key": [
    ...of(
      traceMetricsRule,
      [{ group_by: [{ key: { type: "TAG" }, label: "a" }] }, 'group_by[0].key.named_key: is required if type is "TAG"'],
      [span({ tags: [{ value: { match: "EXACT", value: "a" } }] }), `${spanPath}.tags[0].key: is required`],
    ),
  ],
  "a variable is declared, once": [
    ...of(
      derivedMetric,
      [query("rate(a{$scope}[5m])"), `${queryPath}.label_expr: $scope at position 8 is not among the variables`],
      [
        query("a{$scope} / $other", { name: "scope" }),
        `${queryPath}.label_expr: $other at position 13 is not among the variables`,
      ],
      [query("a{$x}", { name: "x" }, { name: "x" }), `${queryPath}.variables[1].name: "x" is declared twice`],
    ),
  ],
  "PromQL parses": [
    ...of(
      monitor,
      [{ label_query: "sum(rate(a[5m])" }, "label_query: is no PromQL: syntax error at position 16, the end"],
      [{ label_query: "a b c" }, 'label_query: is no PromQL: syntax error at position 3, "b c"'],
      [{ label_query: "$a" }, 'label_query: is no PromQL: syntax error at position 1, "$a"'],
    ),
    [
      derivedMetric,
      query("sum by (region a)"),
      `${queryPath}.label_expr: is no PromQL: syntax error at position 16, "a)"`,
    ],
  ],
  "PromQL has the right types": [
    ...wrongTypes.map(([label_query, problem]): Violation => [
      monitor,
      { label_query },
      `label_query: is no PromQL: at position ${problem}`,
    ]),
    [
      derivedMetric,
      query("sum(rate($metric{$scope}))", { name: "metric" }, { name: "scope" }),
      `${queryPath}.label_expr: is no PromQL: at position 10, "$metric{$scope}": argument 1 of rate has to be a range vector like a[5m], not an instant vector`,
    ],
    ...defaults.map(([default_label_selector, problem]): Violation => [
      derivedMetric,
      query("a{b=$limit,$scope}", { name: "limit" }, { name: "scope", default_label_selector }),
      `${queryPath}.variables[1].default_label_selector: is no label selector: ${problem}`,
    ]),
    ...["total_query_template", "bad_query_template"].map((name): Violation => [
      slo,
      {
        sli: {
          custom_indicator: { total_query_template: "t", bad_query_template: "b", [name]: "topk(a{ {{.Filters}} })" },
        },
      },
      `sli.custom_indicator.${name}: is no PromQL: at position 1, "topk(a{ {{.Filters}}": topk takes 2 arguments, not 1`,
    ]),
    ...of(
      slo,
      [
        timeslices({ query_template: "a{{.Filters}}[{{.Window}}] > 1" }),
        'sli.custom_timeslice_indicator.query_template: is no PromQL: at position 1, "a{{.Filters}}[{{.Win": operators take instant vectors and numbers, not a range vector like a[5m]',
      ],
      [
        timeslices({ query_template: "rate(a[{{.Window}}])) by" }),
        'sli.custom_timeslice_indicator.query_template: is no PromQL: syntax error at position 21, ") by"',
      ],
      [
        events("a", { additional_label_filters: 'env="prod", region=~"*"' }),
        'sli.additional_label_filters: is no label selector: at position 21, "\\"*\\"": the pattern is no regular expression: missing argument to repetition operator: `*`',
      ],
    ),
  ],
  "a URL is one": [
    ...[
      "hook",
      "ftp://hook.example.com",
      "https://",
      "https:// hook",
      "//hook.example.com",
      "javascript:alert(1)",
      "https://[4B:]",
      "https://h:99999",
      "https://../",
      "https://a..b",
      "https://.a/",
    ].map((url): Violation => [notifier, receiver("webhook", { url }), `webhook.url: ${someUrl}`]),
    ...of(
      notifier,
      [
        receiver("webhook", { url: "https://h", http_config: { proxy_url: "proxy" } }),
        "webhook.http_config.proxy_url: expected an http, https or socks5 URL",
      ],
      [chat({ api_url: "chat" }), `chat.api_url: ${someUrl}`],
    ),
    ...["icon_url", "image_url", "thumb_url", "title_link"].map((name): Violation => [
      notifier,
      chat({ [name]: "not a url" }),
      `chat.${name}: ${someUrl}`,
    ]),
    ...of(
      notifier,
      [chat({ actions: [{ type: "button", text: "t", url: "u" }] }), `chat.actions[0].url: ${someUrl}`],
      [receiver("oncall_a", { api_key: "k", api_url: "a" }), `oncall_a.api_url: ${someUrl}`],
      [receiver("oncall_b", { service_key: "k", client_url: "a" }), `oncall_b.client_url: ${someUrl}`],
      [receiver("oncall_b", { service_key: "k", links: [{ href: "a" }] }), `oncall_b.links[0].href: ${someUrl}`],
      [receiver("oncall_b", { service_key: "k", images: [{ src: "a" }] }), `oncall_b.images[0].src: ${someUrl}`],
    ),
  ],
  "a mail address is one": ["team", "team@", "@example.com", "a@b@c", "a@example.com,", "a b@example.com", "A <a>"].map(
    (to) => [notifier, { email: { to } }, `email.to: ${addresses}, got "${to}"`],
  ),
  "an action has a type and a text": [
    ...of(
      notifier,
      [chat({ actions: [{ text: "t" }] }), "chat.actions[0].type: is required"],
      [chat({ actions: [{ type: "button", text: "" }] }), "chat.actions[0].text: is required"],
      [chat({ actions: [{ type: "button", text: " " }] }), `chat.actions[0].text: ${blank}`],
    ),
  ],
  "a responder is somebody": [
    ...of(
      notifier,
      [
        receiver("oncall_a", { api_key: "k", responders: [{ responder_type: "TEAM" }] }),
        "oncall_a.responders[0]: needs id, name or username",
      ],
      [
        receiver("oncall_a", { api_key: "k", responders: [{ id: "i" }, { name: " " }] }),
        "oncall_a.responders[1]: needs id, name or username",
      ],
    ),
  ],
  "a token has one line": [
    ...of(
      notifier,
      [receiver("oncall_a", { api_key: "k\n" }), "oncall_a.api_key: has a line break"],
      [receiver("oncall_b", { routing_key: "a\r\nb" }), "oncall_b.routing_key: has a line break"],
      [receiver("oncall_b", { service_key: "\n" }), "oncall_b.service_key: has a line break"],
      [receiver("oncall_c", { api_key: "k", routing_key: "r\n" }), "oncall_c.routing_key: has a line break"],
      [
        receiver("webhook", { url: "https://h", http_config: { bearer_token: "t\n" } }),
        "webhook.http_config.bearer_token: has a line break",
      ],
    ),
  ],
  "a receiver has one key": [
    [
      notifier,
      receiver("oncall_b", { routing_key: "r", service_key: "s" }),
      "oncall_b: has both routing_key and service_key, only one is allowed",
    ],
  ],
};

/** What looks alike and has a meaning. */
export const meaningful: readonly (readonly [KindSample, Readonly<Record<string, unknown>>])[] = [
  [dataset, { configuration: { type: "LOGS", log_dataset: {} } }],
  [notifier, { email: { to: 'Team <team@example.com>, "Last, First" <b@localhost>' } }],
  [notifier, { email: { to: "{{ .Labels.owner }}" } }],
  [
    notifier,
    receiver("webhook", {
      url: "https://user:password@[::1]:8443/a?b=c#d",
      http_config: { proxy_url: "socks5://proxy:1080" },
    }),
  ],
  [notifier, chat({ title_link: "{{ .Link }}", icon_url: "", image_url: "http://bücher.example/a%20b" })],
  [notifier, receiver("oncall_b", { service_key: "k", routing_key: "" })],
  [notifier, receiver("oncall_a", { api_key: "k", responders: [{ username: "u" }] })],
  [monitor, { label_query: 'label_replace(up{a=~"b$|^$c"}, "x", "$1", "y", "(.*)") # $comment' }],
  [monitor, day(["08:00", "12:00"], ["12:00", "24:00"])],
  [monitor, matchers({ name: "a", type: "REGEX", value: "(?i)b|\\pL+" }, { name: "a", type: "REGEX", value: "c" })],
  [monitor, matchers({ name: "a", type: "EXACT", value: "b" }, { name: "a", type: "LIKE", value: "(" })],
  [monitor, critical({ op: "GT", value: -1e308, sustain_secs: 0 })],
  [traceMetricsRule, { histogram_buckets_secs: [0, 0.001, 1] }],
  [traceMetricsRule, span({ duration: { min_secs: 2, max_secs: 0 }, operation: { match: "EXACT" } })],
  [traceMetricsRule, { group_by: [{ key: { type: "SERVICE" } }] }],
  [
    derivedMetric,
    query(
      'sum by ($by) (rate(a{b="c",$scope}[$window] offset $offset)) > $limit + d{e=$value}',
      ...["by", "scope", "window", "offset", "limit", "value"].map((name) => ({ name })),
    ),
  ],
  [derivedMetric, query('a{b="$c"}', { name: "unused", default_label_selector: "" })],
  [derivedMetric, query("a * on ($by) group_left ($of) b", { name: "by" }, { name: "of" })],
  [derivedMetric, query("a * on (x_$by) group_left (x_$of) b", { name: "by" }, { name: "of" })],
  [derivedMetric, query("rate($x) + topk($n, a @ $at)", ...["x", "n", "at"].map((name) => ({ name })))],
  [
    derivedMetric,
    query(
      "rate(a{$scope}[$window])",
      { name: "scope", default_label_selector: '{b="", __name__=~"c|d",}' },
      {
        name: "window",
        default_label_selector: "5m",
      },
    ),
  ],
  [monitor, { label_query: 'a / on (b) c offset 5m > 2 * {__name__=~"d.+"} @ 60 offset 1h' }],
  [monitor, { label_query: '5./2. * rate(a{b="1."}[30m+0s] offset 5m @ 3.) # 1.' }],
  [slo, events("sum by ({{.GroupBy}}) (rate(a{b='c', {{.Filters}} }[{{.Window}}])) {{.More}}")],
  [slo, events("{{ if .X }}rate(a){{ end }}", { additional_label_filters: 'a="", {{.More}}' })],
  [slo, timeslices({ query_template: "{{.Query}}" })],
  [slo, definition({ enable_burn_rate_alerting: false, burn_rate_alerting_config: [] })],
  [traceMetricsRule, { metric_name: "http.server/latency-total", group_by: [{}, {}] }],
  [notifier, { name: "\u200b⚙", slug: "n" }],
  [notifier, receiver("webhook", { url: "https://example.com./" })],
  [slo, burn({ window: "28d", budget: 100 })],
  [slo, burn({ window: "90d" }, { time_window: "2160h" })],
];
