import { readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tested } from "../../dist/cli/commands/doctor/versions.js";
import type { Finding } from "../../dist/cli/commands/doctor/probe.js";
import { cases } from "../support/cases.js";
import { runCommand } from "../support/command.js";
import {
  edited,
  empty,
  failing,
  type Fault,
  html,
  ignoringDryRuns,
  ownProxy,
  type Rule,
  withoutArrays,
  withoutPage,
} from "../support/faults.js";
import { ownFolder } from "../support/folders.js";
import { newProject } from "../support/project.js";
import { ask, ownService, put, takeCounts, token } from "../support/service.js";
import { argumentsIn, expectPrinted, textsUnder } from "./pages.js";

interface Report {
  readonly verdict: string;
  readonly operations: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly findings: readonly Finding[];
}

const folder = ownFolder();
const doctor = async (url: string, env: NodeJS.ProcessEnv = {}) => {
  const { code, stdout, text } = await runCommand(folder, ["doctor", "--json"], {
    OBSERVABILITY_BASE_URL: url,
    ...env,
  });
  expect(text).not.toContain(token);
  const { verdict, operations, findings } = JSON.parse(stdout) as Report;
  const levels = Object.fromEntries(findings.map(({ line, level, result }) => [line, `${level} ${result}`]));
  return { code, verdict: verdict.replaceAll(url, "<service>"), operations, levels, findings };
};

/** A service with two notifiers, one of them with a secret. */
async function filled(options = {}) {
  const service = await ownService(options);
  const notifier = (slug: string) => ({
    notifier: { name: slug, slug, oncall_b: { routing_key: "key-of-the-tests" } },
  });
  for (const slug of ["one", "two"]) await ask(service, "POST", "/api/v1/config/notifiers", notifier(slug));
  takeCounts(service);
  return service;
}

test("a service with all operations has no gap, and gets only reads and a bounded number of dry runs", async () => {
  const service = await filled();
  for (const kind of ["Dataset", "SLO"]) await put(service, kind, "own");
  takeCounts(service);
  const { code, verdict, operations, levels } = await doctor(service.url);
  expect({ code, verdict }).toEqual({ code: 0, verdict: 'The provider works with the service at "<service>".' });
  const verbs = { create: "yes", read: "yes", update: "yes", list: "yes", delete: "not tried" };
  for (const { kind } of cases)
    expect(operations[kind.name]).toEqual(kind.isSingleton ? { ...verbs, list: "" } : verbs);
  expect(levels).toMatchObject({
    "dry runs": "ok honored by POST and PUT",
    filters: "ok work",
    pages: "ok work",
    "creation times": "ok in milliseconds",
    secrets: "note masked",
    "free slugs": "ok recognized",
    "unknown values": "note accepted",
  });
  const counts = Object.entries(takeCounts(service));
  expect(counts.filter(([name]) => !/^GET|dry$/.test(name))).toEqual([]);
  expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBeLessThan(60);
});

test("a service with only the operations in the API spec lacks the others, kind by kind", async () => {
  const { code, verdict, operations } = await doctor((await filled({ operations: "described" })).url);
  expect({ code, verdict }).toEqual({
    code: 3,
    verdict: 'The provider works with the service at "<service>", with limits: create, read, update and list.',
  });
  for (const { kind } of cases)
    for (const verb of ["create", "read", "update", "list"] as const) {
      const { described } = kind.operations[verb] ?? {};
      expect(operations[kind.name]?.[verb], `${verb} ${kind.name}`).toBe(
        described === undefined ? "" : described ? "yes" : "no",
      );
    }
});

const isWrite: Rule = ({ method }) => (method === "GET" ? undefined : ignoringDryRuns);
const timesAs = (change: (time: string) => unknown): Fault =>
  edited("other times", (body) =>
    JSON.parse(JSON.stringify(body, (key, value) => (key === "created_at" ? change(String(value)) : value))),
  );
const hasUnknownValue: Rule = ({ body }) =>
  (JSON.stringify(body).match(/pulumi-observability-doctor/g) ?? []).length > 2
    ? failing(400, { code: 3, message: "unknown value" })
    : undefined;

