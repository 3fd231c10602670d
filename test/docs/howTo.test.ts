import { cpSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Service } from "@pulumi-observability/service";
import { beforeEach, describe, expect, test } from "vitest";
import { providerText } from "../../dist/provider/dynamic/providerText.js";
import { root, run } from "../package/project.js";
import { ownFolder, writeFiles } from "../support/folders.js";
import { newStack } from "../support/engine.js";
import { isDeep } from "../support/figures.js";
import { done } from "../support/monitors.js";
import { newProject } from "../support/project.js";
import { ask, ownService, token } from "../support/service.js";
import { blocksIn, compile, compiled, filesUnder, programOf } from "./pages.js";

const page = "docs/how-to.md";
const monitors = "/api/v1/config/monitors";

/** The texts under a heading, all of them, which is why a test says how many it uses. */
function textsUnder(heading: string, count: number): readonly string[] {
  const texts = blocksIn(page).flatMap((block) => (block.heading === heading ? [block.text] : []));
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

/** Runs the commands of a page, each a line, in a project; answers what the last one printed. */
async function runLines(project: ReturnType<typeof newProject>, lines: string): Promise<string> {
  let printed = "";
  for (const line of lines.trim().split("\n")) {
    const [, settings = "", args = ""] = /^((?:\w+=\S+ )*)pulumi (.+)$/.exec(line) ?? [];
    const env = Object.fromEntries(new URLSearchParams(settings.trim().replaceAll(" ", "&")));
    const { code, text } = await (args === "stack init dev" ? project.init() : project.run(args.split(" "), { env }));
    expect(code, `${line}\n${text}`).toBe(0);
    printed = text;
  }
  return printed;
}

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
    const { body } = await ask(service, "GET", `${monitors}/${slug}`);
    const { labels } = body.monitor as { labels: Record<string, string> };
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

describe("moving into a component", () => {
  const [before = "", component = "", alone = "", withProvider = ""] = textsUnder("Move resources into a component", 4);
  const aliases = "aliases: [{ parent: pulumi.rootStackResource }]";
  const instead = (option: string) => programOf(component.replace(`, ${aliases}`, option) + alone);

  test.skipIf(!isDeep)(
    "changes nothing with aliases, also where the component brings a provider, and is a take-over with adopt",
    async () => {
      expect(component).toContain(aliases);
      const stack = await newStack(service.url);
      await done(stack.up(programOf(before)));
      const neither = await stack.preview(instead(""));
      expect(neither.failed).toBe(true);
      expect(neither.text).toContain("already exists and is identical");
      expect((await done(stack.preview(programOf(component + alone)))).steps).toEqual({ same: 1 });
      expect((await done(stack.preview(programOf(component + withProvider)))).steps).toEqual({ same: 1 });

      const { steps, text } = await done(stack.up(instead(', adopt: "identical"')));
      expect(steps).toEqual({ create: 1, delete: 1 });
      expect(text).toContain('takes over monitor "errors" as it is');
      expect(text).toContain('monitor "errors" is left in place');
      expect(await slugs()).toEqual(["errors"]);
    },
  );
});

describe.skipIf(!isDeep)("moving to another stack", () => {
  const [declaring = "", move = "", retaining = "", up = "", again = "", adopting = "", last = ""] = textsUnder(
    "Move a resource from one stack to another",
    7,
  );
  const nothing = "";
  const createdAt = async () => {
    const { status, body } = await ask(service, "GET", `${monitors}/errors`);
    return status === 200 ? (body.monitor as { created_at: string }).created_at : undefined;
  };

  /** Two projects in one backend; the first has created the monitor. */
  async function twoProjects(program = compile(declaring)) {
    const checkout = newProject(service.url, program);
    const search = newProject(service.url, " ", { PULUMI_BACKEND_URL: `file://${checkout.folders.backend}` });
    for (const [name, { folders }] of Object.entries({ checkout, search })) {
      writeFiles(folders.project, { "Pulumi.yaml": `name: ${name}\nruntime: nodejs\n` });
    }
    await runLines(search, "pulumi stack init dev");
    await runLines(checkout, "pulumi stack init dev\npulumi up --yes --skip-preview");
    const created = await createdAt();
    expect(created).toBeDefined();
    return { checkout, search, created };
  }
  type Project = ReturnType<typeof newProject>;

  /** Only the new stack has the monitor, and neither finds anything to do. */
  async function expectMoved(from: Project, to: Project, created: string | undefined) {
    for (const project of [from, to]) {
      const printed = await runLines(project, "pulumi preview --refresh --expect-no-changes --diff");
      expect(printed.match(/^ +\d+ unchanged$/m)?.[0].trim()).toBe(`${project === to ? 2 : 1} unchanged`);
    }
    expect(await createdAt()).toBe(created);
  }

  test("keeps the object if its state is moved, or if it is retained first, and deletes it otherwise", async () => {
    const { checkout, search, created } = await twoProjects();
    checkout.write(nothing);
    search.write(compile(declaring));
    await runLines(checkout, move);
    await expectMoved(checkout, search, created);

    // And back, the other way.
    search.write(compile(retaining));
    expect(await runLines(search, up)).toContain("2 unchanged");
    search.write(nothing);
    await runLines(search, again);
    checkout.write(compile(adopting));
    await runLines(checkout, last);
    checkout.write(compile(declaring));
    await expectMoved(search, checkout, created);

    search.write(compile(adopting));
    await runLines(search, "pulumi up --yes --skip-preview");
    search.write(nothing);
    await runLines(search, "pulumi up --yes --skip-preview");
    expect(await createdAt()).toBeUndefined();
  });

  test("keeps it also out of a component, into another one, with its own provider and slugPrefix", async () => {
    const component = `class Alerts extends pulumi.ComponentResource {
      constructor(declare: (parent: pulumi.Resource) => void) { super("acme:index:Alerts", "alerts"); declare(this); }
    }`;
    const [, imports = "", monitor = ""] = /^(.*\n)\n([^]*)$/.exec(declaring) ?? [];
    const programOf = (options: string, before = "") =>
      compile(
        `import * as pulumi from "@pulumi/pulumi";\n${imports}${component}${before}
        new Alerts((parent) => { ${monitor.replace(/\}\);\n$/, `}, { ${options} });`)} });`,
      );
    const { checkout, search, created } = await twoProjects(programOf("parent"));
    search.write(
      programOf(
        "parent, aliases: [{ parent: pulumi.rootStackResource }], provider",
        "const provider = new obs.Provider('own');",
      ),
    );
    await runLines(search, "pulumi config set observability:slugPrefix search-");
    checkout.write(nothing);
    await runLines(checkout, move.replace("::pulumi-nodejs:", "::acme:index:Alerts$pulumi-nodejs:"));
    const printed = await runLines(search, "pulumi up --yes --skip-preview");
    // The component and the provider.
    expect(printed).toMatch(/^ +\+ 2 created\n +2 unchanged$/m);
    // The component, which is left without the monitor.
    expect(await runLines(checkout, "pulumi up --yes --skip-preview")).toMatch(/^ +- 1 deleted\n +1 unchanged$/m);
    expect(await createdAt()).toBe(created);
    expect(await slugs()).toEqual(["errors"]);
  });
});

