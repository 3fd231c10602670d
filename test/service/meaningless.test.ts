import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../../service/dist/server.js";
import { meaningful, meaningless } from "./meaningless.js";
import {
  type Answer,
  type Client,
  clientOf,
  type KindSample,
  logAllocationConfig,
  problemsOf,
  start,
} from "./service.js";

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await startService();
  client = clientOf(service);
});
afterAll(() => service.close());

type Changes = Readonly<Record<string, unknown>>;

function write(
  to: Client,
  { path, key, createdBy, valid }: KindSample,
  changes: Changes,
  dry_run: boolean,
): Promise<Answer> {
  // JSON.stringify would write Infinity as null.
  const text = JSON.stringify({ [key]: { ...valid, ...changes }, create_if_missing: true, dry_run }, (_, value) =>
    value === Infinity || value === -Infinity ? `@${value}` : value,
  ).replace(/"@(-?)Infinity"/g, "$11e400");
  return createdBy === "POST" ? to.post(path, text) : to.put(`${path}/${key.replaceAll("_", "-")}`, text);
}

describe.each(Object.entries(meaningless))("%s", (_rule, violations) => {
  test.each(violations)("or a $kind is refused, by dry run and write alike", async (sample, changes, problem) => {
    const [dry, real] = [await write(client, sample, changes, true), await write(client, sample, changes, false)];
    expect(problemsOf(real)[0]).toBe(problem);
    expect([real.status, real.body.code]).toEqual([400, 400008]);
    expect([dry.status, dry.body]).toEqual([real.status, real.body]);
  });
});

test.each(meaningful)("what only looks meaningless is accepted: %#, a $kind", async (sample, changes) => {
  const answer = await write(client, sample, changes, true);
  expect([problemsOf(answer), answer.status]).toEqual([[], 200]);
});

test("the table in service/README.md has every rule", () => {
  const readme = readFileSync(new URL("../../service/README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| (.+?) +\| .+ \|$/gm)].map(([, rule]) => rule);
  for (const rule of Object.keys(meaningless)) expect(rows).toContain(rule);
});

describe("queries", () => {
  const wrong = { label_query: "no promql" };
  test.each([{ queryCheck: false }, { operations: "described" }] as const)(
    "are not parsed with %o",
    async (options) => {
      const to = await start(options);
      const { monitor } = await import("./service.js");
      expect((await write(to, monitor, wrong, true)).status).toBe(200);
      expect((await write(to, monitor, { label_query: " " }, true)).status).toBe(400);
    },
  );
});

test("an endless number is refused in an allocation too, and nothing is stored", async () => {
  const answer = await write(
    client,
    logAllocationConfig,
    { default_dataset: { allocation: { percent_of_license: -Infinity } } },
    false,
  );
  expect(answer.status).toBe(400);
  expect((await client.get(logAllocationConfig.path)).status).toBe(404);
});
