import { describe, expect, test } from "vitest";
import { create, monitor, notifier, problemsOf, slo, start, traceMetricsRule } from "./service.js";

const withEmail = (changes: object) => ({ notifier: { ...notifier.valid, slug: "n", ...changes } });

describe("what was sent", () => {
  test("is what is answered, plus the timestamps", async () => {
    const client = await start();
    const resource = {
      ...monitor.valid,
      slug: "m",
      labels: { "Ünï.code/key": "", team: "a\u0000b" },
      annotations: {},
      bucket_slug: "",
      signal_grouping: { label_names: ["c", "b", "a"], signal_per_series: false },
      series_conditions: { defaults: { warn: { conditions: [{ op: "GT" }] }, critical: {} }, overrides: [] },
    };
    const put = await client.put("/monitors/m", { monitor: resource, create_if_missing: true });
    const got = await client.get("/monitors/m");
    const { created_at, updated_at, ...rest } = got.body.monitor;
    expect(put.body).toEqual(got.body);
    expect(rest).toEqual(resource);
    for (const time of [created_at, updated_at]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("keeps empty objects, which say something", async () => {
    const client = await start();
    await create(client, traceMetricsRule, "r", { trace_filter: { trace: { error: {}, duration: {} }, span: [{}] } });
    const { body } = await client.get("/trace-metrics-rules/r");
    expect(body.trace_metrics_rule.trace_filter).toEqual({ trace: { error: {}, duration: {} }, span: [{}] });
  });

  test("keeps user maps whatever their keys are called", async () => {
    const client = await start();
    const labels = JSON.parse('{"__proto__":"a","constructor":"b","created_at":"c","slug":"d","a.b[0]":"e"}');
    await client.put(
      "/monitors/m",
      `{"create_if_missing":true,"monitor":${JSON.stringify({ ...monitor.valid, labels })}}`,
    );
    const { body } = await client.get("/monitors/m");
    expect(JSON.stringify(body.monitor.labels)).toBe(JSON.stringify(labels));
  });

  test("keeps numbers exactly, and refuses integers that it could not", async () => {
    const client = await start();
    await create(client, traceMetricsRule, "r", { histogram_buckets_secs: [1e-9, 0.1, 1e21] });
    const { body } = await client.get("/trace-metrics-rules/r");
    expect(body.trace_metrics_rule.histogram_buckets_secs).toEqual([1e-9, 0.1, 1e21]);
    const interval = (text: string) =>
      client.put(
        "/monitors/m",
        JSON.stringify({ monitor: monitor.valid }).replace('"interval_secs":30', `"interval_secs":${text}`),
      );
    const answer = await interval("9007199254740993");
    expect(problemsOf(answer)).toEqual(["interval_secs: is too large for an exact integer"]);
    expect(problemsOf(await interval("1e999"))).toEqual(["interval_secs: is too large for a number"]);
  });
});

test("an interval, a time window and burn-rate alerts that were not sent are not answered", async () => {
  const client = await start();
  const made = await create(client, monitor, "m", { interval_secs: null });
  expect(made.body.monitor).not.toHaveProperty("interval_secs");
  const definition = { objective: 99, enable_burn_rate_alerting: true };
  expect((await create(client, slo, "s", { definition })).body.slo.definition).toEqual(definition);
});

describe("null", () => {
  test("is absent, at any depth", async () => {
    const client = await start();
    const answer = await client.post("/notifiers", {
      dry_run: null,
      ...withEmail({ chat: null, discard: null, email: { to: "a@b", html: null }, created_at: null }),
    });
    const { created_at, updated_at, ...rest } = answer.body.notifier;
    expect(rest).toEqual({ name: "A Notifier", slug: "n", email: { to: "a@b" } });
  });

  test("is no item of an array and no value of a map", async () => {
    const client = await start();
    const answer = await client.put("/monitors/m", {
      monitor: { ...monitor.valid, labels: { a: null }, signal_grouping: { label_names: [null] } },
      create_if_missing: true,
    });
    expect(problemsOf(answer)).toEqual([
      "labels.a: expected a string, got null",
      "signal_grouping.label_names[0]: expected a string, got null",
    ]);
  });
});

describe("zero", () => {
  test("means absent to every rule", async () => {
    const client = await start();
    const put = (changes: object) =>
      client.put("/monitors/m", { monitor: { ...monitor.valid, ...changes }, create_if_missing: true });
    expect((await put({ slug: "", dotted_query: "", logging_query: "", collection_slug: "" })).status).toBe(200);
    expect((await put({ interval_secs: 0 })).body.monitor.interval_secs).toBe(0);
    expect(problemsOf(await put({ name: "" }))).toEqual(["name: is required"]);
    expect(problemsOf(await put({ name: null }))).toEqual(["name: is required"]);
  });
});

describe("fields that a client does not decide", () => {
  test("are ignored, as generated clients send them in every body", async () => {
    for (const strict of [false, true]) {
      const client = await start({ strict });
      const zero = "0001-01-01T00:00:00.000Z";
      const answer = await client.post("/notifiers", withEmail({ created_at: zero, updated_at: zero }));
      expect(answer.status).toBe(200);
      expect(answer.body.notifier.created_at > "2020").toBe(true);
      expect((await client.post("/notifiers", withEmail({ slug: "o", created_at: 7 }))).status).toBe(200);
    }
  });
});

describe("unknown fields", () => {
  const body = { ...withEmail({ email: { to: "a@b", cc: "b" }, nmae: 1 }), create_if_missing: true };

  test("are ignored and not kept", async () => {
    const client = await start();
    const { status, body: answered } = await client.post("/notifiers", body);
    expect(status).toBe(200);
    expect(answered.notifier.email).toEqual({ to: "a@b" });
    expect(answered.notifier).not.toHaveProperty("nmae");
  });

  test("are refused by path when the service is strict", async () => {
    const client = await start({ strict: true });
    expect(problemsOf(await client.post("/notifiers", body))).toEqual([
      "email.cc: unknown field",
      "nmae: unknown field",
      "create_if_missing: unknown field",
    ]);
  });
});

describe("wrong types", () => {
  test("are all told at once, by path", async () => {
    const client = await start();
    const answer = await client.put("/slos/s", {
      slo: {
        name: 7,
        labels: ["a"],
        definition: { objective: "99.9", enable_burn_rate_alerting: "yes", burn_rate_alerting_config: {} },
        sli: { custom_dimension_labels: [1, "b"] },
      },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe(400008);
    expect([...problemsOf(answer)].sort()).toEqual([
      "definition.burn_rate_alerting_config: expected an array, got an object",
      "definition.enable_burn_rate_alerting: expected a boolean, got a string",
      "definition.objective: expected a number, got a string",
      "labels: expected an object, got an array",
      "name: expected a string, got a number",
      "sli.custom_dimension_labels[0]: expected a string, got a number",
    ]);
    expect(answer.body.message).toContain("the SLO is invalid: ");
    expect(answer.body.message).toContain("; and 1 more");
  });

  test("of integers name the number", async () => {
    const client = await start();
    const answer = await client.put("/monitors/m", { monitor: { ...monitor.valid, interval_secs: 1.5 } });
    expect(problemsOf(answer)).toEqual(["interval_secs: expected an integer, got 1.5"]);
  });

  test("never repeat a value that may be a secret", async () => {
    const client = await start();
    const { body } = await client.post("/notifiers", {
      notifier: { name: "n", oncall_a: { api_key: 31337, http_config: { bearer_token: ["hush"] } } },
    });
    expect(JSON.stringify(body)).not.toMatch(/31337|hush/);
  });

  test("in a map are told by key", async () => {
    const client = await start();
    const answer = await client.put("/slos/s", { slo: { ...slo.valid, labels: { "0": 1, "a.b/c": 2 } } });
    expect(problemsOf(answer)).toEqual([
      'labels["0"]: expected a string, got a number',
      'labels["a.b/c"]: expected a string, got a number',
    ]);
  });

  test("by the hundred thousand are counted, and a hundred are told", async () => {
    const client = await start();
    const conditions = (items: readonly object[]) => ({
      series_conditions: { defaults: { warn: { conditions: items } } },
    });
    for (const [count, changes] of [
      [125_000, { signal_grouping: { label_names: new Array(125_000).fill(1) } }],
      [300_000, conditions(new Array(300_000).fill({}))],
      [125_000, { series_conditions: { overrides: new Array(125_000).fill(7) } }],
    ] as const) {
      const answer = await client.put("/monitors/m", { monitor: { ...monitor.valid, ...changes } });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toHaveLength(100);
      expect(answer.body.message).toContain(`; and ${count - 5} more`);
    }
  });

  test("by the hundred thousand are counted too if a rule finds them", async () => {
    const client = await start();
    const histogram_buckets_secs = new Array(125_001).fill(1);
    const rule = { ...traceMetricsRule.valid, histogram_buckets_secs };
    const answer = await client.put("/trace-metrics-rules/r", { trace_metrics_rule: rule });
    expect(answer.body.errors).toHaveLength(100);
    expect(answer.body.message).toContain("; and 124995 more");
  });
});
