import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService } from "../../service/dist/server.js";
import {
  type Client,
  clientOf,
  cloudxMetricsIntegration,
  create,
  dataset,
  derivedMetric,
  type KindSample,
  logAllocationConfig,
  monitor,
  notifier,
  problemsOf,
  slo,
  start,
  traceMetricsRule,
} from "./service.js";

type Changes = Readonly<Record<string, unknown>>;
interface Cases {
  /** What it is about, the changes to the valid sample, and the problems, by path. */
  readonly refused: readonly (readonly [string, Changes, readonly string[]])[];
  readonly accepted: readonly (readonly [string, Changes])[];
}

let shared: Client;
beforeAll(async () => {
  shared = clientOf(await startService());
});
afterAll(() => shared.service.close());

function rulesOf(sample: KindSample, { refused, accepted }: Cases): void {
  describe(sample.kind, () => {
    test.each(refused)("is refused with %s", async (_about, changes, problems) => {
      const answer = await create(shared, sample, "one", changes);
      expect(problemsOf(answer)).toEqual(problems);
      expect([answer.status, answer.body.code]).toEqual([400, 400008]);
    });
    test.each(accepted)("is accepted with %s", async (about, changes) => {
      const answer = await create(shared, sample, about.replaceAll(/\W+/g, "-"), changes);
      expect(problemsOf(answer)).toEqual([]);
      expect(answer.status).toBe(200);
    });
  });
}

const receivers = "email, oncall_a, oncall_b, oncall_c, chat or webhook";
rulesOf(notifier, {
  refused: [
    ["no receiver", { email: null }, [`: needs a receiver (${receivers}) or discard`]],
    ["no receiver, discard false", { email: null, discard: false }, [`: needs a receiver (${receivers}) or discard`]],
    [
      "two receivers",
      { webhook: { url: "https://h" } },
      [": has 2 receivers (email, webhook), exactly one is allowed"],
    ],
    ["an empty receiver", { email: {} }, ["email.to: is required"]],
    ["oncall_a without its key", { email: null, oncall_a: { api_key: "" } }, ["oncall_a.api_key: is required"]],
    ["oncall_b without a key", { email: null, oncall_b: {} }, ["oncall_b: needs routing_key or service_key"]],
    [
      "oncall_c without its keys",
      { email: null, oncall_c: {} },
      ["oncall_c.api_key: is required", "oncall_c.routing_key: is required"],
    ],
    ["chat without an address", { email: null, chat: {} }, ["chat.api_url: is required"]],
    ["a webhook without an address", { email: null, webhook: { http_config: {} } }, ["webhook.url: is required"]],
    [
      "two credentials",
      { email: null, webhook: { url: "https://h", http_config: { bearer_token: "t", basic_auth: {} } } },
      ["webhook.http_config: has both bearer_token and basic_auth, only one is allowed"],
    ],
  ],
  accepted: [
    ["discard alone", { email: null, discard: true }],
    ["discard beside a receiver", { discard: true }],
    ["oncall_b by its service key", { email: null, oncall_b: { service_key: "k" } }],
    [
      "an empty bearer token beside basic auth",
      { email: null, webhook: { url: "https://h", http_config: { bearer_token: "", basic_auth: {} } } },
    ],
  ],
});

const conditions = [{ op: "GT" }];
const schedule = (day: unknown, timezone: unknown = "Europe/Berlin") => ({
  schedule: { timezone, weekly_schedule: { monday: day } },
});
const ranges = (start_hh_mm: string, end_hh_mm: string) =>
  schedule({ active: "ONLY_DURING_RANGES", ranges: [{ start_hh_mm, end_hh_mm }] });
