import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ownService } from "../support/service.js";
import { accepted, type Change, meaningless, wrong } from "./problems.js";
import {
  type Client,
  clientOf,
  create,
  dataset,
  derivedMetric,
  monitor,
  problemsOf,
  sampleOf,
  start,
} from "./service.js";

let client: Client;
beforeAll(async () => {
  client = clientOf(await ownService());
  // What a log allocation refers to.
  for (const slug of ["d0", "d1", "d2"]) await create(client, dataset, slug);
});

/** JSON with infinite numbers, which JSON.stringify would write as null. */
const jsonOf = (value: unknown): string =>
  (JSON.stringify(value, (_, each) => (Math.abs(each) === Infinity ? `@${each}` : each)) ?? "left out").replace(
    /"@(-?)Infinity"/g,
    "$11e400",
  );

function write(to: Client, { kind, object }: Change, dry_run: boolean) {
  const { path, key, createdBy, example } = sampleOf(kind);
  const text = jsonOf({ [key]: object, create_if_missing: true, dry_run });
  return createdBy === "POST" ? to.post(path, text) : to.put(`${path}/${String(example.slug)}`, text);
}

/** For the document: what a reader would not see becomes an escape, and long runs of a letter are cut. */
const visible = (text: string) =>
  text
    .replace(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, (each) =>
      each === " " ? each : `\\u{${each.codePointAt(0)?.toString(16)}}`,
    )
    .replace(/(\w)\1{99,}/g, (run, letter: string) => `${letter.repeat(3)}… (${run.length} characters)`);

test("dry run and write reject each mistake alike, and nothing is stored", async () => {
  const before = client.service.counters().requests.filter(({ status }) => status === 200);
  const chapters: string[] = [];
  for (const [rule, changes] of [...Object.entries(meaningless), ...Object.entries(wrong)]) {
    const lines: string[] = [];
    for (const change of changes.flat()) {
      const { kind, path, value } = change;
      const place = `${kind}  ${path}${path && ": "}${jsonOf(value)}`;
      const [dry, real] = [await write(client, change, true), await write(client, change, false)];
      expect([real.status, real.body.code], place).toEqual([400, 400008]);
      expect(dry.body, place).toEqual(real.body);
      lines.push(place, ...problemsOf(real).map((problem) => `    ${problem}`));
    }
    chapters.push(`## ${rule}\n\n\`\`\`text\n${lines.map(visible).join("\n")}\n\`\`\``);
  }
  await expect(`# What the service rejects, and why\n\n${chapters.join("\n\n")}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "problems.snap.md"),
  );
  expect(client.service.counters().requests.filter(({ status }) => status === 200)).toEqual(before);
});

test.each(accepted.flat())("$kind with $path: $value looks wrong and is accepted", async (change) => {
  const answer = await write(client, change, true);
  expect([problemsOf(answer), answer.body]).toEqual([[], {}]);
});

test("the table in service/README.md has every rule", () => {
  const readme = readFileSync(new URL("../../service/README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| (.+?) +\| .+ \|$/gm)].map(([, rule]) => rule);
  for (const rule of Object.keys(meaningless)) expect(rows).toContain(rule);
});

test.each([{ queryCheck: false }, { operations: "described" }] as const)(
  "a service with %o takes queries that are no PromQL, but no blank ones",
  async (options) => {
    const to = await start(options);
    expect((await create(to, monitor, "m", { label_query: "no promql" })).status).toBe(200);
    expect((await create(to, monitor, "m", { label_query: " " })).status).toBe(400);
    expect((await create(to, derivedMetric, "d", { queries: [{ query: { label_expr: "a b" } }] })).status).toBe(200);
  },
);
