import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ownService } from "../support/service.js";
import { document, file, linesIn, readLine } from "./rejected.js";
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

/** Sends what a line of the document says. */
function write(client: Client, line: string, dry_run: boolean) {
  const { kind, json } = readLine(line);
  const { path, key, createdBy, example } = sampleOf(kind);
  const body = `{"${key}":${json},"create_if_missing":true,"dry_run":${dry_run}}`;
  return createdBy === "POST" ? client.post(path, body) : client.put(`${path}/${String(example.slug)}`, body);
}

/** Escapes what a reader would not see. */
const visible = (text: string) =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, (each) =>
    each.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );

let client: Client;

beforeAll(async () => {
  client = clientOf(await ownService());
  // What a log allocation refers to.
  for (const slug of ["d0", "d1", "d2"]) await create(client, dataset, slug);
});

/** The document again, with the answers that the service gives. */
test("dry run and write reject alike, and with the reviewed problems, what the document says", async () => {
  const answered: string[] = [];
  for (const { line, sort } of linesIn(document)) {
    if (sort !== "answer") answered.push(line);
    if (sort !== "case") continue;
    const dry = await write(client, line, true);
    if (dry.status === 200) answered.push("    accepted");
    else {
      const real = await write(client, line, false);
      expect([real.status, real.body.code, real.body], line).toEqual([400, 400008, dry.body]);
      answered.push(...problemsOf(real).map((problem) => `    ${visible(problem)}`));
    }
  }
  await expect(`${answered.join("\n")}\n`).toMatchFileSnapshot(file);
});

test("the document has every rule of the table in service/README.md", () => {
  const readme = readFileSync(join(import.meta.dirname, "../../service/README.md"), "utf8");
  const [, section = ""] = readme.split("## Rejected values");
  const rules = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| (?!Rule|---)(.+?) +\|/gm)].map(([, rule]) => rule);
  expect(rules.length).toBeGreaterThan(25);
  const headings = [...document.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(rules.filter((rule) => !headings.includes(rule))).toEqual([]);
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