test("every preview shows an edit made elsewhere, if the project says so", async () => {
  const files = filesUnder(page, "See edits made elsewhere in every preview");
  const program = `
    const obs = require("pulumi-observability");
    new obs.Monitor("errors", {
      labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
    });`;
  const project = newProject(service.url, program);
  const settings = files["Pulumi.yaml"]?.replace("name: alerts", "name: project");
  writeFiles(project.folders.project, { "Pulumi.yaml": String(settings) });
  await runLines(project, "pulumi stack init dev\npulumi up --yes --skip-preview");
  const { body } = await ask(service, "GET", `${monitors}/errors`);
  await ask(service, "PUT", `${monitors}/errors`, { monitor: { ...(body.monitor as object), label_query: "edited" } });
  const printed = await runLines(project, "pulumi preview --diff");
  expect(printed).toMatch(/~ labelQuery: "edited" => "up"/);
});

test("a file in the place of the CLI's logs keeps it from writing them, until it is removed", async () => {
  const [without = "", again = ""] = textsUnder("Make previews faster", 2);
  const project = newProject(service.url, "");
  const home = join(project.file("user"), ".pulumi");
  const logs = join(home, "logs");
  const runs = async (command: string) => {
    const { code, text } = await project.run(command.split(" "), { env: { PULUMI_HOME: home } });
    expect(code, text).toBe(0);
  };
  const user = { HOME: join(home, "..") };
  await runs("stack ls");
  expect(statSync(logs).isDirectory()).toBe(true);
  await run(folder, ["sh", "-c", without], user);
  await runs("stack ls");
  expect(statSync(logs)).toMatchObject({ size: 0 });
  await run(folder, ["sh", "-c", again], user);
  await runs("stack ls");
  expect(statSync(logs).isDirectory()).toBe(true);
});

