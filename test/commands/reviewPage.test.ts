import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadStandards } from "../../dist/cli/commands/review/standards.js";
import { directions, riskClasses } from "../../dist/cli/consequences/risk.js";
import { violations } from "../../dist/sdk/standards/index.js";
import { listen } from "../support/http.js";
import { shell } from "../support/run.js";
import { ask, live, ownService, put } from "../support/service.js";
import { blocksUnder, copyExample, follow, inJavascript, runLine } from "./pages.js";

const [page, reference] = ["docs/review.md", "docs/review-reference.md"];
/** The block under a heading of a page, in a language. */
const shown = (heading: string, language: string, at = 0, from = page) =>
  blocksUnder(from, heading).filter((block) => block.language === language)[at]?.text ?? "";

test("the reference lists all classes of risks and directions", () => {
  const listed = readFileSync(reference, "utf8").matchAll(/^(?:\| |- )`([a-z-]+)`/gm);
  expect([...listed].map(([, name]) => name)).toEqual(expect.arrayContaining([...riskClasses, ...directions]));
});

const canary = "canary-on-call-key";
const service = await ownService();
const { program, env } = await copyExample("review-pipeline", service, ["onCallKey", canary]);
const merged = readFileSync(join(program, "index.ts"), "utf8");
const inProgram = (line: string) => runLine(line, { cwd: program, env });
const at = (name: string) => join(program, name);

/** The program as a pull request changes it. */
function propose(...changes: readonly (readonly [from: string, to: string])[]): void {
  let text = merged;
  for (const [from, to] of changes) {
    expect(text).toContain(from);
    text = text.replaceAll(from, to);
  }
  writeFileSync(at("index.ts"), text);
  inJavascript(program);
}

/** The change that the page tells. */
const pullRequest = [
  ['"payments-api", errorRatio: 0.01', '"payments-api", errorRatio: 0.02'],
  ['"payments-ledger"', '"payments-refunds"'],
  ['startHhMm: "08:00"', 'startHhMm: "09:00"'],
] as const;

/** What a job of a job file runs. */
const commandsOf = (jobFile: string) =>
  readFileSync(at(`ci/${jobFile}`), "utf8").match(/npx pulumi-observability.*/g) ?? [];

beforeAll(async () => {
  await follow("pulumi up --yes --skip-preview", { cwd: program, env });
});

describe("a pull request", () => {
  const printed = { code: 0, text: shown("Review a pull request", "text") };

  test("is reviewed as the page shows, in text and as a comment", async () => {
    propose(...pullRequest);
    const [line = ""] = commandsOf("github-actions.yml");
    expect(shown("Review a pull request", "sh")).toBe(`${line}\n`);
    const ended = await inProgram(line);
    expect(ended).toMatchObject(printed);
    const [risks = ""] = readFileSync(at("review.md"), "utf8").split("**Stacks:**");
    const unquoted = readFileSync(page, "utf8").replaceAll(/^> ?/gm, "");
    expect(unquoted).toContain(risks);
    expect(ended.text).not.toContain(canary);
  });

  test("ends with 3 because of a class of risk, and is the same from files of other jobs", async () => {
    expect(await inProgram(shown("Many stacks", "sh"))).toMatchObject(printed);
    const [keep = "", merge = ""] = shown("Many stacks", "sh", 1).split("\n");
    expect((await inProgram(keep)).code).toBe(0);
    const report = JSON.parse(readFileSync(at("shard-1.json"), "utf8"));
    expect(JSON.parse(shown("JSON", "json", 0, reference))).toEqual({
      ...report,
      stacks: [],
      risks: [report.risks[0]],
    });
    expect(await inProgram(merge)).toMatchObject(printed);
    const [, limits = ""] = /--stack production (.*)/.exec(shown("When a job fails", "sh")) ?? [];
    expect((await inProgram(`${merge} ${limits}`)).code).toBe(3);
    expect((await inProgram(`${merge} --fail-on budget`)).code).toBe(0);
    const entry = shown("Accepted risks", "yaml").replace(/(?<=until: ).*/, "2999-12-31");
    writeFileSync(at("review.accepted.yaml"), entry);
    const { text } = await inProgram(merge);
    rmSync(at("review.accepted.yaml"));
    expect(text).toContain("review: 5 risks and 1 accepted risk in 1 stack");
  });
});

test("the standards of the example are those of the page, and hold in a unit test", async () => {
  const [file, unit] = ["Write rules", "Test the rules"].map((heading) => shown(heading, "ts"));
  expect(readFileSync(at("observability.standards.ts"), "utf8")).toBe(file);
  const standards = await loadStandards(at("observability.standards.ts"));
  const body = (unit ?? "").replace(/^import .*$/gm, "").trim();
  let ran: unknown;
  const run = (_: string, act: () => unknown) => (ran = act());
  new Function("violations", "standards", "assert", "test", body)(violations, standards, assert, run);
  await ran;
  expect(ran).toBeInstanceOf(Promise);
});

