import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ownService } from "../support/service.js";
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

/** What a line of the document begins with, if not with a kind: another object than the example of the kind. */
const variants: Readonly<Record<string, object>> = {
  "SLO with timeslices": {
    name: "s",
    definition: { objective: 99 },
    sli: { custom_timeslice_indicator: { query_template: "q", condition: { op: "GT" }, timeslice_size: "S" } },
  },
  "Notifier with email": { name: "n", email: { to: "team@example.com" } },
  "Notifier with oncall_a": { name: "n", oncall_a: { api_key: "k" } },
  "Notifier with oncall_c": { name: "n", oncall_c: { api_key: "k", routing_key: "r" } },
  "Notifier with chat": { name: "n", chat: { api_url: "https://chat.example.com/hook" } },
  "Notifier with webhook": { name: "n", webhook: { url: "https://h" } },
  LogAllocationConfig: { dataset_allocations: [{ dataset_slug: "d0", allocation: { percent_of_license: 40 } }] },
};

/** Changes one place of an object; the place may be missing so far. */
function changed(object: any, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const copy = /^\d+$/.test(step) ? [...(object ?? [])] : { ...object };
  copy[step] = changed(copy[step], rest, value);
  return copy;
}

/** Sends what a line says: `Monitor  interval_secs: -1` changes a place, `SLO  {"sli":{}}` fields of the object. */
function write(client: Client, line: string, dry_run: boolean) {
  const [, object = "", place = "", value = ""] = /^([\w ]+?) {2}(?:([\w.[\]]+): )?(.+)$/.exec(line) ?? [];
  const { path, key, createdBy, example } = sampleOf(object.split(" ")[0] ?? "");
  // JSON.stringify would write the infinite number 1e400 as null, so the value is sent as the text that it is.
  const hole = "the value of the line";
  const valid = variants[object] ?? example;
  const resource = place === "" ? { ...valid, ...JSON.parse(value) } : changed(valid, place.match(/\w+/g) ?? [], hole);
  const body = JSON.stringify({ [key]: resource, create_if_missing: true, dry_run }).replace(`"${hole}"`, () => value);
  return createdBy === "POST" ? client.post(path, body) : client.put(`${path}/${String(example.slug)}`, body);
}

/** Escapes what a reader would not see. */
const visible = (text: string) =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, (each) =>
    each.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );

const file = join(import.meta.dirname, "problems.snap.md");
const document = readFileSync(file, "utf8");
let client: Client;

beforeAll(async () => {
  client = clientOf(await ownService());
  // What a log allocation refers to.
  for (const slug of ["d0", "d1", "d2"]) await create(client, dataset, slug);
});

/** The document again, with the answers that the service gives. */
test("dry run and write reject alike, and with the reviewed problems, what the document says", async () => {
  const answered: string[] = [];
  let isCase = false;
  for (const line of document.trimEnd().split("\n")) {
    if (line.startsWith("```")) isCase = line !== "```";
    else if (isCase && line.startsWith(" ")) continue;
    answered.push(line);
    if (!isCase || line.startsWith("```")) continue;
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
