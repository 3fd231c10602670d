import { cpSync, rmSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Service } from "@pulumi-observability/service";
import { beforeEach, describe, expect, test } from "vitest";
import { providerText } from "../../dist/provider/dynamic/providerText.js";
import { root, run } from "../install/manifest.js";
import { ownFolder, writeFiles } from "../support/folders.js";
import { newStack } from "../support/engine.js";
import { done } from "../support/monitors.js";
import { newProject, type Project } from "../support/project.js";
import { ask, live, ownService, put, token } from "../support/service.js";
import { blocksIn, blocksUnder, compile, compiled, filesUnder, follow, programOf } from "./pages.js";

const page = "docs/how-to.md";
const monitors = "/api/v1/config/monitors";

/** The texts under a heading, all of them, which is why a test says how many it uses. */
function textsUnder(heading: string, count: number): readonly string[] {
  const texts = blocksUnder(page, heading).map(({ text }) => text);
  expect(texts).toHaveLength(count);
  return texts;
}

let service: Service;
beforeEach(async () => {
  service = await ownService();
});

const folder = ownFolder();

const slugs = async () => {
  const { body } = await ask(service, "GET", monitors);
  return (body.monitors as { slug: string }[]).map(({ slug }) => slug);
};

/** A program with monitors of these names. */
const declaring = (...names: readonly string[]) => `
  const obs = require("pulumi-observability");
  for (const name of ${JSON.stringify(names)}) new obs.Monitor(name, {
    labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
  });`;

/** Runs the commands of the page in a project. */
const runLines = ({ folders, env }: Project, lines: string) => follow(lines, { cwd: folders.project, env });

test("every part of the page has a test, here or among the packed package's consumers", () => {
  expect([...new Set(blocksIn(page).map(({ heading }) => heading))]).toEqual([
    "Write the program as ES modules",
    "Use the Automation API from another folder",
    "Test a program with mocks",
    "Give all monitors and SLOs the same labels",
    "Read what exists at the service",
    "Move resources into a component",
    "Move a resource from one stack to another",
    "See edits made elsewhere in every preview",
    "Make previews faster",
    "Create or delete thousands of resources",
    "Bring in what exists already",
  ]);
});

