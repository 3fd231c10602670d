import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { run } from "../e2e/examples/program.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ask, ownService, token } from "../support/service.js";
import { newTeams } from "../support/teams.js";
import { blocksIn, filesUnder } from "./pages.js";
import { isDeep } from "../support/figures.js";

const page = "docs/teams.md";
const main = join(import.meta.dirname, "../../dist/cli/main.js");

/** The command lines under a heading, without what they set; the command is the one of this checkout. */
const commandsUnder = (heading: string): readonly string[] =>
  blocksIn(page)
    .filter((block) => block.heading === heading && block.language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => line.startsWith("npx "))
    .map((line) => line.replace("npx pulumi-observability", `"${process.execPath}" "${main}"`));

const service = await ownService();
const { home, env: own } = await newTeams(service.url);
const env = { ...own, OBSERVABILITY_API_TOKEN_CHECKOUT: token, CHECKOUT_ROUTING_KEY: "canary-of-the-page" };
const inFolder = (command: string) => run(command, { cwd: home, env });

const [up = "", rerun = "", expectNoChanges = "", destroy = "", ...others] = commandsUnder("Run all teams");
const [file = "", text = ""] = Object.entries(filesUnder(page, "A team"))[0] ?? [];

beforeAll(() => {
  writeFileSync(join(home, file), text);
  writeFileSync(join(home, "file.json"), "{}");
  writeFileSync(
    join(home, "preview.json"),
    '{ "version": 1, "command": "teams", "operation": "preview", "teams": [] }',
  );
});

describe("the page", () => {
  test("has a team and commands that run", async () => {
    expect(others).toEqual([]);
    const ended = await inFolder(up.replace("teams up", `teams up --secrets-provider ${secretsProvider}`));
    expect(ended.status, ended.output).toBe(0);
    const { teams } = JSON.parse(readFileSync(join(home, "last.json"), "utf8"));
    expect(teams).toMatchObject([{ name: "checkout", status: "done", counts: { create: 2 } }]);
    expect(ended.output).not.toContain("canary");
  });

  test("runs nothing again that is done, and finds no changes", async () => {
    const words = expect.stringContaining('1 of 1 teams are done in "last.json", and are skipped');
    expect(await inFolder(rerun)).toEqual({ status: 0, output: words });
    const { status, output } = await inFolder(expectNoChanges);
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("1 of 1 teams done") });
  });

  test.skipIf(!isDeep)("shows shards that become one report", async () => {
    for (const command of commandsUnder("In CI, in shards")) {
      const ended = await inFolder(command);
      expect(ended.status, ended.output).toBe(0);
      if (command.includes("merge")) expect(ended.output).toContain("1 of 1 teams done");
    }
  });

  test("has a program that runs", async () => {
    const [program] = Object.entries(filesUnder(page, "From a program"));
    writeFileSync(join(home, program?.[0] ?? ""), program?.[1] ?? "");
    const ended = await inFolder(`"${process.execPath}" ${program?.[0]}`);
    expect(ended, ended.output).toEqual({ status: 0, output: expect.stringContaining("1 of 1 teams done") });
  });

  test("lets a team leave", async () => {
    const ended = await inFolder(destroy);
    expect(ended.status, ended.output).toBe(0);
    expect((await ask(service, "GET", "/api/v1/config/monitors")).body.monitors ?? []).toEqual([]);
  });

  test.skipIf(!isDeep)("loads a single stack of another program without checkpoints", async () => {
    const program = `const obs = require("pulumi-observability"); new obs.Notifier("pager", { discard: true });`;
    const { folders, run: pulumi } = newProject(service.url, program);
    expect((await pulumi(["stack", "init", "production", "--secrets-provider", secretsProvider])).code).toBe(0);
    const [load = ""] = commandsUnder("A first load");
    const ended = await run(load, {
      cwd: folders.project,
      env: {
        ...env,
        PULUMI_HOME: folders.home,
        PULUMI_BACKEND_URL: `file://${folders.backend}`,
        OBSERVABILITY_API_TOKEN: token,
      },
    });
    expect(ended.status, ended.output).toBe(0);
    expect(ended.output).toContain("First load: goes without checkpoints");
    expect((await ask(service, "GET", "/api/v1/config/notifiers/pager")).status).toBe(200);
  });
});

test.each([
  ["teams destroy", 1, "destroy deletes everything that the teams have at the service: add --yes"],
  ["teams up --shard 9/8", 2, "It must look like 3/8"],
  ["teams up --parallel 0", 2, "It must be a whole number from 1"],
  ["teams preview --folder nowhere", 1, 'there is no folder "nowhere"'],
  ["teams preview --team nobody", 1, 'no team "nobody"; known are checkout'],
  ["teams preview --rerun file.json", 1, '"file.json": this is no report of "pulumi-observability teams --json"'],
  ["teams up --rerun preview.json", 1, 'is the report of "teams preview": --rerun needs one of "teams up"'],
  ["teams merge nowhere.json", 1, '"nowhere.json": '],
  ["load --yes", 1, "there is no Pulumi.yaml in this folder or above"],
  ["load --yes --stack production", 1, "there is no Pulumi.yaml in this folder or above"],
  ["load", 1, "there is nobody to ask: add --yes"],
  ["teams up --help", 0, "--checkpoints"],
])("%s ends with %i and says why", async (args, status, words) => {
  const ended = await inFolder(`"${process.execPath}" "${main}" ${args}`);
  expect(ended).toEqual({ status, output: expect.stringContaining(words) });
});
