import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { Service } from "@pulumi-observability/service";
import { beforeEach, describe, expect, test } from "vitest";
import { providerText } from "../../dist/provider/dynamic/providerText.js";
import type { EnginePreview } from "../../dist/sdk/engine/preview.js";
import { runCommand } from "../support/command.js";
import { deepTest } from "../support/figures.js";
import { writeFiles } from "../support/folders.js";
import { secretsProvider } from "../support/keys.js";
import { newProject } from "../support/project.js";
import { ask, ownService, put, takeCounts, token } from "../support/service.js";
import { argumentsIn, blocksUnder, compile, followIn, textsUnder } from "./pages.js";

const page = "docs/import-existing.md";
const [importing = "", imported = "", adoptingAll = "", adopted = ""] = textsUnder(
  "docs/terraform.md",
  "Bring your objects over",
  4,
);
const cheapSecrets = ["--secrets-provider", secretsProvider];

test("a live service is imported as the page shows, without a write to the service", async () => {
  const service = await ownService();
  const names = {
    Dataset: "checkout-logs",
    LogAllocationConfig: "",
    Monitor: "checkout-errors",
    Notifier: "checkout-on-call",
  };
  for (const [kind, slug] of Object.entries(names)) await put(service, kind, slug);
  service.resetCounters();
  // Types are checked in import.test.ts.
  const { folders, run } = newProject(service.url, "", { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const [commands, printed] = blocksUnder(page, "From a live service").map(({ text }) => text);
  const ended = await runCommand(folders.project, argumentsIn(commands), { OBSERVABILITY_BASE_URL: service.url });
  expect(ended).toMatchObject({
    code: 0,
    stdout: printed?.replace("https://config.example.com", service.url),
    stderr: "",
  });

  const inputs: Readonly<Record<string, string>> = {
    "observability:apiToken": token,
    checkoutOnCallRoutingKey: "a-key",
  };
  let text = "";
  const next = ended.stdout.split("\n").slice(3);
  const typed = ["npx pulumi-observability import --out alerts", ...next.map((line) => line.trim())].join("\n");
  expect(importing.replaceAll("https://config.example.com", service.url)).toContain(typed);
  for (const line of next) {
    const [tool, ...args] = line.trim().split(" ");
    if (tool !== "pulumi") continue;
    const more = args.includes("--create") ? cheapSecrets : [];
    const ended = await run(["--cwd", "alerts", ...args, ...more], { input: inputs[args.at(-1) ?? ""] ?? "" });
    expect(ended.code, `${line}\n${ended.text}`).toBe(0);
    ({ text } = ended);
  }
  expect(text).toContain(imported);
  expect(Object.keys(takeCounts(service)).filter((each) => !/^GET | dry$/.test(each))).toEqual([]);
});

// What the service accepts of what is converted: test/property/convertCorpus.test.ts.
test("rules are converted to the monitors that the page shows, and compared with a stack that declares them elsewhere", async () => {
  const service = await ownService();
  const { at, command: run, run: pulumi } = newProject(service.url, "", { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const [rules, command, monitors, change] = blocksUnder(page, "From files of other tools");
  writeFileSync(at(rules?.file ?? ""), rules?.text ?? "");
  const ended = await run(...argumentsIn(command?.text));
  expect(ended.code, ended.stderr).toBe(0);
  const written = readFileSync(at("alerts/monitors.ts"), "utf8");
  expect(written).toContain(monitors?.text);
  expect(written).toContain(
    'labelQuery: "rate(http_errors_total[5m]) > 5 and rate(http_requests_total[5m]) > 100"'.replace(": ", ":\n    "),
  );

  const component = written.replace(/new obs\.Monitor\("/g, "new obs.Monitor(`checkout-${''}` + \"");
  writeFileSync(at("alerts/monitors.ts"), component);
  const init = ["--cwd", "alerts", "stack", "init", "dev", ...cheapSecrets];
  expect(await pulumi(init)).toMatchObject({ code: 0 });
  const compare = () => run(...argumentsIn(command?.text), "--stack", "dev");
  expect(await compare()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^nothing differs: .* alerts\/dev\n/),
  });
  writeFileSync(at(rules?.file ?? ""), rules?.text.replace("0.05", "0.03") ?? "");
  const [, line = ""] = change?.text.split("\n") ?? [];
  expect(await compare()).toMatchObject({
    code: 4,
    stdout: expect.stringContaining(line.replace('" changes', '" in alerts/dev changes')),
  });
  expect(await run(...argumentsIn(command?.text))).toMatchObject({
    code: 4,
    stdout: expect.stringContaining(change?.text ?? "none"),
  });
});

test.each([
  [["import"], 2, /required option '--out <dir>'/],
  [["import", "--out", "x", "--kind", "Monitr"], 2, /Did you mean "Monitor"\?/],
  [["import", "--out", "x", "--label", "team"], 2, /must look like team=checkout/],
  [["convert", "x.yml", "--out", "-"], 2, /It is a folder, not standard output/],
  [["convert", "rules.yml", "--out", "link/"], 2, /It is a link to a folder that does not exist/],
  [["imprt"], 2, /Did you mean import/],
  [["convert", "nowhere.yml", "--out", "x"], 1, /^error: "nowhere.yml" does not exist$/m],
  [
    ["import", "--out", "x"],
    1,
    /^error: unable to list .*: observability:baseUrl is not set\. .* or set OBSERVABILITY_BASE_URL/m,
  ],
  [["import", "--out", "x", "--stack", "none"], 1, /^error: can't read the config of the stack "none"/m],
  [["--help"], 0, /^Exit status: 0 success, /m],
  [["import", "--help"], 0, /pulumi-observability import --out alerts/],
])("%j exits with status %i and prints the reason", async (args, code, words) => {
  const { folders, at, command } = newProject("", "");
  writeFileSync(at("rules.yml"), "groups: [{ name: g, rules: [{ alert: A, expr: a > 5 }] }]");
  symlinkSync("x", at("link"));
  const ended = await command(...args);
  expect(ended).toMatchObject({ code, text: expect.stringMatching(words) });
  expect(readdirSync(folders.project)).not.toContain("x");
});

describe("importing a single object", () => {
  const [reading = "", file = "", lines = ""] = textsUnder(page, "Import single objects", 3);
  const [{ inputs, outputs }] = JSON.parse(file).resources;
  const args = JSON.stringify({ ...inputs, __provider: undefined });
  const declaring = `new (require("pulumi-observability").Monitor)("errors", ${args});`;
  let service: Service;

  const monitor = {
    name: "errors",
    label_query: "up == 0",
    series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0 }] } } },
  };
  beforeEach(async () => {
    service = await ownService();
    await ask(service, "PUT", "/api/v1/config/monitors/errors", { create_if_missing: true, monitor });
  });

  test('fails with "pulumi import", works with get, which only reads, and with adopt as the page for users of Terraform shows', async () => {
    const project = newProject(service.url, compile(reading));
    await project.init();
    const type = "pulumi-nodejs:dynamic/observability:Monitor";
    const { code, text } = await project.run(["import", type, "errors", "errors", "--yes"]);
    expect(code).not.toBe(0);
    expect(text).toContain("Cannot read properties of undefined (reading 'toJavaScript')");
    const { steps } = JSON.parse(await project.done("preview", "--json")) as EnginePreview;
    expect(steps?.map(({ op }) => op)).toEqual(["create", "read"]);
    project.write(declaring);
    expect(await followIn(project, adoptingAll.replace("--yes", "--yes --skip-preview"))).toContain(adopted.trim());
  });

  deepTest("works with an import file that contains what the provider records", async () => {
    expect(inputs.__provider).toBe(providerText("Monitor"));
    expect(outputs).toEqual(inputs);
    const project = newProject(service.url, declaring);
    writeFiles(project.folders.project, { "import.json": file });
    await project.init();
    await followIn(project, lines);
    expect(await project.done("preview")).toContain("2 unchanged");
  });
});
