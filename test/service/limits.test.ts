import { expect, test } from "vitest";
import { create, derivedMetric, monitor, notifier, problemsOf, start } from "./service.js";

const overrides = (...values: readonly string[]) => ({
  series_conditions: {
    defaults: { critical: { conditions: [{ op: "GT" }] } },
    overrides: values.map((value) => ({
      label_matchers: [{ name: "a", type: "REGEX", value }],
      severity_conditions: { conditions: [{ op: "GT" }] },
    })),
  },
});
test.each([
  // RE2 itself refuses this one, whose repeats come to more than 1,000.
  ["(((a{10}){10}){10}){20}", "is no regular expression: invalid repeat count"],
  ["(a{0,1000}){1}".repeat(30), "is too large: with its repeats written out it has about 30030 characters"],
  [String.raw`[\pL\PN]`.repeat(600), "is too large: with its repeats written out it has about 28800 characters"],
  [String.raw`(a{1000}\Q(\E){30}`, "is too large: with its repeats written out it has about 30180 characters"],
  ["x".repeat(10_001), "expected an expression of at most 10000 characters, got 10001"],
])("a regular expression that would take long to compile is refused (%#)", async (pattern, problem) => {
  const answer = await create(await start(), monitor, "m", overrides(pattern));
  const path = "series_conditions.overrides[0].label_matchers[0].value";
  expect(problemsOf(answer)[0]).toContain(`${path}: ${problem}`);
});

test("regular expressions of an ordinary size are taken", async () => {
  const patterns = [
    "[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}",
    Array.from({ length: 900 }, (_, i) => `node-${i}`).join("|"),
    String.raw`(\d{1,3}\.){3}\d{1,3}:[0-9]{1,5}`,
    "a{1000}",
    String.raw`[\])(]+\Q(((\E[[:alpha:](]{20}`,
  ];
  expect(problemsOf(await create(await start(), monitor, "m", overrides(...patterns)))).toEqual([]);
});

test("a chain of 1,000 operators is PromQL, and those inside of texts count as nothing", async () => {
  const client = await start();
  const n = 1_000;
  const text = `a{b="${"(((-^ or ".repeat(300)}"}`;
  expect(problemsOf(await create(client, monitor, "t", { label_query: text }))).toEqual([]);
  const query = `sum(a)${' or sum by (x) (rate(b{c="d"}[5m]))'.repeat(n)}`;
  expect(problemsOf(await create(client, monitor, "m", { label_query: query }))).toEqual([]);
  expect(problemsOf(await create(client, monitor, "n", { label_query: `a${" + a * 2".repeat(n / 2)}` }))).toEqual([]);
  const broken = await create(client, monitor, "o", { label_query: `a${" or b".repeat(n - 1)} or )` });
  expect(problemsOf(broken)[0]).toContain("label_query: is no PromQL: syntax error");
});

test.each([
  [`a${" or b".repeat(5_000)}`, "is too long: expected at most 1000 operators, got 5000;"],
  [`${"(".repeat(201)}a${")".repeat(201)}`, "is too deep: at most 200 brackets, powers and signs"],
  [`a${"^a".repeat(201)}`, "is too deep: at most 200 brackets, powers and signs"],
  [`${"-".repeat(900)}a`, "is too deep: at most 200 brackets, powers and signs"],
  // Whether the stack is full depends on the engine.
  [`a${"[1m:]".repeat(13_000)}`, "is "],
  ["a".repeat(65_537), "expected an expression of at most 65536 characters, got 65537"],
])("PromQL beyond the limits is refused by them (%#)", async (query, problem) => {
  const client = await start();
  expect(problemsOf(await create(client, monitor, "m", { label_query: query }))[0]).toContain(
    `label_query: ${problem}`,
  );
  const queries = [{ query: { label_expr: query } }];
  expect(problemsOf(await create(client, derivedMetric, "m", { queries }))[0]).toContain(
    `queries[0].query.label_expr: ${problem}`,
  );
});

test("a filter by parts of a text takes at most 20 values of 200 characters", async () => {
  const client = await start();
  await create(client, notifier, "n");
  const list = (values: readonly string[]) =>
    client.get(`/notifiers?${values.map((value) => `name_contains=${value}`).join("&")}`);
  const values = (n: number) => Array.from({ length: n }, (_, i) => `value${i}`);
  expect((await list(values(20))).status).toBe(200);
  expect(problemsOf(await list(values(21)))).toEqual(["name_contains: expected at most 20 values, got 21"]);
  expect(problemsOf(await list(["x".repeat(201)]))).toEqual([
    "name_contains: expected values of at most 200 characters",
  ]);
});
