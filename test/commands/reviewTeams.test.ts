import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { runCommand } from "../support/command.js";
import { ownService } from "../support/service.js";
import { newTeams } from "../support/teams.js";

const monitor = (name: string, more = "") =>
  `new obs.Monitor("${name}", { ${more} labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } } });`;
const pager = 'new obs.Notifier("pager", { oncallB: { routingKey: secretFrom("ROUTING_KEY") } });';
const canary = "canary-of-the-team-review";

test("a review of a team repository has each team's stack, in shards and merged too, and a 401 names the team's own variable", async () => {
  const service = await ownService();
  const { home, env, add, secretsProvider } = await newTeams(service.url);
  const tokens = {
    ...add("calm", monitor("errors")),
    ...add("laxer", monitor("errors", "intervalSecs: 30,") + pager),
    ...add("leaving", monitor("errors") + monitor("gone")),
    ...add("odd", monitor("errors")),
  };
  const all = { ...env, ...tokens, ROUTING_KEY: canary };
  const secrets = ["--secrets-provider", secretsProvider];
  const up = await runCommand(home, ["teams", "up", ...secrets], all);
  expect(up.code, up.stdout + up.stderr).toBe(0);

  add("laxer", monitor("errors", "intervalSecs: 60,") + pager);
  add("leaving", monitor("errors"));
  add("throws", 'throw new Error("it breaks");');
  const withoutToken = { ...all, OBSERVABILITY_API_TOKEN_ODD: "wrong", OBSERVABILITY_API_TOKEN_THROWS: "t" };
  const review = async (...args: readonly string[]) => {
    const ended = await runCommand(home, ["review", "--json", ...args], withoutToken);
    return { ...ended, report: JSON.parse(ended.stdout) as Review };
  };
  // By itself: the folder has teams and no program.
  const { code, report, stdout, stderr } = await review(...secrets, "--markdown", "review.md");
  expect(code).toBe(1);
  expect(report.risks.map(({ stack, class: each, name }) => `${stack} ${each} ${name}`)).toEqual([
    "team-stacks/leaving removed gone",
    "team-stacks/laxer laxer errors",
  ]);
  expect(report.stacks.map(({ stack, isFailed }) => [stack, isFailed])).toEqual([
    ["team-stacks/calm", false],
    ["team-stacks/laxer", false],
    ["team-stacks/leaving", false],
    ["team-stacks/odd", true],
    ["team-stacks/throws", true],
  ]);
  const failures = report.stacks.map((stack) => stack.failures.map(({ text }) => text).join("\n"));
  expect(failures[3]).toContain("answered 401");
  expect(failures[3]).toContain("set the environment variable OBSERVABILITY_API_TOKEN_ODD to a valid token");
  expect(failures[3]).not.toContain("pulumi config set");
  expect(failures[4]).toContain("it breaks");
  expect(stdout + stderr + readFileSync(join(home, "review.md"), "utf8")).not.toContain(canary);

  // Of nine shards, four have no team.
  const empty = await review("--shard", "9/9");
  expect([empty.code, empty.report.command, empty.report.stacks]).toEqual([0, "review", []]);

  for (const shard of ["1", "2"]) {
    const part = await review("--teams", "teams", "--shard", `${shard}/2`, ...secrets);
    writeFileSync(join(home, `shard-${shard}.json`), part.stdout);
  }
  const { report: merged } = await review("--from", "shard-1.json", "shard-2.json");
  const byStack = ({ stacks }: Review) => [...stacks].sort((a, b) => (a.stack < b.stack ? -1 : 1));
  const withoutRequest = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/request [-\w]+/g, "request"));
  expect(merged.risks).toEqual(report.risks);
  expect(withoutRequest(byStack(merged))).toEqual(withoutRequest(byStack(report)));
});
