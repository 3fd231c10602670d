import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DoctorFinding } from "../../dist/cli/commands/doctor/probe.js";
import { tested, versionFindings } from "../../dist/cli/commands/doctor/versions.js";
import { cases, targetOf } from "../support/cases.js";
import { runCommand } from "../support/command.js";
import * as faults from "../support/faults.js";
import { ownFolder } from "../support/folders.js";
import { portOf } from "../support/http.js";
import { newProject } from "../support/project.js";
import { ask, ownService, put, takeCounts, token } from "../support/service.js";
import { anchorOf, argumentsIn, expectPrinted, textOf, textsUnder } from "./pages.js";

type Operations = Readonly<Record<string, Readonly<Record<string, string>>>>;

const folder = ownFolder({
  "Pulumi.yaml": "name: a\nruntime: python\nplugins: { providers: [{ name: observability, path: bin }] }\n",
});

async function doctor(url: string, env: NodeJS.ProcessEnv = {}) {
  const { code, stdout, text } = await runCommand(folder, ["doctor", "--json"], {
    OBSERVABILITY_BASE_URL: url,
    // Without the CLI, whose version it would ask for.
    PATH: "",
    ...env,
  });
  expect(text).not.toContain(token);
  const { verdict, operations, findings } = JSON.parse(stdout.replaceAll(url, "<service>"));
  const levels = (findings as DoctorFinding[]).map(({ line, level, result }) => [line, `${level} ${result}`]);
  return { code, verdict, operations: operations as Operations, levels: Object.fromEntries(levels), text };
}

/** A service with a few objects. */
async function filled(options = {}) {
  const service = await ownService(options);
  for (const slug of ["one", "two"]) {
    const notifier = { name: slug, slug, oncall_b: { routing_key: "key-of-the-tests" } };
    await ask(service, "POST", "/api/v1/config/notifiers", { notifier });
  }
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
    expect(operations[kind.name]).toEqual({ ...verbs, ...(kind.isSingleton ? { list: "" } : {}) });
  expect(levels).toMatchObject({
    versions: expect.stringMatching(/its plugin .* named in Pulumi.yaml$/),
    "dry runs": "ok honored by POST and PUT",
    filters: "ok work",
    pages: "ok work",
    "creation times": "ok in milliseconds",
    secrets: "note masked",
    "free slugs": "ok recognized",
    "taken slugs": "ok rejected at preview",
    "unknown values": "note accepted",
  });
  const counts = Object.entries(takeCounts(service));
  expect(counts.filter(([name]) => !/^GET|dry$/.test(name))).toEqual([]);
  expect(counts.reduce((sum, [, count]) => sum + count, 0)).toBeLessThan(60);
});

test("a service with only the operations in the API spec lacks the others, kind by kind", async () => {
  const { code, verdict, operations } = await doctor((await filled({ operations: "described" })).url);
  const works = 'The provider works with the service at "<service>", with limits: create, read, update and list.';
  expect({ code, verdict }).toEqual({ code: 3, verdict: works });
  for (const { kind } of cases)
    for (const verb of ["create", "read", "update", "list"] as const) {
      const { described } = kind.operations[verb] ?? {};
      const has = described === undefined ? "" : described ? "yes" : "no";
      expect(operations[kind.name]?.[verb], `${verb} ${kind.name}`).toBe(has);
    }
});

const { edited, failing, ignoringDryRuns } = faults;
const timesAs = (change: (time: string) => unknown) => () =>
  faults.withField("created_at", (time) => change(String(time)));
const onWrite = (fault: faults.Fault) => (arrival: faults.Arrival) => (arrival.method === "GET" ? undefined : fault);
const answering = (status: number, text: string) =>
  onWrite({ ...ignoringDryRuns, reply: (reply) => ({ ...reply, status, text }) });
const onePage: faults.Fault = { ...faults.pass, path: (path) => path.replace(/page\.token=[^&]*/, "") };
const tokensAs = (next_token: unknown) => () =>
  edited("other tokens", (body) => ("page" in body ? { ...body, page: { next_token } } : body));
/** Its first page is empty, and the second one is the true first one. */
const emptyFirst: faults.Rule = ({ path, query }) => {
  const token = query.get("page.token");
  if (!path.endsWith("/notifiers") || (token !== null && token !== "first")) return undefined;
  return token === null ? failing(200, { notifiers: [], page: { next_token: "first" } }) : onePage;
};
const strict: faults.Rule = ({ body }) =>
  (JSON.stringify(body).match(/pulumi-observability-doctor/g) ?? []).length > 2
    ? failing(400, { message: "no" })
    : undefined;
