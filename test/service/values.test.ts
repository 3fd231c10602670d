import { describe, expect, test } from "vitest";
import { create, monitor, notifier, problemsOf, slo, start, traceMetricsRule } from "./service.js";

const withEmail = (changes: object) => ({ notifier: { ...notifier.valid, slug: "n", ...changes } });

describe("what was sent", () => {
  test("is what is answered, in its order, with zeros and odd keys, plus the timestamps", async () => {
    const client = await start();
    const resource = {
      ...monitor.valid,
      slug: "m",
      labels: JSON.parse('{"Ünï.code/key":"","__proto__":"a\\u0000b","constructor":"b","created_at":"c","a.b[0]":"e"}'),
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
    expect(JSON.stringify(rest.labels)).toBe(JSON.stringify(resource.labels));
    for (const time of [created_at, updated_at]) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("keeps empty objects and exact numbers, which say something", async () => {
    const client = await start();
    const fields = {
      trace_filter: { trace: { error: {}, duration: {} }, span: [{}] },
      histogram_buckets_secs: [1e-9, 0.1, 1e21],
    };
    await create(client, traceMetricsRule, "r", fields);
    expect((await client.get("/trace-metrics-rules/r")).body.trace_metrics_rule).toMatchObject(fields);
  });

  test("says nothing of an interval, a time window and burn-rate alerts that are missing", async () => {
    const client = await start();
    const made = await create(client, monitor, "m", { interval_secs: null });
    expect(made.body.monitor).not.toHaveProperty("interval_secs");
    const definition = { objective: 99, enable_burn_rate_alerting: true };
    expect((await create(client, slo, "s", { definition })).body.slo.definition).toEqual(definition);
  });
});

test("a null is absent at any depth", async () => {
  const client = await start();
  const answer = await client.post("/notifiers", {
    dry_run: null,
    ...withEmail({ chat: null, discard: null, email: { to: "a@b", html: null }, created_at: null }),
  });
  const { created_at, updated_at, ...rest } = answer.body.notifier;
  expect(rest).toEqual({ name: "A Notifier", slug: "n", email: { to: "a@b" } });
});

test("a zero is answered, and means absent to every rule", async () => {
  const client = await start();
  const zeros = { dotted_query: "", logging_query: "", collection_slug: "", interval_secs: 0 };
  expect((await create(client, monitor, "m", zeros)).body.monitor).toMatchObject(zeros);
});

test.each([false, true])("timestamps that a client sends are ignored (strict: %s)", async (strict) => {
  const client = await start({ strict });
  const zero = "0001-01-01T00:00:00.000Z";
  const answer = await client.post("/notifiers", withEmail({ created_at: zero, updated_at: 7 }));
  expect(answer.body.notifier.created_at > "2020").toBe(true);
});

describe("unknown fields", () => {
  const body = { ...withEmail({ email: { to: "a@b", cc: "b" }, nmae: 1 }), create_if_missing: true };

  test("are ignored and not kept", async () => {
    const { body: answered } = await (await start()).post("/notifiers", body);
    expect(answered.notifier.email).toEqual({ to: "a@b" });
    expect(answered.notifier).not.toHaveProperty("nmae");
  });

  test("are refused by path when the service is strict", async () => {
    expect(problemsOf(await (await start({ strict: true })).post("/notifiers", body))).toEqual([
      "email.cc: unknown field",
      "nmae: unknown field",
      "create_if_missing: unknown field",
    ]);
  });
});

test("a wrong type is refused without its value, which may be a secret", async () => {
  const { body } = await (
    await start()
  ).post("/notifiers", {
    notifier: { name: "n", oncall_a: { api_key: 31337, http_config: { bearer_token: ["hush"] } } },
  });
  expect(body.errors).toHaveLength(2);
  expect(JSON.stringify(body)).not.toMatch(/31337|hush/);
});

test.each([
  [100_000, "of wrong types", monitor, { signal_grouping: { label_names: new Array(100_000).fill(1) } }],
  [99_999, "found by a rule", traceMetricsRule, { histogram_buckets_secs: new Array(100_000).fill(1) }],
])("%i problems %s are counted, and a hundred are told", async (count, _sort, sample, changes) => {
  const { body } = await create(await start(), sample, "m", changes);
  expect(body.errors).toHaveLength(100);
  expect(body.message).toMatch(/^the (monitor|trace metrics rule) is invalid: /);
  expect(body.message).toContain(`; and ${count - 5} more`);
});