test("the test with mocks passes, without a request", async () => {
  const files = filesUnder(page, "Test a program with mocks");
  expect(Object.keys(files)).toEqual(["alerts.ts", "alerts.test.ts"]);
  writeFiles(folder, compiled(files));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const printed = await run(folder, ["node", "--test", "--test-reporter=tap", "alerts.test.js"], {
    OBSERVABILITY_BASE_URL: service.url,
  });
  expect(printed).toMatch(/^# pass 2$/m);
  expect(service.counters().total).toBe(0);
});

test("monitors have the default labels of stack config or of their provider", async () => {
  const [command = "", program = ""] = textsUnder("Give all monitors and SLOs the same labels", 2);
  const stack = await newStack(service.url);
  const [, path = "", value = ""] = /^pulumi config set --path (\S+) (\S+)\n$/.exec(command) ?? [];
  await stack.stack.setConfig(path, { value }, true);
  await stack.stack.setConfig("observability:apiToken", { value: token });
  const { failed, text } = await stack.up(programOf(program));
  expect(failed, text).toBe(false);
  for (const [, expected = "", slug = ""] of program.matchAll(/^\/\/ (.*)\nnew obs.Monitor\("(\w+)"/gm)) {
    const labels = (await live(service, "Monitor", slug))?.labels;
    expect(labels).toEqual(Object.fromEntries(expected.split(", ").map((entry) => entry.split(": "))));
  }
});

test("functions read what exists", async () => {
  const [program = ""] = textsUnder("Read what exists at the service", 1);
  for (const [slug, name] of Object.entries({ pager: "Pager", "team-a": "Team A", "team-b": "Team B" })) {
    await ask(service, "POST", "/api/v1/config/notifiers", { notifier: { slug, name, discard: true } });
  }
  const stack = await newStack(service.url);
  const exported: Record<string, unknown> = {};
  const { failed, text } = await stack.up(() => {
    new Function("require", "exports", compile(program))(createRequire(import.meta.url), exported);
    const { teams, count } = exported;
    return { teams, count };
  });
  expect(failed, text).toBe(false);
  const { resources } = await stack.state();
  expect(resources.find(({ id }) => id === "errors")?.outputs?.labels).toEqual({ notifier: "pager" });
  const { outputs } = resources.find(({ type }) => type === "pulumi:pulumi:Stack") ?? {};
  expect(outputs).toEqual({ teams: ["team-a", "team-b"], count: 0 });
});

test("a move into a component changes nothing with aliases, also with a provider, and adopts with adopt", async () => {
  const [before = "", component = "", alone = "", withProvider = ""] = textsUnder("Move resources into a component", 4);
  const aliases = ", aliases: [{ parent: pulumi.rootStackResource }]";
  expect(component).toContain(aliases);
  const stack = await newStack(service.url);
  await done(stack.up(programOf(before)));
  expect((await done(stack.preview(programOf(component + alone)))).steps).toEqual({ same: 1 });
  expect((await done(stack.preview(programOf(component + withProvider)))).steps).toEqual({ same: 1 });
  const { steps, text } = await done(stack.up(programOf(component.replace(aliases, ', adopt: "identical"') + alone)));
  expect(steps).toEqual({ create: 1, delete: 1 });
  expect(text).toContain('monitor "errors" is not deleted');
  expect(await slugs()).toEqual(["errors"]);
});

test("a move to another stack keeps the object, if its state is moved or if it is retained first", async () => {
  const [declaring = "", move = "", retaining = "", up = "", again = "", adopting = "", last = ""] = textsUnder(
    "Move a resource from one stack to another",
    7,
  );
  const createdAt = async () => (await live(service, "Monitor", "errors"))?.created_at;
  // Two projects in one backend; the first has created the monitor.
  const checkout = newProject(service.url, compile(declaring), {}, { name: "checkout" });
  const backend = { PULUMI_BACKEND_URL: `file://${checkout.folders.backend}` };
  const search = newProject(service.url, " ", backend, { name: "search" });
  await search.init();
  await checkout.create();
  const created = await createdAt();
  expect(created).toBeDefined();

  checkout.write("");
  search.write(compile(declaring));
  await runLines(checkout, move);
  // Only the new stack has the monitor, and neither finds anything to do.
  expect(await runLines(checkout, "pulumi preview --refresh --expect-no-changes")).toContain(" 1 unchanged\n");

  // And back, the other way.
  search.write(compile(retaining));
  expect(await runLines(search, up)).toContain("2 unchanged");
  search.write("");
  await runLines(search, again);
  checkout.write(compile(adopting));
  expect(await runLines(checkout, last)).toContain('adopts the existing monitor "errors" without changes');
  expect(await createdAt()).toBe(created);
});

test("every preview shows an edit made elsewhere, if the project says so", async () => {
  const files = filesUnder(page, "See edits made elsewhere in every preview");
  const project = newProject(service.url, declaring("errors"));
  writeFiles(project.folders.project, files);
  await project.create();
  await put(service, "Monitor", "errors", { labelQuery: "edited" });
  const printed = await runLines(project, "pulumi preview --diff");
  expect(printed).toMatch(/~ labelQuery *: "edited" => "up"/);
});

test("a file in the place of the CLI's logs keeps it from writing them, until it is removed", async () => {
  const [without = "", again = ""] = textsUnder("Make previews faster", 2);
  const project = newProject(service.url, "");
  const home = join(project.file("user"), ".pulumi");
  /** What stands in the place of the logs after the CLI has run. */
  const logs = async () => {
    const { code, text } = await project.run(["stack", "ls"], { env: { PULUMI_HOME: home } });
    expect(code, text).toBe(0);
    return statSync(join(home, "logs"));
  };
  const byUser = (line: string) => run(folder, ["sh", "-c", line], { HOME: join(home, "..") });
  expect((await logs()).isDirectory()).toBe(true);
  await byUser(without);
  expect(await logs()).toMatchObject({ size: 0 });
  await byUser(again);
  expect((await logs()).isDirectory()).toBe(true);
});

// firstLoad.test.ts kills such a load in the middle.
test("a first load without checkpoints is done again after its record is lost, and destroyed", async () => {
  const [load = "", again = "", destroy = ""] = textsUnder("Create or delete thousands of resources", 3);
  const project = newProject(service.url, declaring("a", "b", "c"));
  const { backend } = project.folders;
  expect((await project.init()).code).toBe(0);
  const kept = project.file("kept");
  cpSync(backend, kept, { recursive: true });
  await runLines(project, load);
  expect(await slugs()).toEqual(["a", "b", "c"]);
  // What a crash leaves: the record of the beginning.
  rmSync(backend, { recursive: true });
  cpSync(kept, backend, { recursive: true });
  expect(await runLines(project, again)).toContain('adopts the existing monitor "a" without changes');
  expect(project.state().resources.filter(({ type }) => type.endsWith("Monitor"))).toHaveLength(3);
  await runLines(project, destroy);
  expect(await slugs()).toEqual([]);
});

describe("bringing in what exists already", () => {
  const [command = "", adopting = "", reading = "", file = "", lines = ""] = textsUnder(
    "Bring in what exists already",
    5,
  );

  const monitor = {
    name: "errors",
    label_query: "up == 0",
    series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0 }] } } },
  };
  beforeEach(() => ask(service, "PUT", `${monitors}/errors`, { create_if_missing: true, monitor }));

  test('fails with "pulumi import", and works with adopt: "identical"', async () => {
    const project = newProject(service.url, compile(adopting));
    expect((await project.init()).code).toBe(0);
    const { code, text } = await project.run(command.trim().split(" ").slice(1));
    expect(code).not.toBe(0);
    expect(text).toContain("Cannot read properties of undefined (reading 'toJavaScript')");
    expect(await runLines(project, "pulumi up --yes --skip-preview")).toContain(
      'adopts the existing monitor "errors" without changes',
    );
  });

  test("works with get, which manages nothing", async () => {
    const stack = await newStack(service.url);
    const { failed, text, steps } = await stack.up(programOf(reading));
    expect(failed, text).toBe(false);
    expect(steps).toEqual({ read: 1 });
    await stack.destroy();
    expect(await slugs()).toEqual(["errors"]);
  });

  test("works with an import file, which has what the provider records", async () => {
    const [{ inputs, outputs }] = JSON.parse(file).resources;
    expect(inputs.__provider).toBe(providerText("Monitor"));
    expect(outputs).toEqual(inputs);
    const project = newProject(service.url, compile(adopting.replace(/,\n {2}\{ adopt: .*/, "")));
    writeFiles(project.folders.project, { "import.json": file });
    expect((await project.init()).code).toBe(0);
    await runLines(project, lines);
    expect(await project.done("preview")).toContain("2 unchanged");
  });
});