const onMissing =
  (body?: object): faults.Rule =>
  ({ method, path }) =>
    method === "GET" && path.includes("doctor")
      ? failing(200, body ?? { [targetOf(path)?.kind.wire.one ?? ""]: null })
      : undefined;
const noSingleton: faults.Rule = ({ method, path }) =>
  method === "GET" && targetOf(path)?.kind.isSingleton === true ? failing(404) : undefined;
const lastSlug = (path: string) => path.replace(/&slugs=[^&]*(?=.*&slugs=)/g, "");
const rejectingFilters: faults.Rule = ({ query }) => (query.has("slugs") ? failing(400) : undefined);
const unreadable = faults.on({ method: "GET" }, failing(403));
const acceptsTaken: faults.Rule = ({ method, body }) =>
  method === "POST" && /"slug":"(?:one|two)"/.test(JSON.stringify(body)) ? failing(200, {}) : undefined;
const everySlug: faults.Rule = ({ body: { create_if_missing } }) =>
  create_if_missing === false ? faults.empty : undefined;

test.each<[what: string, rule: faults.Rule, code: number, line: string, finding: string, verdict?: string]>([
  ["drops dry_run", onWrite(ignoringDryRuns), 1, "dry runs", "unusable ignored"],
  ["drops dry_run and answers {}", answering(200, "{}"), 1, "dry runs", "unusable ignored"],
  ["drops dry_run and loses the answer", answering(504, ""), 1, "dry runs", "unusable ignored"],
  ["has lists without page", () => faults.withoutPage, 1, "URL", "unusable GET /api/v1/config/notifiers answers"],
  ["shows no creation times", timesAs(() => undefined), 3, "creation times", "missing not shown"],
  ["shows times in seconds", timesAs((time) => time.replace(/\.\d+/, "")), 3, "creation times", "missing in whole"],
  ["shows times as objects", timesAs(() => ({})), 1, "creation times", "unusable can't be compared"],
  ["ignores filters", () => faults.withoutArrays, 3, "filters", "missing ignored"],
  ["rejects filters", rejectingFilters, 1, "filters", "unusable unable to"],
  ["reads the last value of a filter", () => ({ ...faults.pass, path: lastSlug }), 3, "filters", "missing leave out"],
  ["answers {} for a missing object", onMissing({}), 1, "free slugs", "unusable unable to look up a free slug"],
  ["has page tokens of another form", tokensAs(7), 1, "answers", "unusable unable to read"],
  ["accepts dry runs of taken slugs", acceptsTaken, 0, "taken slugs", "note accepted by a dry run"],
  ["shows an empty page first", emptyFirst, 0, "filters", "ok work"],
  ["repeats its last token", tokensAs("more"), 1, "pages", "unusable unable to read all notifiers"],
  ["answers null for a missing object", onMissing(), 0, "read", "ok every kind"],
  ["answers a plain 404 for a missing singleton", noSingleton, 0, "read", "unknown unknown for "],
  ["repeats its first page", () => onePage, 1, "pages", "unusable the second page fails, or repeats the first one"],
  ["finds every slug", everySlug, 3, "free slugs", "missing look taken"],
  ["rejects unknown values", strict, 0, "unknown values", "ok rejected at preview"],
  ["lets the token only read", onWrite(failing(403)), 3, "update", "missing forbidden for", "The token can only read"],
  ["hides all objects", unreadable, 3, "read", "missing forbidden", "The token can't read"],
])("a service that %s is reported", async (_, rule, code, line, finding, verdict) => {
  const service = await filled();
  const proxy = await faults.ownProxy(service.url);
  proxy.use(rule);
  const found = await doctor(proxy.url);
  expect(found).toMatchObject({ code, levels: { [line]: expect.stringContaining(finding) } });
  expect(found.verdict).toContain(verdict ?? (code === 1 ? "Don't use the provider" : "The provider works"));
  // At most one object is left, and the report names it.
  const left: unknown[] = [];
  for (const { kind } of cases) {
    const { body } = await ask(service, "GET", kind.family.list?.path ?? kind.family.get.path);
    left.push(...[body[kind.wire.many ?? ""] ?? []].flat().filter((each) => /doctor/.test(JSON.stringify(each))));
  }
  expect(left).toHaveLength(line === "dry runs" ? 1 : 0);
  if (line === "dry runs") expect(found.text).toMatch(/created .*pulumi-observability-doctor-\w+.* curl -X DELETE/);
});

