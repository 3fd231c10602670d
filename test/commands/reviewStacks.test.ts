import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { failing, ownProxy } from "../support/faults.js";
import { writeFiles } from "../support/folders.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ownService, put } from "../support/service.js";

const [service, other] = [await ownService(), await ownService()];
// Notes stand in the order of their addresses, and this one stands last whatever its port.
const elsewhere = other.url.replace("127.0.0.1", "localhost");
// This token may not list datasets.
const proxy = await ownProxy(service.url);
proxy.use(({ method, path }) => {
  if (method !== "GET") return undefined;
  if (path.endsWith("/datasets")) return failing(403, { code: 7, message: "this token may not do that" });
  // What is not found here may be anywhere: that is no empty list.
  return path.endsWith("/trace-metrics-rules") ? failing(404, { code: 5, message: "nothing is here" }) : undefined;
});

const program = (intervalSecs: number, more: string) => `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const stack = pulumi.getStack();
const monitor = (name, args, options) => new obs.Monitor(name, {
  slug: stack + "-" + name, labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } }, ...args,
}, options);
monitor("later", { intervalSecs: ${intervalSecs} });
if (stack === "refused") monitor("elsewhere", {}, { provider: new obs.Provider("elsewhere", { baseUrl: "${elsewhere}" }) });
${more}
`;
const names = ["good", "refused"];
// Wide enough that ports of any length break no line.
const project = newProject(proxy.url, program(30, 'monitor("gone");'), { COLUMNS: "300" });
const { at, command } = project;
for (const stack of names) await project.create(stack);

test("drift --unmanaged lists what no stack declares, and names what it cannot list", async () => {
  for (const slug of ["by-hand", "also-by-hand"]) await put(service, "Monitor", slug, { name: `Made "by" ${slug}` });
  // One job of two cannot know what the stacks of the other one declare; the job that merges them does.
  for (const stack of names) {
    const { stdout } = await command("drift", "--stack", stack, "--unmanaged", "--json");
    const { unmanaged } = JSON.parse(stdout) as Review;
    const theirs = ["gone", "later"].map((name) => `${stack === "good" ? "refused" : "good"}-${name}`);
    const expected = ["also-by-hand", "by-hand", ...theirs];
    expect(unmanaged?.objects.map(({ slug }) => slug)).toEqual(expected.sort());
    writeFileSync(at(`${stack}.json`), stdout);
  }
  const found = await command("drift", "--from", "good.json", "refused.json", "--markdown", "drift.md");
  expect(found).toMatchObject({ code: 3 });
  const text = found.stdout
    .replaceAll(proxy.url, "<service>")
    .replaceAll(elsewhere, "<other>")
    .replace(/request\s+[-\w]+/g, "request <id>")
    .replace(/created\s+\S+Z/g, "created <time>");
  expect(text).toMatchInlineSnapshot(`
    "Observability drift: none in 2 stacks; 2 objects that no stack declares

    project/good: nothing changes

    project/refused: nothing changes

    Objects that no stack declares: 2
      ? Monitor also-by-hand ("Made \\"by\\" also-by-hand", created <time>, in <service>)
      ? Monitor by-hand ("Made \\"by\\" by-hand", created <time>, in <service>)
      note  <service>: unable to list datasets: GET /api/v1/config/datasets answered 403: this token may not do that. Use a token that has read access, or grant it to this token (request <id>)
      note  <service>: unable to list trace metrics rules: GET /api/v1/config/trace-metrics-rules answered 404: nothing is here (request <id>)
      note  <other> was not listed: the stack's settings have a different service URL, or none
    "
  `);
  expect(readFileSync(at("drift.md"), "utf8")).toContain('- Monitor `by-hand` `Made "by" by-hand`, created ');

  const report = JSON.parse(readFileSync(at("refused.json"), "utf8")) as Review;
  const failed = { ...report, stacks: report.stacks.map((stack) => ({ ...stack, isFailed: true })) };
  writeFileSync(at("failed.json"), JSON.stringify(failed));
  const unknown = await command("drift", "--from", "good.json", "failed.json");
  expect(unknown).toMatchObject({ code: 1 });
  expect(unknown.text).toContain("objects that no stack declares: unknown");
  expect(unknown.text).toContain(
    'no objects are listed, because the declarations of the stack "project/refused" are unknown: its preview failed',
  );
});

// Of objects that another stack declares: test/unit/review/identity.test.ts. Of metrics that it changes: reviewTeams.test.ts.
test("rejected, broken and missing stacks are reported beside a good one, and the file is written", async () => {
  project.write(program(60, 'if (stack === "refused") monitor("bad", { seriesConditions: {} });'));
  const broken = project.file("broken");
  writeFiles(broken, {
    "package.json": readFileSync(at("package.json"), "utf8"),
    "index.js": readFileSync(at("index.js"), "utf8"),
    "Pulumi.yaml": "name: broken\nruntime: nodejs\n",
    "observability.standards.mjs": "throw new Error('no rules today');",
  });
  await project.done("stack", "init", "good", "--secrets-provider", secretsProvider, "--cwd", broken);

  const stacks = names.flatMap((stack) => ["--stack", stack]);
  const { code, stdout } = await command("review", "--json", ".", broken, ...stacks, "--markdown", "review.md");
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as Review;
  const failed = ["project/refused", "broken/good", "broken/refused"];
  expect(report.stacks.filter(({ isFailed }) => isFailed).map(({ stack }) => stack)).toEqual(failed);
  const told = report.risks.map(({ stack, class: each, direction, name }) => `${stack} ${each} ${direction} ${name}`);
  expect(told.filter((text) => text.startsWith("project/"))).toEqual([
    "project/good removed alerts-less gone",
    "project/good threshold alerts-less later",
    "project/refused threshold alerts-less later",
  ]);
  const comment = readFileSync(at("review.md"), "utf8");
  for (const words of [
    ...failed.map((stack) => `**Errors in** \`${stack}\``),
    "seriesConditions: needs at least one condition",
    "no rules today",
    "no stack named 'refused' found",
    "Only changes found before that are listed; deletes are missing.",
  ])
    expect(comment).toContain(words);
});
