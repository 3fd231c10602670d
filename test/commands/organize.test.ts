import { createRequire } from "node:module";
import type { Service } from "@pulumi-observability/service";
import { beforeEach, expect, test } from "vitest";
import { deepTest } from "../support/figures.js";
import { newStack } from "../support/engine.js";
import { done, monitorSlugs } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ask, live, ownService, token } from "../support/service.js";
import { compile, filesUnder, followIn, programOf, runTests, textsUnder } from "./pages.js";

const page = "docs/organize.md";

let service: Service;
beforeEach(async () => {
  service = await ownService();
});

deepTest("one program serves several environments of one service", async () => {
  const heading = "Use a stack for each environment";
  const program = compile(filesUnder(page, heading)["index.ts"] ?? "");
  const [lines = ""] = textsUnder(page, heading, 2);
  const project = newProject(service.url, program, { OBSERVABILITY_API_TOKEN: "" });
  for (const environment of ["staging", "production"]) {
    const commands = lines.replace("https://config.example.com", service.url).replaceAll("staging", environment);
    await followIn(project, commands, token);
    const printed = await project.done("up", "--yes", "--skip-preview");
    expect(printed).toContain(`+ ${environment === "production" ? 3 : 2} created`);
  }
  expect(await monitorSlugs(service)).toEqual(["production-errors", "staging-errors"]);
  expect((await live(service, "Monitor", "staging-errors"))?.labels).toEqual({ environment: "staging" });
});

deepTest("a stack refers to the notifier of another one", async () => {
  const [exporting = "", referring = ""] = textsUnder(page, "Share a notifier between stacks", 2);
  const platform = newProject(service.url, compile(exporting), {}, { name: "platform" });
  const backend = { PULUMI_BACKEND_URL: `file://${platform.folders.backend}` };
  const checkout = newProject(service.url, compile(referring), backend, { name: "checkout" });
  await checkout.init();
  await platform.init();
  expect((await checkout.run(["preview"])).code).not.toBe(0);
  await platform.done("up", "--yes", "--skip-preview");
  await checkout.done("up", "--yes", "--skip-preview");
  expect((await live(service, "Monitor", "errors"))?.labels).toEqual({ notifier: "pager" });
});

test.each([
  ["helper", "Share a helper function", ["alert.ts", "alert.test.ts", "alert.py", "__main__.py"]],
  ["component", "Write a reusable component", ["serviceAlerts.ts", "serviceAlerts.test.ts"]],
])("the %s's test passes", async (_, heading, names) => {
  const files = filesUnder(page, heading);
  expect(Object.keys(files)).toEqual(names);
  expect(await runTests(files)).toMatch(/^# pass 1$/m);
});

test("monitors have the default labels of stack config or of their provider", async () => {
  const [command = "", program = ""] = textsUnder(page, "Give all monitors and SLOs the same labels", 2);
  const stack = await newStack(service.url);
  const [, path = "", value = ""] = /^pulumi config set --path (\S+) (\S+)\n$/.exec(command) ?? [];
  await stack.stack.setConfig(path, { value }, true);
  await stack.setConfig("observability:apiToken", token);
  const { failed, text } = await stack.up(programOf(program));
  expect(failed, text).toBe(false);
  for (const [, expected = "", slug = ""] of program.matchAll(/^\/\/ (.*)\nnew obs.Monitor\("(\w+)"/gm)) {
    const labels = (await live(service, "Monitor", slug))?.labels;
    expect(labels).toEqual(Object.fromEntries(expected.split(", ").map((entry) => entry.split(": "))));
  }
});

test("functions read existing objects", async () => {
  const [program = ""] = textsUnder(page, "Read existing objects", 1);
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

test("a move into a component changes nothing with aliases, even with another provider, and adopts the object with adopt", async () => {
  const [before = "", component = "", alone = "", withProvider = ""] = textsUnder(
    page,
    "Move resources into a component",
    4,
  );
  const aliases = ", aliases: [{ parent: pulumi.rootStackResource }]";
  expect(component).toContain(aliases);
  const stack = await newStack(service.url);
  await done(stack.up(programOf(before)));
  expect((await done(stack.preview(programOf(component + alone)))).steps).toEqual({ same: 1 });
  expect((await done(stack.preview(programOf(component + withProvider)))).steps).toEqual({ same: 1 });
  const { steps, text } = await done(stack.up(programOf(component.replace(aliases, ', adopt: "identical"') + alone)));
  expect(steps).toEqual({ create: 1, delete: 1 });
  expect(text).toContain('monitor "errors" is not deleted');
  expect(await monitorSlugs(service)).toEqual(["errors"]);
});

deepTest("a move to another stack keeps the object if its state is moved, or if it is retained first", async () => {
  const [declaring = "", move = "", retaining = "", up = "", again = "", adopting = "", last = ""] = textsUnder(
    page,
    "Move a resource from one stack to another",
    7,
  );
  const createdAt = async () => (await live(service, "Monitor", "errors"))?.created_at;
  // Two projects in one backend; the first has created the monitor.
  const checkout = newProject(service.url, compile(declaring), {}, { name: "checkout" });
  const backend = { PULUMI_BACKEND_URL: `file://${checkout.folders.backend}` };
  const search = newProject(service.url, " ", backend, { name: "search" });
  // Only the CLI's own stack can be moved to before its first update.
  await followIn(search, "pulumi stack init dev");
  await checkout.create();
  const created = await createdAt();
  expect(created).toBeDefined();

  checkout.write("");
  search.write(compile(declaring));
  await followIn(checkout, move);
  // Only the new stack has the monitor, and neither stack has changes.
  expect(await followIn(checkout, "pulumi preview --refresh --expect-no-changes")).toContain(" 1 unchanged\n");

  // Back to the first stack, with retainOnDelete.
  search.write(compile(retaining));
  expect(await followIn(search, up)).toContain("2 unchanged");
  search.write("");
  await followIn(search, again);
  checkout.write(compile(adopting));
  expect(await followIn(checkout, last)).toContain('adopts the existing monitor "errors" without changes');
  expect(await createdAt()).toBe(created);
});
