import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { pulumiEnv } from "../../../tools/pulumi.mjs";
import { isDeep } from "../../support/figures.js";
import { keyService, secretsProvider } from "../../support/keys.js";
import { quickStart } from "../../support/quickStart.js";
import { ask, ownService, token } from "../../support/service.js";
import { copyExample, type Ended, run } from "./program.js";

const wrongToken = "canary-wrong-token";
const routingKey = "canary-routing-key";
const secrets = [token, wrongToken, routingKey];

const { folder, program } = copyExample("team-stacks");
const service = await ownService();

const good = ["checkout", "search", "shipping"];
/** Each fails in its own way. */
const bad: Readonly<Record<string, string>> = {
  "bad-monitor": `
    new obs.Monitor("errors", { labelQuery: "up", seriesConditions: { defaults: { warn: { conditions: [{ value: 1 }] } } } });`,
  "bad-token": `new obs.Notifier("pager", { discard: true });`,
  "no-token": "",
  exits: "process.exit(3);",
  throws: `new obs.Notifier("pager", { discard: true });
    throw new Error("unable to ask " + secretFrom("CHECKOUT_ROUTING_KEY"));`,
};

const tokenOf = (team: string) => `OBSERVABILITY_API_TOKEN_${team.toUpperCase().replaceAll("-", "_")}`;
const env: NodeJS.ProcessEnv = {
  ...pulumiEnv({ home: join(folder, "home"), backend: join(program, ".state") }),
  ...(await keyService()),
  ...quickStart,
  OBSERVABILITY_BASE_URL: service.url,
  ...Object.fromEntries([...good, ...Object.keys(bad)].map((team) => [tokenOf(team), token])),
  [tokenOf("bad-token")]: wrongToken,
  [tokenOf("no-token")]: "",
  CHECKOUT_ROUTING_KEY: routingKey,
};

const teamFile = (name: string) => join(program, "teams", `${name}.ts`);

function addTeam(name: string, body: string): void {
  const text = `import * as obs from "pulumi-observability";
import { defineTeam, secretFrom } from "pulumi-observability/teams";

export default defineTeam({
  async declare() {
    ${body}
  },
});
`;
  writeFileSync(teamFile(name), text);
}

const slugs = async (plural: string) =>
  Object.values((await ask(service, "GET", `/api/v1/config/${plural}`)).body)
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map(({ slug }) => slug);

/** The row of a team in the summary: create, update, delete, same. */
const row = ({ output }: Ended, team: string) =>
  output
    .match(new RegExp(`^${team}((?: +[\\d-]+){4}) +[\\d.]+ s$`, "m"))?.[1]
    ?.trim()
    .split(/ +/);

/** Every file below a folder. */
const filesIn = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesIn(join(path, name))) : [path];

describe.skipIf(!isDeep)("with a bad team of each sort", () => {
  let ended: Ended;

  beforeAll(async () => {
    for (const [name, body] of Object.entries(bad)) addTeam(name, body);
    const teams = ["checkout", "shipping", ...Object.keys(bad)];
    const only = teams.map((team) => `--team ${team}`).join(" ");
    ended = await run(`npm start --silent -- --secrets-provider ${secretsProvider} ${only}`, {
      cwd: program,
      env,
    });
  });

  test("the exit status says so, and which", () => {
    expect(ended.status, ended.output).toBe(1);
    expect(ended.output).toContain(`2 of 7 teams done, failed: ${Object.keys(bad).join(", ")}`);
  });

  test.each([
    ["bad-monitor", 'Monitor "errors": seriesConditions.defaults.warn.conditions[0].op: is required'],
    ["bad-token", 'Notifier "pager": unable to validate notifier "bad-token-pager": '],
    ["no-token", "set the environment variable OBSERVABILITY_API_TOKEN_NO_TOKEN"],
    ["exits", "its process ended with 3"],
    ["throws", "unable to ask [secret]"],
  ])("the summary says what is wrong with %s", (team, reason) => {
    expect(row(ended, team)).toEqual(["-", "-", "-", "-"]);
    expect(ended.output).toContain(`\n  preview failed: ${reason}`);
  });

  test("the others are provisioned", async () => {
    expect(row(ended, "checkout")).toEqual(["3", "0", "0", "0"]);
    expect(row(ended, "shipping")).toEqual(["4", "0", "0", "0"]);
    expect(await slugs("monitors")).toEqual([
      "checkout-errors",
      "shipping-courier-backlog",
      "shipping-freight-backlog",
      "shipping-parcel-backlog",
    ]);
    expect(await slugs("notifiers")).toEqual(["checkout-pager"]);
  });

  test("what is printed of the others fits into a terminal", () => {
    const lines = ended.output.split("\n").filter((line) => /^(?:team|checkout|shipping)\b/.test(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("no secret is printed or written in clear", () => {
    const written = [".state", ".stacks"].flatMap((name) => filesIn(join(program, name)));
    expect(written.length).toBeGreaterThan(5);
    for (const secret of secrets) {
      expect(ended.output).not.toContain(secret);
      expect(written.filter((path) => readFileSync(path, "utf8").includes(secret))).toEqual([]);
    }
  });
});

/** What the jobs of a file run, in the same words for both forges. */
const commandsOf = (jobFile: string) =>
  (readFileSync(join(program, "ci", jobFile), "utf8").match(/npx pulumi-observability teams .*/g) ?? []).map((line) =>
    line
      .replaceAll("${{ matrix.shard }}", "$CI_NODE_INDEX")
      .replace("$CI_NODE_TOTAL", "4")
      .replace("npx ", "node_modules/.bin/"),
  );

test("the jobs of both forges run the same", () => {
  expect(commandsOf("github-actions.yml")).toEqual(commandsOf("gitlab-ci.yml"));
});
