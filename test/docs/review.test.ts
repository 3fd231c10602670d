import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { loadStandards } from "../../dist/cli/commands/review/standards.js";
import { violations } from "../../dist/sdk/standards/index.js";
import { pulumiEnv } from "../../tools/pulumi.mjs";
import { copyExample, run } from "../e2e/examples/program.js";
import { keyService, secretsProvider } from "../support/keys.js";
import { quickStart } from "../support/quickStart.js";
import { ask, ownService, token } from "../support/service.js";
import { blocksIn, inJavascript } from "./pages.js";
import { isDeep } from "../support/figures.js";

const page = "docs/review.md";
const main = join(import.meta.dirname, "../../dist/cli/main.js");
const blocksUnder = (heading: string) => blocksIn(page).filter((block) => block.heading === heading);
/** What a heading shows in a language. */
const shown = (heading: string, language: string) =>
  blocksUnder(heading).find((block) => block.language === language)?.text ?? "";

const canary = "canary-on-call-key";
const { folder, program } = copyExample("review-pipeline");
const merged = readFileSync(join(program, "index.ts"), "utf8");
const service = await ownService();
const env = {
  ...pulumiEnv({ home: join(folder, "home"), backend: join(folder, "state") }),
  ...(await keyService()),
  ...quickStart,
  TEST_PROGRAMS: "javascript",
  OBSERVABILITY_BASE_URL: service.url,
  OBSERVABILITY_API_TOKEN: token,
};
// The command itself: npx would take a second to find it.
const inProgram = (line: string, input = "") =>
  run(line.replaceAll("npx pulumi-observability", `"${process.execPath}" "${main}"`), { cwd: program, env, input });
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
  propose();
  for (const [line, input] of [
    [`pulumi stack init production --secrets-provider ${secretsProvider}`],
    ["pulumi config set --secret onCallKey --stack production", canary],
    ["pulumi up --yes --skip-preview --stack production"],
  ] as const) {
    const { status, output } = await inProgram(line, input);
    expect(status, output).toBe(0);
  }
});

describe("a pull request", () => {
  test("is reviewed as the page shows, in text and as a comment", async () => {
    propose(...pullRequest);
    const [line = ""] = commandsOf("github-actions.yml");
    expect(shown("Review a pull request", "sh")).toBe(`${line}\n`);
    const { status, output } = await inProgram(line);
    expect({ status, output }).toEqual({ status: 0, output: shown("Review a pull request", "text") });
    expect(readFileSync(page, "utf8")).toContain(readFileSync(at("review.md"), "utf8"));
    expect(output).not.toContain(canary);
  });

  test.skipIf(!isDeep)("makes a job red by a class of risk, and goes through files of other jobs", async () => {
    const [failing = ""] = shown("When a job is red", "sh").split("\n");
    expect((await inProgram(failing)).status).toBe(3);
    const [one, lines] = blocksUnder("Many stacks").map(({ text }) => text.trim());
    const all = await inProgram(one ?? "");
    expect(all).toEqual({ status: 0, output: shown("Review a pull request", "text") });
    const [keep = "", merge = ""] = (lines ?? "").split("\n");
    expect((await inProgram(keep)).status).toBe(0);
    const report = JSON.parse(readFileSync(at("shard-1.json"), "utf8"));
    const [first] = report.risks;
    expect(JSON.parse(shown("For machines", "json"))).toEqual({ ...report, stacks: [], risks: [first] });
    expect(await inProgram(merge)).toEqual(all);
  });

  test("is red if it is invalid or breaks a rule, and both are told", async () => {
    propose(['{ op: "GT", value: errorRatio, ', "{ value: errorRatio, "], ['team: "payments", ', ""]);
    const { status, output } = await inProgram("npx pulumi-observability review --stack production");
    expect(status).toBe(1);
    expect(output).toMatch(
      /^ {2}error {2}Monitor payments-api-errors:\n {9}seriesConditions.defaults.critical.conditions\[0\].op: is required$/m,
    );
    expect(output).toContain("  standard  Monitor payments-api-errors: has a team: the label team is missing");
  });
});

test("the standards of the example are those of the page, and hold in a unit test", async () => {
  const [file, unit] = blocksUnder("Standards").map(({ text }) => text);
  expect(readFileSync(at("observability.standards.ts"), "utf8")).toBe(file);
  const standards = await loadStandards(at("observability.standards.ts"));
  const body = (unit ?? "").replace(/^import .*$/gm, "").trim();
  let ran: unknown;
  const run = (_: string, act: () => unknown) => (ran = act());
  new Function("violations", "standards", "assert", "test", body)(violations, standards, assert, run);
  await ran;
  expect(ran).toBeInstanceOf(Promise);
});