test("a service that writes dry runs and shows it late is reported at the end", async () => {
  const proxy = await faults.ownProxy((await filled()).url);
  let isLate = true;
  proxy.use(({ method, path, query }) => {
    if (method !== "GET") return ignoringDryRuns;
    // One of the last requests.
    if (query.getAll("slugs").length > 1) isLate = false;
    return isLate && path.includes("doctor") ? failing(404, { code: 40401, message: "not yet" }) : undefined;
  });
  const { code, levels, text } = await doctor(proxy.url);
  expect({ code, level: levels["dry runs"] }).toEqual({ code: 1, level: "unusable ignored" });
  expect(text).toMatch(/created objects under the slug \\"pulumi-observability-doctor-\w+\\".* curl -X DELETE/);
});

test.each([
  ["answers with HTML", faults.html(200)],
  ["has no such path", failing(404)],
])("a server that %s is not a configuration service", async (_, fault) => {
  const proxy = await faults.ownProxy((await ownService()).url);
  proxy.use(() => fault);
  const verdict = '"<service>" isn\'t the URL of a configuration service.';
  expect(await doctor(proxy.url)).toMatchObject({ code: 1, verdict });
});

test("a port without HTTP, a closed port and a wrong token each have their verdict", async () => {
  const server = createServer((socket) => socket.resume().end("220 ready\r\n"));
  const url = `http://127.0.0.1:${await portOf(server)}`;
  const none = { code: 1, verdict: 'No answer from the service at "<service>".' };
  expect(await doctor(url)).toMatchObject(none);
  await once(server.close(), "close");
  expect(await doctor(url)).toMatchObject(none);
  const rejected = await doctor((await ownService()).url, { OBSERVABILITY_API_TOKEN: "another" });
  expect(rejected).toMatchObject({ code: 1, verdict: 'The token is rejected by the service at "<service>".' });
});

test("a program in another language needs the plugin, whatever versions are tested together", () => {
  const here = { node: "24.0.0", sdk: "3.276.0", cli: "3.259.0", languageHost: "host", plugin: undefined };
  const levelOf = (runtime: string, namesPlugin = false) =>
    versionFindings({ ...here, runtime, namesPlugin }).map(({ level }) => level);
  expect([levelOf("nodejs"), levelOf("python"), levelOf("python", true)]).toEqual([["ok"], ["note"], ["ok"]]);
});

test("the page shows the report of a stack's service", async () => {
  const [line = "", shown = ""] = textsUnder("docs/doctor.md", "Check your service", 2);
  const service = await filled({ operations: "described" });
  const { init, done, command } = newProject("", "");
  await init("production");
  await done("config", "set", "observability:baseUrl", service.url, "--stack", "production");
  const { code, stdout } = await command(...argumentsIn(line));
  const steady = (text: string) =>
    text
      .replace(/\d+ ms/, "<time>")
      .replace(/(?<=clock: ).*/, "<time>")
      .replace(/ok +versions: [^]*?(?=\n +ok)/, "<versions>");
  const seen = stdout.replaceAll(service.url, "https://config.example.com").replace("plain HTTP", "TLS");
  expect(code).toBe(3);
  expectPrinted(steady(seen), steady(shown), line);
});

test("every page that a finding names exists, and the tested versions are those of their page", () => {
  const sources = readdirSync(join(import.meta.dirname, "../../cli/commands/doctor"));
  const pages = sources.flatMap((file) => [
    ...textOf(`cli/commands/doctor/${file}`).matchAll(/"(docs\/[\w-]+\.md)#([\w-]+)"/g),
  ]);
  const anchorsIn = (page: string) => [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, each = ""]) => anchorOf(each));
  expect(pages.length).toBeGreaterThan(8);
  expect(pages.filter(([, page = "", at = ""]) => !anchorsIn(page).includes(at)).map(([all]) => all)).toEqual([]);
  const rows = [...textOf("docs/upgrading.md").matchAll(/^\| (\d+) \| ([^|]+) \| ([^|]+) \|/gm)];
  expect(tested).toEqual(rows.map(([, ...versions]) => versions.join(" ")));
});
