import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Review } from "../../dist/cli/review/review.js";
import { runCommand } from "../support/command.js";
import { ownService } from "../support/service.js";
import { newTeams } from "../support/teams.js";

const monitor = (name: string, more = "", query = "up") =>
  `new obs.Monitor("${name}", { ${more} labelQuery: "${query}", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } } });`;
const pager = 'new obs.Notifier("pager", { oncallB: { routingKey: secretFrom("ROUTING_KEY") } });';
const metric = 'new obs.DerivedMetric("ratio", { metricName: "ratio", queries: [{ query: { labelExpr: "up" } }] });';
const reader = monitor("burn", "", "ratio");
const canary = "canary-of-the-team-review";
// A secret where the engine doesn't know of it.
const quoting = `const key = secretFrom("ROUTING_KEY");
  new obs.Monitor("quoting-" + key, {
    labels: { severity: key }, annotations: { [key]: "a", note: "see " + key }, labelQuery: \`up{key="\${key}"}\`,
    seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
  });
  console.warn(key);`;

test("a review of a team repository has each team's stack, and a 401 names the team's own variable", async () => {
  const service = await ownService();
  const { home, env, add, secretsProvider } = await newTeams(service.url);
  const tokens = {
    ...add("later", monitor("errors", "intervalSecs: 30,") + reader + pager),
    ...add("leaving", monitor("errors") + monitor("gone") + metric),
    ...add("odd", monitor("errors")),
  };
  const all = { ...env, ...tokens, ROUTING_KEY: canary };
  const secrets = ["--secrets-provider", secretsProvider];
  const up = await runCommand(home, ["teams", "up", "--team", "later", "--team", "leaving", ...secrets], all);
  expect(up.code, up.stdout + up.stderr).toBe(0);

  add(
    "later",
    monitor("errors", "intervalSecs: 60,") +
      reader +
      pager.replace(" } });", ', severity: secretFrom("ROUTING_KEY") } });') +
      quoting,
  );
  add("leaving", monitor("errors"));
  const withoutToken = { ...all, OBSERVABILITY_API_TOKEN_ODD: "wrong" };
  const review = async (...args: readonly string[]) => {
    const ended = await runCommand(home, ["review", "--json", ...args], withoutToken);
    return { ...ended, report: JSON.parse(ended.stdout) as Review };
  };
  // By itself: the folder has teams and no program.
  const { code, report, stdout, stderr } = await review(...secrets, "--markdown", "review.md", "--report", "page.html");
  expect(code).toBe(1);
  expect(report.risks.map(({ stack, class: each, name }) => `${stack} ${each} ${name}`)).toEqual([
    "team-stacks/leaving removed gone",
    "team-stacks/later threshold errors",
    "team-stacks/leaving removed ratio",
    "team-stacks/later delivery pager",
    "team-stacks/later query burn",
  ]);
  expect(report.stacks.map(({ stack, isFailed }) => [stack, isFailed])).toEqual([
    ["team-stacks/later", false],
    ["team-stacks/leaving", false],
    ["team-stacks/odd", true],
  ]);
  const failures = report.stacks.map((stack) => stack.failures.map(({ text }) => text).join("\n"));
  expect(failures[2]).toContain("answered 401");
  expect(failures[2]).toContain("Set the environment variable OBSERVABILITY_API_TOKEN_ODD to a valid token");
  expect(failures[2]).not.toContain("pulumi config set");
  const files = ["review.md", "page.html"].map((name) => readFileSync(join(home, name), "utf8"));
  for (const text of [stdout, stderr, ...files]) expect(text).not.toContain(canary);
  expect(files[0]).toContain("quoting-[secret]");

  // Of nine shards, five have no team.
  const empty = await review("--shard", "9/9");
  expect([empty.code, empty.report.command, empty.report.stacks]).toEqual([0, "review", []]);
});