// In every run, test/faults/bulkLoad.test.ts kills such a load.
test.skipIf(!isDeep)("a first load and a destroy without checkpoints are done again after a crash", async () => {
  const [load = "", again = "", destroy = ""] = textsUnder("Create or delete thousands of resources", 3);
  const program = `
    const obs = require("pulumi-observability");
    for (const name of ["a", "b", "c"]) new obs.Monitor(name, {
      labelQuery: "up", seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
    });`;
  const project = newProject(service.url, program);
  const kept = project.file("kept");
  const { backend } = project.folders;
  const keep = () => cpSync(backend, kept, { recursive: true });
  /** What a crash leaves: the record of the beginning. */
  const lose = () => {
    rmSync(backend, { recursive: true });
    cpSync(kept, backend, { recursive: true });
  };
  expect((await project.init()).code).toBe(0);
  keep();
  await runLines(project, load);
  expect(await slugs()).toEqual(["a", "b", "c"]);
  lose();
  expect(await runLines(project, again)).toContain('takes over monitor "a" as it is');
  const recorded = () => project.state().resources.filter(({ type }) => type.endsWith("Monitor")).length;
  expect(recorded()).toBe(3);
  rmSync(kept, { recursive: true });
  keep();
  await runLines(project, destroy);
  expect(await slugs()).toEqual([]);
  lose();
  expect(recorded()).toBe(3);
  await runLines(project, `pulumi cancel --yes\n${destroy}`);
  expect(project.state().resources ?? []).toEqual([]);
});

describe("bringing in what exists already", () => {
  const [command = "", adopting = "", reading = "", file = "", lines = ""] = textsUnder(
    "Bring in what exists already",
    5,
  );

  beforeEach(async () => {
    const monitor = {
      name: "errors",
      label_query: "up == 0",
      series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0 }] } } },
    };
    expect((await ask(service, "PUT", `${monitors}/errors`, { create_if_missing: true, monitor })).status).toBe(200);
  });

  test('fails with "pulumi import", and works with adopt: "identical"', async () => {
    const project = newProject(service.url, compile(adopting));
    expect((await project.init()).code).toBe(0);
    const { code, text } = await project.run(command.trim().split(" ").slice(1));
    expect(code).not.toBe(0);
    expect(text).toContain("Cannot read properties of undefined (reading 'toJavaScript')");
    expect(await runLines(project, "pulumi up --yes --skip-preview")).toContain('takes over monitor "errors" as it is');
    expect(await runLines(project, "pulumi preview --refresh")).toContain("2 unchanged");
  });

  test("works with get, which manages nothing", async () => {
    const stack = await newStack(service.url);
    const { failed, text, steps } = await stack.up(programOf(reading));
    expect(failed, text).toBe(false);
    expect(steps).toEqual({ read: 1 });
    await stack.destroy();
    expect(await slugs()).toEqual(["errors"]);
  });

  test("has an import file that says what the provider records", () => {
    const [{ inputs, outputs }] = JSON.parse(file).resources;
    expect(inputs.__provider).toBe(providerText("Monitor"));
    expect(outputs).toEqual(inputs);
    expect(lines).toMatch(/^pulumi import --file import.json /);
  });

  // What "pulumi-observability import" writes is always imported so, in its own test.
  test.skipIf(!isDeep)("works with an import file", async () => {
    const project = newProject(service.url, compile(adopting.replace(/,\n {2}\{ adopt: .*/, "")));
    writeFileSync(join(project.folders.project, "import.json"), file);
    expect((await project.init()).code).toBe(0);
    await runLines(project, lines);
    const text = await runLines(project, "pulumi preview");
    expect(text).toContain("2 unchanged");
    expect(text).not.toContain("takes over");
  });
});
