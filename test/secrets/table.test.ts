import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { expect, test } from "vitest";
import { newStack } from "../support/engine.js";
import * as faults from "../support/faults.js";
import { conditions } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { quickPlugins } from "../support/quickStart.js";
import { ask, ownService } from "../support/service.js";
import { filesIn } from "./scan.js";
import { declareAll, ways } from "./ways.js";

const root = join(import.meta.dirname, "../..");
type Place = "state" | "text" | "errors";

/** By the way and the number of the update. */
const canaryOf = (generation: number) => (way: string) => `canary-${way}-${generation}-yranac`;

/** The ways whose value is in a text. */
const waysIn = (text: string) =>
  [...new Set([...text.matchAll(/canary-([a-z]+)-\d/g)].map(([, way = ""]) => way))].sort();

/** The ways whose value is in a place, as the table says. */
const shownIn = (place: Place, host: string) =>
  Object.keys(ways)
    .filter((way) => (host === "dynamic" ? "✘◐" : "✘").includes(ways[way]?.[place] ?? ""))
    .sort();

const settings = (generation: number, project: string) => ({
  [`${project}:team`]: canaryOf(generation)("config"),
  "observability:defaultLabels": JSON.stringify({ area: canaryOf(generation)("defaults") }),
});

/** A service behind a proxy that repeats each write to certain slugs, and what the processes of the runs shared. */
async function begin() {
  const service = await ownService({ showSecrets: true });
  const labels = { team: canaryOf(0)("elsewhere") };
  const elsewhere = { name: "elsewhere", label_query: "up", series_conditions: conditions, labels };
  await ask(service, "PUT", "/api/v1/config/monitors/elsewhere", { create_if_missing: true, monitor: elsewhere });
  const proxy = await faults.ownProxy(service.url);
  const shared = new Set<string>();
  const echo = (slugs: RegExp) =>
    proxy.use(({ method, path, body }) => {
      if (method !== "PUT") return undefined;
      for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith("pulumi-observability-")))
        for (const { text } of filesIn(join(tmpdir(), name))) shared.add(text);
      if (!slugs.test(path)) return undefined;
      return faults.failing(400, { code: 400008, message: `it is wrong: ${JSON.stringify(body)}` });
    });
  return { service, proxy, shared, echo };
}

const none = /^$/;
/** All that is in the backend: the state, its backups and the history. */
const stateIn = (folder: string) =>
  filesIn(join(folder, ".pulumi"))
    .map(({ text }) => text)
    .join("\n");

const rejections = (text: string) => text.match(/it is wrong: /g)?.length;

test("SECURITY.md has the table", () => {
  const rows = Object.values(ways).map(
    ({ title, ...cells }) => `| ${title} | ${cells.state} | ${cells.text} | ${cells.errors} |`,
  );
  expect(readFileSync(join(root, "SECURITY.md"), "utf8").match(/^.* \| [✔✘◐–] \|$/gm)).toEqual(rows);
});

test.each(["dynamic", "plugin"])("the table is true of an inline program with the host %s", async (host) => {
  const { proxy, shared, echo } = await begin();
  const stack = await newStack(proxy.url);
  await stack.setConfig("observability:host", host);
  const run = async (operation: "preview" | "up", generation: number, slugs: RegExp) => {
    echo(slugs);
    for (const [name, value] of Object.entries(settings(generation, "team"))) await stack.setConfig(name, value, true);
    const events: EngineEvent[] = [];
    let text = "";
    const onEvent = (event: EngineEvent) => void events.push(event);
    const onOutput = (chunk: string) => (text += chunk);
    const program = async () => declareAll(canaryOf(generation));
    const sinks = { program, onEvent, onOutput, diff: true, continueOnError: true };
    const failed = await stack.stack[operation](sinks).then(
      () => false,
      () => true,
    );
    expect(failed, text).toBe(slugs !== none);
    // Pulumi's SDK sends the engine's log of inputs in plain text: a known limit, which SECURITY.md names.
    const shown = events.filter(({ diagnosticEvent }) => String(diagnosticEvent?.severity) !== "debug");
    const errors = shown.flatMap(({ diagnosticEvent }) => diagnosticEvent?.message ?? []).join("\n");
    return { text: `${text} ${JSON.stringify(shown)}`, errors };
  };
  const { text, errors } = await run("up", 0, none);
  expect(waysIn(errors)).toEqual([]);
  expect(waysIn(text)).toEqual(shownIn("text", host));
  const preview = await run("preview", 1, /./);
  expect(preview.errors).toContain("it is wrong");
  expect(shownIn("errors", host)).toEqual(expect.arrayContaining(waysIn(preview.errors)));
  expect(shownIn("text", host)).toEqual(expect.arrayContaining(waysIn(preview.text)));
  const update = await run("up", 1, /./);
  // Each resource, so that nothing is hidden only because it is not there.
  expect(rejections(update.errors)).toBe(23);
  expect(waysIn(update.errors)).toEqual(shownIn("errors", host));
  expect(waysIn(stateIn(join(stack.stack.workspace.workDir, "..")))).toEqual(shownIn("state", host));
  const all = [...shared].join();
  expect(all.length).toBeGreaterThan(10_000);
  // It has the errors of previews.
  expect(shownIn("errors", host)).toEqual(expect.arrayContaining(waysIn(all)));
});

test("the table is true of an import: it names the secrets that the program has to declare", async () => {
  const { service } = await begin();
  const [url, bearer_token] = [`https://${canaryOf(0)("import")}.example.com`, canaryOf(0)("import")];
  const notifier = { name: "hook", webhook: { url, http_config: { bearer_token } } };
  await ask(service, "PUT", "/api/v1/config/notifiers/hook", { create_if_missing: true, notifier });
  const project = newProject(service.url, "");
  const providers = [{ name: "observability", path: join(root, "node_modules/.bin") }, ...quickPlugins];
  writeFileSync(
    project.at("Pulumi.yaml"),
    JSON.stringify({ name: "project", runtime: "yaml", plugins: { providers } }),
  );
  await project.init();
  const text = await project.done("import", "observability:index:Notifier", "hook", "hook", "--yes");
  expect(text).toContain(
    'notifier "hook" is imported without its secrets. Declare them, and the next update sends them: webhook.url, webhook.httpConfig.bearerToken',
  );
  expect(text).toContain("type: observability:Notifier");
  expect(waysIn(text)).toEqual([]);
  expect(waysIn(stateIn(project.folders.backend))).toEqual([]);
});
