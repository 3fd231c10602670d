import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { writeFiles } from "../support/folders.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ownService } from "../support/service.js";

const program = (intervalSecs: number, more: string) => `
const pulumi = require("@pulumi/pulumi");
const obs = require("pulumi-observability");
const stack = pulumi.getStack();
const monitor = (name, args) => new obs.Monitor(name, {
  slug: stack + "-" + name, labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } }, ...args,
});
monitor("later", { intervalSecs: ${intervalSecs} });
${more}
`;

// Of objects that another stack declares: test/unit/review/identity.test.ts. Of metrics that it changes: reviewTeams.test.ts.
test("rejected, broken and missing stacks are reported beside a good one, and the file is written", async () => {
  const service = await ownService();
  const { at, create, done, write, command, file } = newProject(service.url, program(30, 'monitor("gone");'));
  const names = ["good", "refused"];
  for (const stack of names) await create(stack);
  write(program(60, 'if (stack === "refused") monitor("bad", { seriesConditions: {} });'));
  const broken = file("broken");
  writeFiles(broken, {
    "package.json": readFileSync(at("package.json"), "utf8"),
    "index.js": readFileSync(at("index.js"), "utf8"),
    "Pulumi.yaml": "name: broken\nruntime: nodejs\n",
    "observability.standards.mjs": "throw new Error('no rules today');",
  });
  await done("stack", "init", "good", "--secrets-provider", secretsProvider, "--cwd", broken);

  const stacks = names.flatMap((stack) => ["--stack", stack]);
  const { code, stdout } = await command("review", "--json", ".", broken, ...stacks, "--markdown", "review.md");
  expect(code).toBe(1);
  const report = JSON.parse(stdout) as Review;
  const failed = ["project/refused", "broken/good", "broken/refused"];
  expect(report.stacks.filter(({ isFailed }) => isFailed).map(({ stack }) => stack)).toEqual(failed);
  const told = report.risks.map(({ stack, class: each, direction, name }) => `${stack} ${each} ${direction} ${name}`);
  expect(told.filter((text) => text.startsWith("project/"))).toEqual([
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
