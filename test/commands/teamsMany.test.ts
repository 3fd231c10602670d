import { mergeReports, type Report, type TeamResult } from "pulumi-observability/teams";
import { beforeAll, describe, expect, test } from "vitest";
import { runLine } from "./pages.js";
import { size } from "../support/figures.js";
import { ask, ownService, token } from "../support/service.js";
import { monitors, newTeams } from "../support/teams.js";

/** How many monitors each team has; there are as many teams as monitors that are good. */
const each = size(1);
const good = Array.from({ length: each }, (_, i) => `good${i}`);
const key = "canary-of-a-routing-key";
const wrongToken = "canary-of-a-wrong-token";
/** Each fails in its own way. */
const bad: Readonly<Record<string, { readonly body: string; readonly reason: string }>> = {
  throws: {
    body: `console.error(secretFrom("ROUTING_KEY")); throw new Error("unable to ask " + secretFrom("ROUTING_KEY"));`,
    reason: "unable to ask [secret] at teams/throws.mjs:7",
  },
  refused: {
    body: `new obs.Monitor("errors", { labelQuery: "up", seriesConditions: { defaults: { warn: { conditions: [{ value: 1 }] } } } });`,
    reason: 'Monitor "errors": seriesConditions.defaults.warn.conditions[0].op: is required',
  },
  nothing: { body: "throw undefined;", reason: "a value that isn't an Error was thrown: undefined" },
  interrupts: { body: `throw new Error("interrupted");`, reason: "interrupted" },
  exits: { body: "process.exit(3);", reason: "the team's process ended with 3" },
  unknown: { body: "", reason: 'unable to validate monitor "unknown-m-0"' },
  nameless: { body: "", reason: "set the environment variable OBSERVABILITY_API_TOKEN_NAMELESS" },
};

const service = await ownService();
const { home, env: own, add, secretsProvider } = await newTeams(service.url);
const env = {
  // The engine is on this machine, which a proxy can't reach.
  https_proxy: "http://127.0.0.1:1",
  ...own,
  ROUTING_KEY: key,
  ...Object.assign({}, ...good.map((name) => add(name, monitors(each)))),
  ...Object.assign({}, ...Object.entries(bad).map(([name, { body }]) => add(name, body + monitors(each)))),
  OBSERVABILITY_API_TOKEN_UNKNOWN: wrongToken,
  OBSERVABILITY_API_TOKEN_NAMELESS: "",
};

let told = "";
/** Runs a part of the teams, and reads the report in the last line of the events. */
async function up(shard: string): Promise<Report> {
  const command = `npx pulumi-observability teams up --shard ${shard} --events --secrets-provider ${secretsProvider}`;
  const { code, text } = await runLine(command, { cwd: home, env });
  told += text;
  const { type, ...report } = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
  expect(type, text).toBe("report");
  expect(code, "each shard has a team that fails").toBe(1);
  return report;
}

describe("teams in two shards, of which some fail, each for a reason of its own", () => {
  let report: Report;
  const ofStatus = (status: TeamResult["status"]) =>
    report.teams.flatMap((team) => (team.status === status ? [team.name] : [])).sort();

  beforeAll(async () => {
    report = mergeReports([await up("1/2"), await up("2/2")]);
  });

  test("each bad team is told with its reason", () => {
    expect(ofStatus("failed")).toEqual(Object.keys(bad).sort());
    for (const [name, { reason }] of Object.entries(bad)) {
      expect(report.teams.find((team) => team.name === name)?.failure, name).toContain(reason);
    }
  });

  test("the good teams are provisioned", async () => {
    expect(ofStatus("done")).toEqual([...good].sort());
    const { body } = await ask(service, "GET", "/api/v1/config/monitors?page.max_size=1000");
    expect(body.monitors).toHaveLength(good.length * each);
  });

  test("no secret is in any event", () => {
    expect(told).toContain('"type":"error"');
    for (const secret of [key, wrongToken, token]) expect(told).not.toContain(secret);
  });
});