rulesOf(monitor, {
  refused: [
    ["no query", { label_query: "" }, [": needs a query (dotted_query, label_query or logging_query)"]],
    ["two queries", { logging_query: "q" }, [": has 2 queries (label_query, logging_query), exactly one is allowed"]],
    [
      "no condition",
      { series_conditions: { defaults: { warn: {} } } },
      ["series_conditions: needs at least one condition"],
    ],
    [
      "a condition that compares with nothing",
      { series_conditions: { overrides: [{ severity_conditions: { conditions: [{ op: "GT" }, { op: "" }] } }] } },
      ["series_conditions.overrides[0].severity_conditions.conditions[1].op: is required"],
    ],
    ["a negative interval", { interval_secs: -1 }, ["interval_secs: expected 0 or more seconds, got -1"]],
    [
      "two collections",
      { collection: { slug: "a" }, collection_slug: "b" },
      ['collection_slug: "b" differs from collection.slug "a"'],
    ],
    [
      "a zone that is none",
      schedule({ active: "ALL_DAY" }, "Mars/Phobos"),
      ['schedule.timezone: expected an IANA time zone like Europe/Berlin, got "Mars/Phobos"'],
    ],
    [
      "an offset for a zone",
      schedule({ active: "ALL_DAY" }, "+01:00"),
      ['schedule.timezone: expected an IANA time zone like Europe/Berlin, got "+01:00"'],
    ],
    ["a week without a zone", schedule({ active: "ALL_DAY" }, null), ["schedule.timezone: is required"]],
    [
      "times that are none",
      ranges("24:00", "8:00"),
      [
        'schedule.weekly_schedule.monday.ranges[0].start_hh_mm: expected HH:MM from 00:00 to 23:59, got "24:00"',
        'schedule.weekly_schedule.monday.ranges[0].end_hh_mm: expected HH:MM from 00:00 to 24:00, got "8:00"',
      ],
    ],
    [
      "ranges on a whole day",
      schedule({ active: "ALL_DAY", ranges: [{ start_hh_mm: "08:00", end_hh_mm: "09:00" }] }),
      ['schedule.weekly_schedule.monday.ranges: needs active "ONLY_DURING_RANGES", got "ALL_DAY"'],
    ],
    [
      "a limited day without ranges",
      schedule({ active: "ONLY_DURING_RANGES", ranges: [] }),
      ['schedule.weekly_schedule.monday.ranges: is required if active is "ONLY_DURING_RANGES"'],
    ],
    [
      "two groupings",
      { signal_grouping: { label_names: ["a"], signal_per_series: true } },
      ["signal_grouping: has both label_names and signal_per_series, only one is allowed"],
    ],
    [
      "several mistakes, all told",
      { label_query: null, interval_secs: -5, series_conditions: null },
      [
        "interval_secs: expected 0 or more seconds, got -5",
        ": needs a query (dotted_query, label_query or logging_query)",
        "series_conditions: needs at least one condition",
      ],
    ],
  ],
  accepted: [
    ["another query", { label_query: "", dotted_query: "a.b" }],
    ["conditions in overrides only", { series_conditions: { overrides: [{ severity_conditions: { conditions } }] } }],
    ["one collection, said twice", { collection: { slug: "a" }, collection_slug: "a" }],
    ["one collection, said once", { collection: { slug: "a" }, collection_slug: "" }],
    ["an end at midnight", ranges("08:00", "24:00")],
    ["a zone", schedule({ active: "NEVER" }, "UTC")],
    [
      "an operator that nobody has seen",
      { series_conditions: { defaults: { warn: { conditions: [{ op: "ABOUT" }] } } } },
    ],
    [
      "a day that nobody has seen",
      schedule({ active: "FULL_MOON", ranges: [{ start_hh_mm: "00:00", end_hh_mm: "24:00" }] }),
    ],
    ["an empty schedule", { schedule: {} }],
    ["one grouping", { signal_grouping: { label_names: [], signal_per_series: true } }],
  ],
});

