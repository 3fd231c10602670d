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
const tooLarge =
  "is too large: a request has at most 20000 characters of queries and regular expressions, with counted repeats written out";

test.each([
  // RE2 itself refuses repeats that come to more than 1,000.
  ["((a{10}){10}){20}", "is not a valid regular expression: invalid repeat count"],
  ["((a{5}){10}){20}".repeat(3), tooLarge],
  [`${"a".repeat(21)}{1000}`, tooLarge],
  ["x".repeat(20_001), tooLarge],
])("a regular expression that would take long to compile is refused (%#)", async (pattern, problem) => {
  const answer = await create(await start(), monitor, "m", overrides(pattern));
  const path = "series_conditions.overrides[0].label_matchers[0].value";
  expect(problemsOf(answer)[0]).toContain(`${path}: ${problem}`);
});

test("regular expressions and queries of one request count together", async () => {
  const client = await start();
  const write = (...lengths: readonly number[]) =>
    create(client, monitor, "m", {
      label_query: "a".repeat(10_000),
      ...overrides(...lengths.map((n) => "x".repeat(n))),
    });
  expect(problemsOf(await write(3_000, 7_000))).toEqual([]);
  expect(problemsOf(await write(3_000, 7_001))).toEqual([`label_query: ${tooLarge}`]);
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
  const query = async (label_query: string) => problemsOf(await create(client, monitor, "m", { label_query }));
  expect(await query(`a{b="${"(((-^ or ".repeat(300)}"}`)).toEqual([]);
  expect(await query(`sum(a)${' or sum by (x) (rate(b{c="d"}[5m]))'.repeat(400)}`)).toEqual([]);
  expect(await query(`a${" or b".repeat(1_000)}`)).toEqual([]);
  expect((await query(`a${" or b".repeat(80)} or )`))[0]).toContain("label_query: is not valid PromQL: syntax error");
});

test.each([
  [`a${" or b".repeat(1_001)}`, "is too long: expected at most 1000 operators, each on the result of another"],
  [`${"(".repeat(101)}a${")".repeat(101)}`, "is too deep: expected at most 100 levels of brackets and functions"],
  ["a".repeat(20_001), tooLarge],
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
