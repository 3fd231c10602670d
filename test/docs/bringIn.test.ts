import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { caseOf, pathOf } from "../support/cases.js";
import { runCommand } from "../support/command.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ask, ownService, takeCounts, token } from "../support/service.js";
import { blocksIn } from "./pages.js";

const page = "docs/bring-in.md";
const cheapSecrets = `--secrets-provider ${secretsProvider}`;
const blocksUnder = (heading: string) => blocksIn(page).filter((block) => block.heading === heading);

/** The arguments of the command in the page's lines. */
function commandIn(lines: string): readonly string[] {
  const line = lines.split("\n").find((each) => each.startsWith("npx pulumi-observability "));
  return line?.split(" ").slice(2) ?? [];
}

async function newService() {
  const service = await ownService();
  for (const name of ["Dataset", "LogAllocationConfig", "Monitor", "Notifier"]) {
    const { kind } = caseOf(name);
    const { wire } = kind.example;
    const body = { create_if_missing: true, [kind.wire.one]: wire };
    expect((await ask(service, "PUT", pathOf(kind, String(wire.slug)), body)).status).toBe(200);
  }
  service.resetCounters();
  return service;
}

test("a live service is brought in as the page says, and nothing is written to it", async () => {
  const service = await newService();
  // Types are checked in the next test, and when what is imported is compared.
  const { folders, run, env } = newProject(service.url, "", { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const [commands, printed] = blocksUnder("From a live service").map(({ text }) => text);
  const ended = await runCommand(folders.project, commandIn(commands ?? ""), { OBSERVABILITY_BASE_URL: service.url });
  expect(ended).toEqual({ code: 0, stdout: printed?.replace("https://config.example.com", service.url), stderr: "" });

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
    const ended = await run(["--cwd", "alerts", ...args, ...(isCreate ? cheapSecrets.split(" ") : [])]);
    expect(ended.code, `${line}\n${ended.text}`).toBe(0);
    text = ended.text;
  }
  expect(text).toMatch(/~ 1 to update\n {4}4 unchanged/);
  expect(Object.keys(takeCounts(service)).filter((each) => !/^GET | dry$/.test(each))).toEqual([]);
});

test("rules are converted to what the page shows, and the service accepts them", async () => {
  const service = await ownService();
  const { folders, run } = newProject(service.url, "");
  const [rules, command, monitors] = blocksUnder("From files of other tools");
  writeFileSync(join(folders.project, rules?.file ?? ""), rules?.text ?? "");
  const ended = await runCommand(folders.project, commandIn(command?.text ?? ""));
  expect(ended.code, ended.stderr).toBe(0);
  const written = readFileSync(join(folders.project, "alerts/monitors.ts"), "utf8");
  expect(written).toContain(monitors?.text);
  expect(written).toContain(
    'labelQuery: "rate(http_errors_total[5m]) > 5 and rate(http_requests_total[5m]) > 100"'.replace(": ", ":\n    "),
  );

  await run(["--cwd", "alerts", "stack", "init", "dev", ...cheapSecrets.split(" ")]);
  const { code, text } = await run(["--cwd", "alerts", "preview"]);
  expect(code, text).toBe(0);
  expect(text).toContain("+ 3 to create");
});

test("what cannot be converted is named with its place, and the rest is written", async () => {
  const { folders } = newProject("http://127.0.0.1:1", "");
  mkdirSync(join(folders.project, "rules/more"), { recursive: true });
  const rule = (name: string, expr: string) => `- { alert: ${name}, expr: "${expr}" }`;
  writeFileSync(
    join(folders.project, "rules/a.yml"),
    ["groups:", "- name: a", "  rules:", `  ${rule("Fine", "up == 0")}`, `  ${rule("Broken", "sum(")}`].join("\n"),
  );
  writeFileSync(join(folders.project, "rules/more/b.yaml"), "receivers: [{ name: x, msteams_configs: [{}] }]");
  const { code, stdout } = await runCommand(folders.project, ["convert", "rules", "--out", "alerts", "--json"]);
  expect(code).toBe(3);
  const { version, converted, refused, losses } = JSON.parse(stdout);
  expect({ version, converted }).toEqual({
    version: 1,
    converted: [{ kind: "Monitor", name: "fine", file: "rules/a.yml", line: 4, state: "added" }],
  });
  expect(refused).toEqual([
    { file: "rules/a.yml", line: 5, name: "Broken", reason: expect.stringContaining("PromQL") },
    { file: "rules/more/b.yaml", line: 1, name: "x", reason: expect.stringContaining("msteams_configs") },
  ]);
  expect(losses).toEqual([expect.objectContaining({ item: "fine", file: "rules/a.yml", line: 4 })]);
  expect(readdirSync(join(folders.project, "alerts"))).toContain("monitors.ts");
});

test.each([
  [["import"], 2, /required option '--out <dir>'/],
  [["import", "--out", "x", "--kind", "Monitr"], 2, /Did you mean Monitor\?/],
  [["import", "--out", "x", "--label", "team"], 2, /must look like team=checkout/],
  [["imprt"], 2, /Did you mean import/],
  [["convert", "nowhere.yml", "--out", "x"], 1, /^error: "nowhere.yml": there is no such file or folder$/m],
  [["import", "--out", "x"], 1, /^error: unable to list .*: no baseUrl: .* or set OBSERVABILITY_BASE_URL/m],
  [["import", "--out", "x", "--stack", "none"], 1, /^error: unable to read the config of the stack "none"/m],
  [["--help"], 0, /^Exit status: 0 if all was done, /m],
  [["import", "--help"], 0, /pulumi-observability import --out alerts/],
])("%j ends with %i and says why", async (args, code, words) => {
  const { folders } = newProject("", "");
  const ended = await runCommand(folders.project, args, { OBSERVABILITY_BASE_URL: "" });
  expect({ ...ended, code: ended.code }).toMatchObject({ code });
  expect(ended.stdout + ended.stderr).toMatch(words);
  expect(readdirSync(folders.project)).not.toContain("x");
});