const badTag = { tags: [{ key: "a" }] };
rulesOf(traceMetricsRule, {
  refused: [
    ["no metric name", { metric_name: "" }, ["metric_name: is required"]],
    ["no trace filter", { trace_filter: null }, ["trace_filter: is required"]],
    [
      "buckets that do not ascend",
      { histogram_buckets_secs: [0.1, 0.1, 2, 1] },
      [
        "histogram_buckets_secs[1]: expected more than the one before it, 0.1, got 0.1",
        "histogram_buckets_secs[3]: expected more than the one before it, 2, got 1",
      ],
    ],
    [
      "tags that match nothing",
      {
        trace_filter: { span: [{}, badTag], scope_filter: { span_scopes: [badTag] } },
        scope_filter: { span_scopes: [badTag] },
      },
      [
        "trace_filter.span[1].tags[0]: needs value or numeric_value",
        "trace_filter.scope_filter.span_scopes[0].tags[0]: needs value or numeric_value",
        "scope_filter.span_scopes[0].tags[0]: needs value or numeric_value",
      ],
    ],
  ],
  accepted: [
    ["an empty trace filter", { trace_filter: {} }],
    [
      "tags by text and by number",
      {
        trace_filter: {
          span: [
            {
              tags: [
                { key: "a", value: {} },
                { key: "b", numeric_value: { value: 0 } },
              ],
            },
          ],
        },
      },
    ],
    ["ascending buckets", { histogram_buckets_secs: [0, 0.5] }],
  ],
});

const type = (type: string, more: object) => ({ configuration: { type, ...more } });
const log_dataset = {};
rulesOf(dataset, {
  refused: [
    ["no configuration", { configuration: null }, ["configuration: is required"]],
    ["no type", type("", { log_dataset }), ["configuration.type: is required"]],
    [
      "the configuration of another type",
      type("LOGS", { trace_dataset: {} }),
      [
        'configuration.log_dataset: is required if type is "LOGS"',
        'configuration.trace_dataset: is not allowed if type is "LOGS"',
      ],
    ],
    [
      "two configurations",
      type("TRACES", { trace_dataset: {}, log_dataset }),
      ['configuration.log_dataset: is not allowed if type is "TRACES"'],
    ],
    [
      "none for an unseen type",
      type("PROFILES", {}),
      ["configuration: needs exactly one of log_dataset or trace_dataset"],
    ],
    [
      "a tag that matches nothing",
      type("TRACES", { trace_dataset: { match_criteria: { span: [badTag] } } }),
      ["configuration.trace_dataset.match_criteria.span[0].tags[0]: needs value or numeric_value"],
    ],
  ],
  accepted: [
    ["traces", type("TRACES", { trace_dataset: { match_criteria: { trace: { error: {} } } } })],
    ["an unseen type", type("PROFILES", { log_dataset })],
    ["a type named like a method", type("constructor", { log_dataset })],
  ],
});

rulesOf(derivedMetric, {
  refused: [
    ["no metric name", { metric_name: null }, ["metric_name: is required"]],
    ["no query", { queries: [] }, ["queries: expected at least one query, got none"]],
  ],
  accepted: [
    ["two queries", { queries: [{ query: { label_expr: "a" } }, { query: { label_expr: "b" }, selector: {} }] }],
  ],
});

rulesOf(cloudxMetricsIntegration, {
  refused: [
    ["no principal", { principal: null }, ["principal: is required"]],
    ["an empty principal", { principal: {} }, ["principal.client_id: is required", "principal.tenant_id: is required"]],
    ["half a principal", { principal: { client_id: "a" } }, ["principal.tenant_id: is required"]],
  ],
  accepted: [["empty lists", { scrape_config: { locations: [], resource_types: [{ name: "vm", metric_names: [] }] } }]],
});

