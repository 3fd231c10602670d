import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/command.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ownService, put, takeCounts, token } from "../support/service.js";
import { argumentsIn, blocksUnder } from "./pages.js";

const page = "docs/bring-in.md";
const cheapSecrets = ["--secrets-provider", secretsProvider];

test("a live service is brought in as the page says, and nothing is written to it", async () => {
  const service = await ownService();
  const names = {
    Dataset: "checkout-logs",
    LogAllocationConfig: "",
    Monitor: "checkout-errors",
    Notifier: "checkout-on-call",
  };
  for (const [kind, slug] of Object.entries(names)) await put(service, kind, slug);
  service.resetCounters();
  // Types are checked in the next test, and when what is imported is compared.
  const { folders, done, env } = newProject(service.url, "", { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const [commands, printed] = blocksUnder(page, "From a live service").map(({ text }) => text);
  const ended = await runCommand(folders.project, argumentsIn(commands), { OBSERVABILITY_BASE_URL: service.url });
  expect(ended).toMatchObject({
    code: 0,
    stdout: printed?.replace("https://config.example.com", service.url),
    stderr: "",
  });

  const project = join(folders.project, "alerts");
  const values = { OBSERVABILITY_API_TOKEN: token, CHECKOUT_ON_CALL_ROUTING_KEY: "a-key" };
  let text = "";
  for (const line of ended.stdout.split("\n").slice(4)) {
    const [tool, ...args] = line.trim().split(" ");
    if (tool === "npx") {
      const set = await runCommand(project, [...args.slice(1), "--env"], { ...env, ...values });
      expect(set, line).toMatchObject({ code: 0, stdout: "set 2 secrets\n" });
    }
    if (tool !== "pulumi") continue;
    const isCreate = args.includes("--create");
    text = await done("--cwd", "alerts", ...args, ...(isCreate ? cheapSecrets : []));
  }
  expect(text).toMatch(/~ 1 to update\n {4}4 unchanged/);
  expect(Object.keys(takeCounts(service)).filter((each) => !/^GET | dry$/.test(each))).toEqual([]);
});

test("rules are converted to what the page shows, and the service accepts them", async () => {
  const service = await ownService();
  const { at, command: run, done } = newProject(service.url, "");
  const [rules, command, monitors, comparison] = blocksUnder(page, "From files of other tools");
  writeFileSync(at(rules?.file ?? ""), rules?.text ?? "");
  const ended = await run(...argumentsIn(command?.text));
  expect(ended.code, ended.stderr).toBe(0);
  const written = readFileSync(at("alerts/monitors.ts"), "utf8");
  expect(written).toContain(monitors?.text);
  expect(written).toContain(
    'labelQuery: "rate(http_errors_total[5m]) > 5 and rate(http_requests_total[5m]) > 100"'.replace(": ", ":\n    "),
  );

  await done("--cwd", "alerts", "stack", "init", "dev", ...cheapSecrets);
  expect(await done("--cwd", "alerts", "preview")).toContain("+ 3 to create");

  writeFileSync(at(rules?.file ?? ""), rules?.text.replace("0.05", "0.07") ?? "");
  const [again, diff] = comparison?.text.trimEnd().split("\n") ?? [];
  expect((await run(...argumentsIn(again))).code).toBe(0);
  const { status, stdout } = spawnSync(diff ?? "", { cwd: at(""), shell: true, encoding: "utf8" });
  expect([status, ...(stdout.match(/^[-+] .*/gm) ?? [])]).toEqual([
    1,
    expect.stringMatching(/^- .*value: 0\.05/),
    expect.stringMatching(/^\+ .*value: 0\.07/),
  ]);
});

test.each([
  [["import"], 2, /required option '--out <dir>'/],
  [["import", "--out", "x", "--kind", "Monitr"], 2, /Did you mean Monitor\?/],
  [["import", "--out", "x", "--label", "team"], 2, /must look like team=checkout/],
  [["imprt"], 2, /Did you mean import/],
  [["convert", "nowhere.yml", "--out", "x"], 1, /^error: "nowhere.yml": there is no such file or folder$/m],
  [
    ["import", "--out", "x"],
    1,
    /^error: unable to list .*: observability:baseUrl is not set\. .* or set OBSERVABILITY_BASE_URL/m,
  ],
  [["import", "--out", "x", "--stack", "none"], 1, /^error: unable to read the config of the stack "none"/m],
  [["--help"], 0, /^Exit status: 0 if all was done, /m],
  [["import", "--help"], 0, /pulumi-observability import --out alerts/],
])("%j ends with %i and says why", async (args, code, words) => {
  const { folders, command } = newProject("", "");
  const ended = await command(...args);
  expect(ended).toMatchObject({ code, text: expect.stringMatching(words) });
  expect(readdirSync(folders.project)).not.toContain("x");
});
