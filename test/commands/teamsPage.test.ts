import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../install/manifest.js";
import { runCommand } from "../support/command.js";
import { deepTest } from "../support/figures.js";
import { writeFiles } from "../support/folders.js";
import { secretsProvider } from "../support/keys.js";
import { ask, live, ownService, token } from "../support/service.js";
import { newTeams } from "../support/teams.js";
import { blocksUnder, filesUnder, follow, runLine } from "./pages.js";

const page = "docs/teams.md";

/** The command lines under a heading, without what they set. */
const commandsUnder = (heading: string): readonly string[] =>
  blocksUnder(page, heading)
    .flatMap(({ language, text }) => (language === "sh" ? text.split("\n") : []))
    .filter((line) => line.startsWith("npx "));

const service = await ownService();
const { home, env: own } = await newTeams(service.url);
const env = { ...own, OBSERVABILITY_API_TOKEN_CHECKOUT: token, CHECKOUT_ROUTING_KEY: "canary-of-the-page" };
const succeeds = (line: string) => follow(line, { cwd: home, env });
const reportOf = (operation: string, statuses: Readonly<Record<string, string>> = {}) => {
  const teams = Object.entries(statuses).map(([name, status]) => ({ name, status, seconds: 1 }));
  return JSON.stringify({
    version: 1,
    command: "teams",
    operation,
    project: "team-stacks",
    baseUrl: service.url,
    teams,
  });
};
writeFiles(home, {
  ...filesUnder(page, "A team"),
  "preview.json": reportOf("preview"),
  "gone.json": reportOf("up", { gone: "failed" }),
  // Of the second of two shards.
  "shard.json": reportOf("up", { b: "done", d: "failed" }),
  ...Object.fromEntries(["a", "b", "c", "d"].map((name) => [`broken/${name}.mjs`, 'throw new Error("not today");'])),
});

/** Renames the team as the page shows it, and back. Its objects stay. */
async function rename(): Promise<void> {
  const lines = blocksUnder(page, "Run all teams").find(({ text }) => text.includes("stack rename"))?.text ?? "";
  await succeeds(lines);
  const [file, original] = [join(home, "teams/payments.ts"), readFileSync(join(home, "teams/payments.ts"), "utf8")];
  const kept = 'slugPrefix: "checkout-", tokenVariable: "OBSERVABILITY_API_TOKEN_CHECKOUT", declare';
  writeFileSync(file, original.replace("declare", kept));
  const text = await succeeds("npx pulumi-observability teams preview --expect-no-changes");
  expect(text).toMatch(/^payments +0 +0 +0 +2 /m);
  writeFileSync(file, original);
  await succeeds(lines.replaceAll("payments", "*").replaceAll("checkout", "payments").replaceAll("*", "checkout"));
}

// The tests are the steps of one life, in order.
const [up = "", rerun = "", expectNoChanges = "", destroy = "", ...others] = commandsUnder("Run all teams");

test("the page's commands run its team, and find nothing to do again", async () => {
  expect(others).toEqual([]);
  const printed = await succeeds(up.replace("teams up", `teams up --secrets-provider ${secretsProvider}`));
  const { teams } = JSON.parse(readFileSync(join(home, "last.json"), "utf8"));
  expect(teams).toMatchObject([{ name: "checkout", status: "done", counts: { create: 2 } }]);
  expect(printed).not.toContain("canary");
  expect(await succeeds(rerun)).toContain("1 team is skipped, because");
  expect(await succeeds(expectNoChanges)).toContain("1 of 1 teams done");
});

deepTest("drift of its stack, shards, the program of the page and another name", async () => {
  const [{ text: drift } = { text: "" }] = blocksUnder(page, "Drift of a team's stack");
  await succeeds(drift);
  const url = "/api/v1/config/monitors/checkout-errors";
  const { monitor } = (await ask(service, "GET", url)).body;
  await ask(service, "PUT", url, { monitor: { ...(monitor as object), interval_secs: 300 } });
  const edited = await runLine(drift, { cwd: home, env });
  expect(edited.code).not.toBe(0);
  expect(edited.text).toContain("+intervalSecs");

  for (const command of commandsUnder("In CI, in shards")) {
    const text = await succeeds(command);
    if (command.includes("merge")) expect(text).toContain("1 of 1 teams done");
  }
  const [unchanged] = JSON.parse(readFileSync(join(home, "shard-1.json"), "utf8")).teams;
  expect(unchanged).toMatchObject({ operation: "preview", status: "done" });
  const program = filesUnder(page, "From a program");
  writeFiles(home, program);
  for (const file of Object.keys(program)) {
    expect(await succeeds(`"${process.execPath}" ${file}`)).toContain("1 of 1 teams done");
  }
  await rename();
});

test("the page's commands let it leave, except what a later update was told to retain", async () => {
  const file = join(home, "teams/checkout.ts");
  writeFileSync(file, readFileSync(file, "utf8").replace(/("critical" },\s+})\);/, "$1, { retainOnDelete: true });"));
  await succeeds(up);
  await succeeds(destroy);
  expect(await live(service, "Monitor", "checkout-errors")).toBeUndefined();
  expect(await live(service, "Notifier", "checkout-pager")).toBeDefined();
});

/** What the jobs of the example run, in the same words for both forges. */
const commandsOf = (jobFile: string) =>
  (
    readFileSync(join(root, "examples/team-stacks/ci", jobFile), "utf8").match(/npx pulumi-observability teams .*/g) ??
    []
  ).map((line) => line.replaceAll("${{ matrix.shard }}", "$CI_NODE_INDEX").replace("$CI_NODE_TOTAL", "4"));

test("the example's jobs of both forges run the same", () => {
  expect(commandsOf("github-actions.yml").length).toBeGreaterThan(1);
  expect(commandsOf("github-actions.yml")).toEqual(commandsOf("gitlab-ci.yml"));
});

test.each([
  ["teams destroy", 2, "destroy deletes all resources of the teams. Add --yes to confirm"],
  ["teams up --shard 9/8", 2, "It must look like 3/8"],
  ["teams preview --team nobody", 2, 'no team "nobody". Known teams: checkout'],
  ["teams up --folder broken --shard 2/2 --rerun shard.json", 1, "\n1 of 2 teams done, failed: d\n"],
  ["teams up --folder broken --rerun shard.json", 1, "\n1 of 4 teams done, failed: a, c, d\n"],
  ["teams up --rerun gone.json", 2, 'no team "gone", which the earlier run has not finished. Known teams: checkout'],
  ["teams preview --expect-no-changes --rerun preview.json", 1, '--expect-no-changes" requires one of "teams up"'],
  ["teams up --rerun preview.json", 1, 'report is of "teams preview", but "teams up" requires one of "teams up"'],
  ["teams up --project other --rerun shard.json", 1, 'report is of the project "team-stacks", not of "other"'],
  ["teams merge nowhere.json", 1, '"nowhere.json": '],
])("%s ends with %i and says why", async (args, code, words) => {
  expect(await runCommand(home, args.split(" "), env)).toMatchObject({ code, text: expect.stringContaining(words) });
});
