import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { mergeReports, type Report, summary, type TeamResult } from "pulumi-observability/teams";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../e2e/examples/program.js";
import { isDeep, reportFigure, timeLimitMs } from "../support/figures.js";
import { ask, ownService, token } from "../support/service.js";
import { monitors, newTeams } from "../support/teams.js";

// The example's test has the small version: two good teams and five bad ones.
const good = Array.from({ length: isDeep ? 17 : 0 }, (_, i) => `good-${i}`);
const each = isDeep ? 50 : 2;

const key = "canary-of-a-routing-key";
const wrongToken = "canary-of-a-wrong-token";
const invalid = `new obs.Monitor("errors", { labelQuery: "up", seriesConditions: { defaults: { warn: { conditions: [{ value: 1 }] } } } });`;
/** Each fails in its own way. */
const bad: Readonly<Record<string, { readonly body: string; readonly reason: string }>> = {
  throws: {
    body: `console.error(secretFrom("ROUTING_KEY")); throw new Error("unable to ask " + secretFrom("ROUTING_KEY"));`,
    reason: "unable to ask [secret]",
  },
  ...(isDeep && {
    refused: {
      body: invalid,
      reason: 'Monitor "errors": seriesConditions.defaults.warn.conditions[0].op: is required',
    },
    unknown: { body: "", reason: "unable to" },
  }),
};

const service = await ownService();
const { home, env: own, add, secretsProvider } = await newTeams(service.url);
let env: NodeJS.ProcessEnv = { ...own, ROUTING_KEY: key };
for (const name of good) add(name, monitors(each));
for (const [name, { body }] of Object.entries(bad)) add(name, body + monitors(each));
for (const name of [...good, ...Object.keys(bad)]) {
  env[`OBSERVABILITY_API_TOKEN_${name.toUpperCase().replace("-", "_")}`] = name === "unknown" ? wrongToken : token;
}

let told = "";
/** Runs the command, and reads the report in the last line of its events. */
async function teams(args: string): Promise<Report & { readonly status: number | null }> {
  const command = `node_modules/.bin/pulumi-observability teams ${args} --events --secrets-provider ${secretsProvider}`;
  const { status, output } = await run(command, { cwd: home, env });
  told += output;
  const { type, ...report } = JSON.parse(output.trimEnd().split("\n").at(-1) ?? "");
  expect(type, output).toBe("report");
  return { ...report, status };
}
const inShards = async (args: string) =>
  [await teams(`${args} --shard 1/2`), await teams(`${args} --shard 2/2`)] as const;
const ofStatus = ({ teams }: Report, status: TeamResult["status"]) =>
  teams.filter((team) => team.status === status).map(({ name }) => name);
const monitorCount = async () =>
  ((await ask(service, "GET", "/api/v1/config/monitors?page.max_size=1000")).body.monitors as unknown[] | undefined)
    ?.length ?? 0;

describe(`${good.length + Object.keys(bad).length} teams of ${each} monitors in two shards`, () => {
  let report: Report;

  beforeAll(async () => {
    report = mergeReports(await inShards("up"));
    if (isDeep) reportFigure(summary(report, 120));
  }, timeLimitMs);

  test("the good ones are provisioned, each bad one fails for its own reason", async () => {
    expect(ofStatus(report, "done").sort()).toEqual([...good].sort());
    expect(ofStatus(report, "failed").sort()).toEqual(Object.keys(bad).sort());
    for (const [name, { reason }] of Object.entries(bad)) {
      expect(report.teams.find((team) => team.name === name)?.failure).toContain(reason);
    }
    expect(await monitorCount()).toBe(good.length * each);
  });

  const rerun = async () => {
    const file = join(home, "last.json");
    writeFileSync(file, JSON.stringify(report));
    for (const name of Object.keys(bad)) add(name, monitors(each));
    env = { ...env, OBSERVABILITY_API_TOKEN_UNKNOWN: token };
    const again = await teams(`up --rerun ${file}`);
    expect(again.status).toBe(0);
    expect(ofStatus(again, "done").sort()).toEqual(Object.keys(bad).sort());
    expect(await monitorCount()).toBe((good.length + Object.keys(bad).length) * each);
    const last = await teams("preview --expect-no-changes");
    const unchanged = { create: 0, update: 0, delete: 0, same: each };
    expect(last.teams.map(({ counts }) => counts)).toEqual(last.teams.map(() => unchanged));
    reportFigure(`canaries in ${told.length} characters of events: ${told.split("canary").length - 1}`);
  };
  // In other tests with fewer teams.
  if (isDeep) test("a rerun brings only the mended ones to their end, and then nothing is left", rerun, timeLimitMs);

  test("no secret is in any event", () => {
    expect(told).toContain('"type":"error"');
    for (const secret of [key, wrongToken, token]) expect(told).not.toContain(secret);
  });
});