test("edits at the service, and what was made there by hand, are told as the page shows", async () => {
  propose();
  const path = "/api/v1/config/monitors/payments-api-errors";
  const monitor = await live(service, "Monitor", "payments-api-errors");
  expect((await ask(service, "PUT", path, { monitor: { ...monitor, interval_secs: 300 } })).status).toBe(200);
  expect((await ask(service, "DELETE", "/api/v1/config/datasets/payments-logs")).status).toBe(200);
  const line = shown("Drift", "sh").trim();
  for (const jobFile of ["github-actions.yml", "gitlab-ci.yml"]) expect(commandsOf(jobFile)[1]).toBe(line);
  expect(await inProgram(line)).toMatchObject({ code: 3, text: shown("Drift", "text") });

  await put(service, "Monitor", "made-by-hand", { name: "made-by-hand" });
  const words = (each: string) => each.replace(/\s+/g, " ").replace(/created \S+ in [^ )]+/g, "created …");
  const { code, text } = await inProgram(shown("Objects that no stack declares", "sh"));
  expect(code).toBe(3);
  expect(words(text)).toContain(words(shown("Objects that no stack declares", "text")).trimEnd());
});

test("a label that names no notifier fails the job, unless the service has that notifier", async () => {
  propose(["notifier: onCall.slug", 'notifier: "on-cal"']);
  const line = "npx pulumi-observability review --stack production --fail-on unrouted:alerts-less";
  const typed = await inProgram(line);
  expect(typed.code).toBe(3);
  expect(typed.text.replace(/\s+/g, " ")).toContain(shown("Lost routes", "text").replace(/\s+/g, " ").trim());
  await put(service, "Notifier", "on-cal", { name: "on-cal", discard: true });
  const found = await inProgram(line);
  expect([found.code, found.text.includes("unrouted")]).toEqual([0, false]);
});

describe("the job of GitHub", () => {
  const { review } = parse(readFileSync(at("ci/github-actions.yml"), "utf8")).jobs;
  const [guard] = review.steps;

  test("runs for every pull request, because a skipped one counts as passed", () => {
    expect([review.if, guard.if]).toEqual(["github.event_name == 'pull_request'", undefined]);
  });

  test.each([
    ["a fork's is red, also with a token", "somebody/fork", "true", 1, "this is a fork's"],
    ["a bot's without secrets is red", "we/ours", "false", 1, "there is no OBSERVABILITY_API_TOKEN"],
    ["everyone else's goes on", "we/ours", "true", 0, ""],
  ])("%s", async (_, head, hasToken, status, words) => {
    const job = { HEAD: head, GITHUB_REPOSITORY: "we/ours", HAS_TOKEN: hasToken };
    const ended = await shell(guard.run, { cwd: program, env: { ...env, ...job } });
    expect(ended.code).toBe(status);
    expect(ended.text).toContain(words);
  });
});

test("the jobs of GitLab review a merge request of the project, and a fork's is red without running anything of it", async () => {
  for (const path of [at("ci/gitlab-ci.yml"), "examples/team-stacks/ci/gitlab-ci.yml"]) {
    const { fork, ...jobs } = parse(readFileSync(path, "utf8"));
    const same = "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID";
    const rules = Object.values(jobs).flatMap((job) => Object(job).rules ?? []) as { if: string }[];
    for (const rule of rules) if (rule.if.includes("merge_request_event")) expect(rule.if).toContain(` && ${same}`);
    expect(fork.rules).toEqual([{ if: `$CI_PIPELINE_SOURCE == "merge_request_event" && ${same.replace("==", "!=")}` }]);
    expect([fork.variables.GIT_STRATEGY, fork.before_script]).toEqual(["none", []]);
    expect(await shell(fork.script.join("\n"), { cwd: program, env })).toMatchObject({ code: 1 });
  }
});

test("the job that notes writes one note and then updates it, however many there are", async () => {
  const marker = "<!-- pulumi-observability review -->";
  const me = 7;
  // As many as a busy merge request has; somebody else's begins with the marker too.
  const others = Array.from({ length: 250 }, (_, i) => (i === 0 ? `${marker}\na colleague's` : "a colleague's"));
  const notes = others.map((body, i) => ({ id: i + 1, author: { id: 1 }, body }));
  const forge = await listen(async (request, response) => {
    const { body = "" } = JSON.parse((await textOf(request)) || "{}");
    const url = new URL(request.url ?? "", "http://forge");
    const [page, size] = ["page", "per_page"].map((name) => Number(url.searchParams.get(name))) as [number, number];
    if (request.method === "POST") notes.push({ id: notes.length + 1, author: { id: me }, body });
    if (request.method === "PUT") Object.assign(notes[Number(url.pathname.split("/").at(-1)) - 1] ?? {}, { body });
    if (page * size < notes.length) response.setHeader("x-next-page", page + 1);
    const all = notes.slice((page - 1) * size, page * size);
    response.end(JSON.stringify(url.pathname === "/user" ? { id: me } : all));
  });
  const script = parse(readFileSync(at("ci/gitlab-ci.yml"), "utf8")).note.script.join("\n");
  const job = { CI_API_V4_URL: forge, CI_PROJECT_ID: "1", CI_MERGE_REQUEST_IID: "2", REVIEW_TOKEN: "t" };
  for (const text of ["first", "second"]) {
    writeFileSync(at("review.md"), `${marker}\n${text}`);
    const ended = await shell(script, { cwd: program, env: { ...env, ...job } });
    expect(ended.code, ended.text).toBe(0);
  }
  expect(notes.map(({ body }) => body)).toEqual([...others, `${marker}\nsecond`]);
});