test.skipIf(!isDeep)("an edit at the service is told as the page shows", async () => {
  propose();
  const path = "/api/v1/config/monitors/payments-api-errors";
  const { body } = await ask(service, "GET", path);
  expect((await ask(service, "PUT", path, { monitor: { ...Object(body.monitor), interval_secs: 300 } })).status).toBe(
    200,
  );
  expect((await ask(service, "DELETE", "/api/v1/config/datasets/payments-logs")).status).toBe(200);
  const line = shown("Drift", "sh").trim();
  for (const jobFile of ["github-actions.yml", "gitlab-ci.yml"]) expect(commandsOf(jobFile)[1]).toBe(line);
  expect(await inProgram(line)).toEqual({ status: 3, output: shown("Drift", "text") });
});

test.skipIf(!isDeep)("what somebody made by hand is listed as the page shows", async () => {
  const { body } = await ask(service, "GET", "/api/v1/config/monitors/payments-api-errors");
  const monitor = { ...Object(body.monitor), slug: "made-by-hand", name: "made-by-hand" };
  expect((await ask(service, "POST", "/api/v1/config/monitors", { monitor })).status).toBe(200);
  const [, line] = blocksUnder("Drift").filter(({ language }) => language === "sh");
  const [, text] = blocksUnder("Drift").filter(({ language }) => language === "text");
  const words = (each = "") => each.replace(/\s+/g, " ").replace(/created \S+ at [^ )]+/g, "created …");
  const { status, output } = await inProgram(line?.text ?? "");
  expect(status).toBe(3);
  expect(words(output)).toContain(words(text?.text).trimEnd());
});

describe("the job of GitHub", () => {
  const { review } = parse(readFileSync(at("ci/github-actions.yml"), "utf8")).jobs;
  const [guard] = review.steps;

  test("runs for every pull request, because a skipped one counts as passed", () => {
    expect([review.if, guard.if]).toEqual(["github.event_name == 'pull_request'", undefined]);
  });

  test.each([
    ["a fork's is red, also with a token", "somebody/fork", "t", 1, "this is a fork's"],
    ["a bot's without secrets is red", "we/ours", "", 1, "there is no OBSERVABILITY_API_TOKEN"],
    ["everyone else's goes on", "we/ours", "t", 0, ""],
  ])("%s", async (_, head, apiToken, status, words) => {
    const job = { HEAD: head, GITHUB_REPOSITORY: "we/ours", OBSERVABILITY_API_TOKEN: apiToken };
    const ended = await run(guard.run, { cwd: program, env: { ...env, ...job } });
    expect(ended.status).toBe(status);
    expect(ended.output).toContain(words);
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
    expect(await run(fork.script.join("\n"), { cwd: program, env })).toMatchObject({ status: 1 });
  }
});

describe("the job that notes", () => {
  const marker = "<!-- pulumi-observability review -->";
  const me = 7;
  // As many as a busy merge request has; somebody else's begins with the marker too.
  const notes = Array.from({ length: 250 }, (_, i) => ({
    id: i + 1,
    author: { id: 1 },
    body: i === 0 ? `${marker}\na colleague's` : "a colleague's",
  }));
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { body = "" } = text === "" ? {} : JSON.parse(text);
    const url = new URL(request.url ?? "", "http://forge");
    const [page, size] = ["page", "per_page"].map((name) => Number(url.searchParams.get(name))) as [number, number];
    if (request.method === "POST") notes.push({ id: notes.length + 1, author: { id: me }, body });
    if (request.method === "PUT") Object.assign(notes[Number(url.pathname.split("/").at(-1)) - 1] ?? {}, { body });
    if (page * size < notes.length) response.setHeader("x-next-page", page + 1);
    const all = notes.slice((page - 1) * size, page * size);
    response.end(JSON.stringify(url.pathname === "/user" ? { id: me } : all));
  });
  afterAll(() => server.close());

  test("writes one note and then updates it, however many there are", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = Object(server.address());
    const script = parse(readFileSync(at("ci/gitlab-ci.yml"), "utf8")).review.after_script.join("\n");
    const job = {
      CI_API_V4_URL: `http://127.0.0.1:${port}`,
      CI_PROJECT_ID: "1",
      CI_MERGE_REQUEST_IID: "2",
      REVIEW_TOKEN: "t",
    };
    const others = notes.map(({ body }) => body);
    const note = async (text: string) => {
      const body = `${marker}\n${text}`;
      writeFileSync(at("review.md"), body);
      const { status, output } = await run(script, { cwd: program, env: { ...env, ...job } });
      expect(status, output).toBe(0);
      return body;
    };
    await note("first");
    const last = await note("second");
    expect(notes.map(({ body }) => body)).toEqual([...others, last]);
  });
});