test.each<[what: string, rule: Rule, code: number, line: string, level: string, verdict: string]>([
  ["drops dry_run", isWrite, 1, "dry runs", "unusable ignored", "Don't use the provider with"],
  [
    "drops dry_run and answers {}",
    (arrival) => isWrite(arrival) && { ...ignoringDryRuns, reply: (reply) => ({ ...reply, text: "{}" }) },
    1,
    "dry runs",
    "unusable ignored",
    "Don't use the provider with",
  ],
  [
    "has lists without page",
    () => withoutPage,
    1,
    "URL",
    'unusable GET /api/v1/config/notifiers answers without "page"',
    "Don't use the provider with",
  ],
  [
    "shows no creation times",
    () => timesAs(() => undefined),
    3,
    "creation times",
    "missing not shown",
    "The provider works with",
  ],
  [
    "shows creation times in seconds",
    () => timesAs((time) => time.replace(/\.\d+/, "")),
    3,
    "creation times",
    "missing in whole seconds",
    "The provider works with",
  ],
  [
    "shows creation times as objects",
    () => timesAs(() => ({})),
    1,
    "creation times",
    "unusable can't be compared",
    "Don't use the provider with",
  ],
  ["ignores filters", () => withoutArrays, 3, "filters", "missing ignored", "The provider works with"],
  [
    "repeats its first page",
    ({ query }) =>
      query.has("page.token") ? { ...withoutArrays, path: (path) => path.replace(/page\.token=[^&]*/, "") } : undefined,
    1,
    "pages",
    "unusable the second page fails, or repeats the first one",
    "Don't use the provider with",
  ],
  [
    "finds every slug",
    ({ body, dryRun }) => (dryRun && body.create_if_missing === false ? empty : undefined),
    3,
    "free slugs",
    "missing look taken",
    "The provider works with",
  ],
  ["rejects unknown values", hasUnknownValue, 0, "unknown values", "ok rejected at preview", "The provider works with"],
  [
    "lets the token only read",
    ({ method }) => (method === "GET" ? undefined : failing(403)),
    3,
    "update",
    "missing forbidden for",
    "The token can only read from",
  ],
  [
    "lets the token not read",
    ({ method }) => (method === "GET" ? failing(403) : undefined),
    3,
    "read",
    "missing forbidden for",
    "The token can't read from",
  ],
])("a service that %s is reported", async (what, rule, code, line, level, verdict) => {
  const service = await filled();
  const proxy = await ownProxy(service.url);
  proxy.use(rule);
  const found = await doctor(proxy.url);
  expect(found, what).toMatchObject({
    code,
    verdict: expect.stringContaining(verdict),
    levels: { [line]: expect.stringContaining(level) },
  });
  // At most one object is left, and the report names it.
  const writes = Object.entries(takeCounts(service)).filter(([name]) => /^(POST|PUT|DELETE)(?!.*dry$)/.test(name));
  expect(writes.filter(([, count]) => count > 1)).toEqual([]);
  if (line !== "dry runs") return expect(writes).toEqual([]);
  expect(found.findings.find((each) => each.line === line)?.meaning).toMatch(
    /created .* "pulumi-observability-doctor-\w+".* curl -X DELETE/,
  );
});

test.each<[what: string, rule: Rule]>([
  ["answers with HTML", () => html(200)],
  ["has no such path", () => failing(404)],
])("a server that %s is not a configuration service", async (_, rule) => {
  const proxy = await ownProxy((await ownService()).url);
  proxy.use(rule);
  expect(await doctor(proxy.url)).toMatchObject({
    code: 1,
    verdict: '"<service>" isn\'t the URL of a configuration service.',
  });
});

test("a port without HTTP, a closed port and a wrong token each have their verdict", async () => {
  const server = createServer((socket) => socket.resume().end("220 ready\r\n"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // It listens on a port.
  const url = `http://127.0.0.1:${port}`;
  const none = { code: 1, verdict: 'No answer from the service at "<service>".' };
  expect(await doctor(url)).toMatchObject(none);
  await once(server.close(), "close");
  expect(await doctor(url)).toMatchObject(none);
  const rejected = await doctor((await ownService()).url, { OBSERVABILITY_API_TOKEN: "another" });
  expect(rejected).toMatchObject({ code: 1, verdict: 'The token is rejected by the service at "<service>".' });
});

const root = join(import.meta.dirname, "../..");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test("the page shows the report of a stack's service", async () => {
  const [line = "", shown = ""] = textsUnder("docs/doctor.md", "Check your service", 2);
  const service = await filled({ operations: "described" });
  const project = newProject("", "");
  await project.init("production");
  await project.done("config", "set", "observability:baseUrl", service.url, "--stack", "production");
  const { code, stdout } = await project.command(...argumentsIn(line));
  const steady = (text: string) =>
    text
      .replace(/\d+ ms/, "<time>")
      .replace(/clock: .*/, "clock")
      .replace(/ok +versions: [^]*?(?= +ok +language)/, "versions");
  const seen = stdout.replaceAll(service.url, "https://config.example.com").replace("plain HTTP", "TLS");
  expect(code).toBe(3);
  expectPrinted(steady(seen), steady(shown), line);
});

test("every page that a finding names exists, and the tested versions are those of their page", () => {
  const sources = readdirSync(join(root, "cli/commands/doctor")).map((file) => textOf(`cli/commands/doctor/${file}`));
  const pages = sources.flatMap((text) => [...text.matchAll(/"(docs\/[\w-]+\.md)#([\w-]+)"/g)]);
  const anchorsIn = (page: string) =>
    [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
  expect(pages.length).toBeGreaterThan(8);
  expect(pages.filter(([, page = "", anchor = ""]) => !anchorsIn(page).includes(anchor)).map(([all]) => all)).toEqual(
    [],
  );
  const rows = [...textOf("docs/upgrading.md").matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|/gm)];
  expect(tested).toEqual(rows.map(([, ...versions]) => versions.join(" ")));
});