const events = { total_query_template: "t", good_query_template: "g" };
const timeslices = { query_template: "q", condition: { op: "GT" }, timeslice_size: "S" };
rulesOf(slo, {
  refused: [
    ["no definition", { definition: null }, ["definition: is required"]],
    [
      "an objective of 100",
      { definition: { objective: 100 } },
      ["definition.objective: expected more than 0 and less than 100 percent, got 100"],
    ],
    ["no objective", { definition: {} }, ["definition.objective: is required"]],
    ["no indicator", { sli: {} }, ["sli: needs exactly one of custom_indicator or custom_timeslice_indicator"]],
    [
      "two indicators",
      { sli: { custom_indicator: events, custom_timeslice_indicator: timeslices } },
      ["sli: needs exactly one of custom_indicator or custom_timeslice_indicator"],
    ],
    [
      "an empty indicator",
      { sli: { custom_indicator: {} } },
      [
        "sli.custom_indicator.total_query_template: is required",
        "sli.custom_indicator: needs exactly one of good_query_template or bad_query_template",
      ],
    ],
    [
      "good and bad",
      { sli: { custom_indicator: { ...events, bad_query_template: "b" } } },
      ["sli.custom_indicator: needs exactly one of good_query_template or bad_query_template"],
    ],
    [
      "a timeslice without a query",
      { sli: { custom_timeslice_indicator: {} } },
      ["query_template", "condition", "timeslice_size"].map(
        (name) => `sli.custom_timeslice_indicator.${name}: is required`,
      ),
    ],
    [
      "durations that are none",
      {
        definition: {
          objective: 99,
          time_window: "28 days",
          enable_burn_rate_alerting: true,
          burn_rate_alerting_config: [{ window: "0h", budget: 1 }, { budget: 1 }],
        },
      },
      [
        'definition.time_window: expected a duration like 90m, 24h, 28d or 4w, of at most 90 days, got "28 days"',
        'definition.burn_rate_alerting_config[0].window: expected a duration like 90m, 24h, 28d or 4w, of at most 90 days, got "0h"',
        "definition.burn_rate_alerting_config[1].window: is required",
      ],
    ],
  ],
  accepted: [
    ["good events", { sli: { custom_indicator: events } }],
    ["timeslices", { sli: { custom_timeslice_indicator: timeslices } }],
    ...["90m", "24h", "28d", "4w"].map(
      (time_window) => [time_window, { definition: { objective: 0.1, time_window } }] as const,
    ),
  ],
});

describe("what was not sent is not answered:", () => {
  test("no interval of a monitor", async () => {
    expect((await create(await start(), monitor, "m", { interval_secs: null })).body.monitor).not.toHaveProperty(
      "interval_secs",
    );
  });

  test("no time window of an SLO, and no burn-rate alerts", async () => {
    const definition = { objective: 99, enable_burn_rate_alerting: true };
    expect((await create(await start(), slo, "s", { definition })).body.slo.definition).toEqual(definition);
  });
});

describe("LogAllocationConfig", () => {
  const { path, key } = logAllocationConfig;
  const share = (dataset_slug: string, percent_of_license: number) => ({
    dataset_slug,
    allocation: { percent_of_license },
  });
  const post = async (dataset_allocations: readonly object[], rest = 0) => {
    const client = await start();
    for (const slug of ["a", "b", "c"]) await create(client, dataset, slug);
    const default_dataset = { allocation: { percent_of_license: rest } };
    return client.post(path, { [key]: { dataset_allocations, default_dataset } });
  };

  test("is refused with shares outside of 0 to 100, or over 100 in sum", async () => {
    expect(problemsOf(await post([share("a", -1)], 101))).toEqual([
      "dataset_allocations[0].allocation.percent_of_license: expected 0 to 100, got -1",
      "default_dataset.allocation.percent_of_license: expected 0 to 100, got 101",
    ]);
    expect(problemsOf(await post([share("a", 50.5)], 50))).toEqual([
      ": allocates 100.5 percent of the license, at most 100 are allowed",
    ]);
  });

  test("is refused with a dataset twice, or none", async () => {
    expect(problemsOf(await post([share("a", 1), share("", 1), share("a", 1)]))).toEqual([
      "dataset_allocations[1].dataset_slug: is required",
      'dataset_allocations[2].dataset_slug: dataset "a" is allocated twice',
    ]);
  });

  test("is accepted with shares whose sum is 100 but for floating point, in the order sent", async () => {
    const shares = [share("c", 33.3), share("a", 33.3), share("b", 33.3)];
    const answer = await post(shares, 0.1);
    expect(answer.body[key].dataset_allocations).toEqual(shares);
  });

  test("is accepted empty", async () => {
    expect((await post([])).status).toBe(200);
  });
});
