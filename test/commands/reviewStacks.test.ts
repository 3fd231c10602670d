import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { writeFiles } from "../support/folders.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ask, ownService } from "../support/service.js";

const prelude = `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const stack = pulumi.getStack();
const monitor = (name, args, options) => new obs.Monitor(name, {
  labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } }, ...args,
}, options);
`;

/** A project whose programs begin with the same lines. */
function project(url: string) {
  const made = newProject(url, prelude);
  return {
    ...made,
    write: (text: string) => made.write(prelude + text),
    review: async (...args: readonly string[]) => {
      const ended = await made.command("review", "--json", ...args);
      return { ...ended, report: JSON.parse(ended.stdout) as Review };
    },
  };
}

const told = ({ risks }: Review) =>
  risks.map(({ stack, class: each, direction, name }) => `${stack} ${each} ${direction} ${name}`);

test("objects are compared within a stack and between stacks by their service, also under two addresses", async () => {
  const [service, other] = [await ownService(), await ownService()];
  const { create, done, write, review } = project(service.url);
  const respelled = service.url.replace("127.0.0.1", "localhost");
  /** Both stacks run one program, in which the old one changes. The new one declares what it can adopt. */
  const program = (isAfter: boolean) =>
    write(`
      const isNew = stack === "new";
      const isBefore = !isNew && ${!isAfter};
      const declared = (name, options) =>
        (isNew || isBefore) && monitor(name, {}, { adopt: isNew ? "identical" : false, ...options });
      const again = new obs.Provider("again", { baseUrl: isNew ? "${respelled}" : "${service.url}" });
      const elsewhere = new obs.Provider("elsewhere", { baseUrl: isNew ? "${other.url}" : "${service.url}" });
      declared("moved");
      declared("separate", { provider: elsewhere });
      declared("respelled", { provider: again });
      declared("handed", { provider: again, retainOnDelete: true });
      if (!isNew) {
        const two = new obs.Provider("two", { baseUrl: "${other.url}" });
        const local = new obs.Provider("local", { baseUrl: "${respelled}" });
        monitor("kept", {}, { provider: two });
        if (isBefore) monitor("twin", { slug: "kept" });
        if (isBefore) monitor("doubtful", { slug: "doubtful" });
        else monitor("taken", { slug: "doubtful" }, { provider: local, adopt: true });
        monitor("retained", { slug: isBefore ? "first" : "second" }, { retainOnDelete: true });
        monitor("readdressed", {}, isBefore ? {} : { provider: local });
      }
    `);
  program(false);
  for (const stack of ["old", "new"]) await create(stack);
  program(true);
  const { report } = await review("--stack", "old", "--stack", "new");
  expect(told(report).filter((text) => !text.includes(" adopts "))).toEqual([
    ...["moved", "respelled"].map((name) => `project/old declared-elsewhere alerts-less ${name}`),
    ...["doubtful", "moved", "respelled", "separate", "twin"].map((name) => `project/old removed alerts-less ${name}`),
    "project/old replaced unclear retained",
    "project/old retained unclear handed",
    "project/old retained unclear handed",
    "project/old retained unclear retained",
  ]);
  // The sentences are in test/unit/review/identity.test.ts.
  // The old stack cannot know.
  await done("up", "--yes", "--skip-preview", "--stack", "old");
  expect((await ask(service, "GET", "/api/v1/config/monitors/moved")).status).toBe(404);
});

test("rejected, broken and missing stacks are reported beside a good one, and the file is written", async () => {
  const service = await ownService();
  const { at, create, done, write, review, file } = project(service.url);
  const names = ["good", "refused"];
  const has = (isAfter: boolean) => `
    if (!${isAfter}) monitor("gone", { slug: stack + "-gone" });
    monitor("later", { slug: stack + "-later", intervalSecs: ${isAfter ? 60 : 30} });
  `;
  write(has(false));
  for (const stack of names) await create(stack);
  write(`
    ${has(true)}
    if (stack === "refused") monitor("bad", { seriesConditions: {} });
  `);
  const broken = file("broken");
  writeFiles(broken, {
    "package.json": readFileSync(at("package.json"), "utf8"),
    "index.js": readFileSync(at("index.js"), "utf8"),
    "Pulumi.yaml": "name: broken\nruntime: nodejs\n",
    "observability.standards.mjs": "throw new Error('no rules today');",
  });
  await done("stack", "init", "good", "--secrets-provider", secretsProvider, "--cwd", broken);

  const stacks = names.flatMap((stack) => ["--stack", stack]);
  const { code, report } = await review(".", broken, ...stacks, "--markdown", "review.md");
  expect(code).toBe(1);
  const failed = ["project/refused", "broken/good", "broken/refused"];
  expect(report.stacks.filter(({ isFailed }) => isFailed).map(({ stack }) => stack)).toEqual(failed);
  expect(told(report).filter((text) => text.startsWith("project/"))).toEqual([
    "project/good removed alerts-less gone",
    "project/good threshold unclear later",
    "project/refused threshold unclear later",
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

test("a monitor that depends on another stack's metric is named when that metric is deleted", async () => {
  const service = await ownService();
  const { at, create, write, review } = project(service.url);
  const program = (hasRatio: boolean) =>
    write(`
      const metric = (name, labelExpr) =>
        new obs.DerivedMetric(name, { metricName: name, queries: [{ query: { labelExpr } }] });
      if (stack === "platform" && ${hasRatio}) metric("ratio", "up");
      if (stack === "shop") new obs.Provider("other", { baseUrl: "${service.url}" });
      if (stack === "shop") metric("burn", "ratio / 0.01");
      if (stack === "shop") monitor("pay", { labelQuery: 'max_over_time({__name__=~"burn|other"}[5m])' });
    `);
  program(true);
  for (const stack of ["platform", "shop"]) await create(stack);
  program(false);
  const both = ["--stack", "platform", "--stack", "shop"];
  const { code, report, stderr } = await review(...both, "--fail-on", "query:unclear", "--markdown", "review.md");
  const burn = "DerivedMetric burn, DerivedMetric ratio (project/platform)";
  expect(report.risks.flatMap(({ path }) => path ?? []).join(", ")).toBe(`${burn}, Monitor pay, ${burn}`);
  expect(stderr.replace(/\s+/g, " ")).toContain(
    'pay: depends on "ratio", which is removed: may find no data (Monitor pay → DerivedMetric burn → DerivedMetric ratio (project/platform))',
  );
  expect(readFileSync(at("review.md"), "utf8")).toContain("`pay`: depends on");
  expect(code).toBe(3);
  expect(report.stacks.flatMap(({ notes }) => notes)).toEqual([]);
});
