import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mask, type Service } from "@pulumi-observability/service";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { leaves } from "../../dist/provider/values/leaves.js";
import { toWire } from "../../dist/provider/wire/codec.js";
import { root, run } from "../install/manifest.js";
import { configurationOf } from "../property/configurations.js";
import { seed } from "../property/world.js";
import { caseOf } from "../support/cases.js";
import { runCommand } from "../support/command.js";
import { failing, ownProxy, pass } from "../support/faults.js";
import { size } from "../support/figures.js";
import { newProject } from "../support/project.js";
import { filesBelow, ownFolder, writeFiles } from "../support/folders.js";
import { ask, ownService, put, takeCounts } from "../support/service.js";
import { encrypted } from "../support/stacks.js";
import { compiled, typeErrorsIn } from "./pages.js";

type Json = Readonly<Record<string, unknown>>;
interface NeededSecret {
  readonly key: string;
  readonly kind: string;
  readonly slug: string;
  readonly path: string;
}
interface Result {
  readonly counts: Readonly<Record<string, number>>;
  readonly secrets: readonly NeededSecret[];
  readonly next: readonly string[];
}

const [monitor, notifier] = [caseOf("Monitor").kind, caseOf("Notifier").kind];
const canary = "canary-of-a-secret";
const defaultLabels = { "default of all": "in no file" };
const defaults = { OBSERVABILITY_DEFAULT_LABELS: JSON.stringify(defaultLabels) };
const oddSlugs = ["5xx", "class", "Mixed_Case", "--", "_", "a-", "obs", "config", "index", "shared", "x".repeat(255)];

/** A few of each kind are enough to have them all. */
const slugOf = (at: number, i: number) =>
  (i < oddSlugs.length ? oddSlugs[(i + 4 * at) % oddSlugs.length] : undefined) ?? `object-${i}`;

/** Arguments of every kind, with odd slugs, and secrets that are easily found. */
function configurations(size: number): { kind: Kind; slug: string; config: Json }[] {
  return kinds.flatMap((kind, at) => {
    const count = kind.isSingleton ? 1 : Math.ceil(size / kinds.length);
    return fc.sample(configurationOf(kind), { seed: 1600 + at, numRuns: count }).map((sample, i) => {
      const config = structuredClone(sample);
      for (const { path, field, value } of leaves(kind.root, config)) {
        if (field.options.secret === undefined || value === "") continue;
        const parent = path.slice(0, -1).reduce<any>((here, step) => here[step], config);
        const text = `${canary}-${i}`;
        parent[path.at(-1) ?? ""] = field.options.secret === "url" ? `https://hooks.example.com/${text}` : text;
      }
      // What the provider adds is no difference, although the program does not say it.
      if (kind.args.fields.labels?.options.defaultsFrom !== undefined)
        config.labels = { ...config.labels, ...defaultLabels, notifier: slugOf(kinds.indexOf(notifier), 0) };
      return { kind, slug: slugOf(at, i), config };
    });
  });
}

async function place(service: Service, all: ReturnType<typeof configurations>): Promise<void> {
  for (const { kind, slug, config } of all) {
    const name = `Größe "${slug.slice(0, 20)}" \`\${x}\``;
    const object = toWire(kind.root, kind.isSingleton ? config : { ...config, name: config.name || name, slug });
    const { status, body: answer } = await ask(service, "POST", kind.family.post.path, { [kind.wire.one]: object });
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
  }
}

/** The service's objects that show a mask instead of a secret. */
async function maskedObjects(service: Service): Promise<number> {
  const lists = kinds.flatMap(({ family: { list } }) => list?.path ?? []);
  const all = await Promise.all(lists.map((path) => ask(service, "GET", `${path}?page.max_size=1000`)));
  return all.flatMap(({ body }) => Object.values(body).flat()).filter((each) => JSON.stringify(each).includes(mask))
    .length;
}

const writes = (service: Service) =>
  Object.keys(takeCounts(service)).filter((request) => !request.startsWith("GET ") && !request.endsWith(" dry"));

const files = (folder: string) => Object.entries(filesBelow(folder));

/** The secret that the generated configuration has at this path. */
const valueIn = (all: ReturnType<typeof configurations>, { kind, slug, path }: NeededSecret): string =>
  path
    .split(".")
    .reduce<any>((here, step) => here[step], all.find((each) => each.kind.name === kind && each.slug === slug)?.config);

test("what stands in a service is declared, imported, and then only masked secrets are a change", async () => {
  const service = await ownService();
  await seed(service);
  const all = configurations(size(32));
  await place(service, all);
  const masked = await maskedObjects(service);
  expect(masked).toBeGreaterThan(0);
  const project = newProject(service.url, " ", defaults);
  const folder = project.at("alerts");
  service.resetCounters();

  const imports = () => project.command("import", "--out", "alerts", "--json");
  const imported = await imports();
  expect(imported.code, imported.stderr).toBe(0);
  const { counts, secrets, next } = JSON.parse(imported.stdout) as Result;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(all.length);
  expect(imported.stderr).not.toContain("the first preview adds");
  for (const [name, text] of files(folder)) {
    expect(text.includes(canary), name).toBe(false);
    if (name.endsWith(".ts")) expect(text.includes("in no file"), name).toBe(false);
    // The label that names a notifier is its variable, also of what adopts or imports it.
    if (/^(monitors|sLOs|slos)/.test(name)) expect(text, name).toMatch(/notifier: \w+\.slug/);
  }
  const written = files(folder).flatMap(([name]) => (name.endsWith(".ts") ? [name] : []));
  const prettier = join(root, "node_modules/prettier/bin/prettier.cjs");
  expect(await run(folder, ["node", prettier, "--no-config", "--list-different", ...written])).toBe("");

  /** Runs the CLI on the program in JavaScript. Its types are checked at the end. */
  const done = async (line: string) => {
    const all = Object.fromEntries(files(folder));
    writeFiles(project.folders.project, { ...all, ...compiled(all), "package.json": '{ "main": "index.js" }' });
    return project.done(...line.split(" "));
  };
  const importLine = ({ next }: Result) =>
    next.find((line) => line.startsWith("pulumi import"))?.replace("pulumi ", "") ?? "";
  writeFiles(project.folders.project, { "Pulumi.yaml": filesBelow(folder)["Pulumi.yaml"] ?? "" });
  const values = secrets.map((secret) => [`alerts:${secret.key}`, encrypted(valueIn(all, secret))] as const);
  await project.init("dev", Object.fromEntries(values));
  await done(importLine({ counts, secrets, next }));
  expect(writes(service)).toEqual([]);
  expect(await done("up --yes --skip-preview")).toMatch(
    new RegExp(`~ ${masked} updated\\n +${total + 1 - masked} unchanged`),
  );

  // Another run adds only what is new, and changes no file that is there.
  const before = new Map(files(folder));
  await place(service, [{ kind: monitor, slug: "new-one", config: { ...monitor.example, labels: defaultLabels } }]);
  const again = JSON.parse((await imports()).stdout) as Result & { files: string[] };
  expect(again.counts).toMatchObject({ Monitor: 1, Notifier: 0, Dataset: 0 });
  const added = again.files.filter((name) => name !== "index.ts").toSorted();
  expect(added).toEqual(["import-2.json", expect.stringMatching(/^monitors[-\d]*\.ts$/)]);
  expect(added.filter((name) => before.has(name))).toEqual([]);
  for (const [name, text] of files(folder)) {
    const isNew = [...again.files, "pulumi-observability.json"].includes(name);
    expect(isNew || before.get(name) === text, name).toBe(true);
  }
  await done(importLine(again));
  await done("preview --refresh --expect-no-changes");
  const sources = [...before.keys(), ...added].filter((name) => name.endsWith(".ts"));
  expect(await typeErrorsIn(folder, sources)).toEqual([]);
});

/** Imports from a service into a folder of its own. */
async function importFrom(url: string, ...args: string[]) {
  const folder = ownFolder();
  const ended = await runCommand(folder, ["import", "--out", "alerts", ...args], { OBSERVABILITY_BASE_URL: url });
  return { ...ended, folder };
}

test("what is asked for and not there, and a key that Pulumi cannot carry, are reported, and the rest is written", async () => {
  const service = await ownService();
  await put(service, "Monitor", "checkout-errors", { labels: JSON.parse('{ "__proto__": "x", "team": "checkout" }') });
  const asked = ["--slug", "checkout-errors", "--slug", "checkout-eror", "--slug", "zzz"];
  const { code, stdout, stderr, folder } = await importFrom(service.url, "--json", ...asked);
  expect(code).toBe(3);
  expect(stderr).toContain(
    'warning: monitor "checkout-errors": labels.__proto__ is left out: Pulumi has a meaning of its own for the key\n',
  );
  for (const [name, text] of files(folder)) expect(text, name).not.toContain("__proto__");
  expect(JSON.parse(stdout)).toMatchObject({
    unmatched: ['no object for --slug "checkout-eror"; did you mean "checkout-errors"?', 'no object for --slug "zzz"'],
    counts: { Monitor: 1 },
  });
  expect(await importFrom(service.url, "--name", "Nobody", "--label", "a=b")).toMatchObject({
    code: 3,
    stdout: "nothing found\n",
    stderr: 'warning: no object for --name "Nobody"\n',
  });
});

/** A service whose token may not do what begins with this path. */
async function forbidding(service: Service, path: string): Promise<string> {
  const proxy = await ownProxy(service.url);
  const refused = failing(403, { message: "not yours" });
  proxy.use((asked) => (`${asked.path}?${asked.query}`.startsWith(path) ? refused : pass));
  return proxy.url;
}

test("a kind that the token may not list is told with advice that works, and the rest is written", async () => {
  const service = await ownService();
  await put(service, "Monitor", "checkout-errors");
  await seed(service);

  const lists = await forbidding(service, "/api/v1/config/monitors?");
  const ended = await importFrom(lists, "--json");
  const { gaps, counts } = JSON.parse(ended.stdout) as Result & { gaps: string[] };
  expect({ code: ended.code, gaps }).toEqual({
    code: 3,
    gaps: [
      "this token can't list monitors. Use a token with this permission, or name each object with --kind Monitor --slug <slug>",
    ],
  });
  expect(counts.Dataset).toBeGreaterThan(0);
  const advised = await importFrom(lists, "--json", "--kind", "Monitor", "--slug", "checkout-errors");
  expect(advised.code, advised.stderr).toBe(0);
  expect(JSON.parse(advised.stdout)).toMatchObject({ counts: { Monitor: 1 }, gaps: [] });

  const all = await importFrom(await forbidding(service, "/api/v1/config/monitors"), "--json");
  expect(all.code).toBe(3);
  expect(JSON.parse(all.stdout)).toMatchObject({
    gaps: ["this token can't list monitors. Use a token with this permission"],
  });
});

test("a team's import file gets new objects even if it was formatted, and one that is no import file is an error", async () => {
  const service = await ownService();
  const folder = ownFolder();
  const file = join(folder, "alerts/imports/checkout.json");
  const importNew = async (slug: string) => {
    await put(service, "Monitor", slug);
    return runCommand(folder, ["import", "--out", "alerts", "--teams"], { OBSERVABILITY_BASE_URL: service.url });
  };
  const known = () => JSON.parse(readFileSync(file, "utf8")) as object;
  expect(await importNew("first")).toMatchObject({ code: 0 });
  writeFileSync(file, JSON.stringify({ nameTable: {}, ...known() }));
  expect(await importNew("second")).toMatchObject({ code: 0 });
  expect(known()).toMatchObject({ nameTable: {}, resources: [{ id: "first" }, { id: "second" }] });
  writeFileSync(file, "[]");
  expect(await importNew("third")).toMatchObject({ code: 1, stderr: expect.stringContaining("is not an import file") });
});

test.each([["--group-by", "team"], ["--teams"]])("import %s cuts the names of files", async (...how) => {
  const service = await ownService();
  const team = `checkout${"-and-payments".repeat(25)}`;
  for (const end of ["a", "b"]) await put(service, "Monitor", end, { labels: { team: team + end } });
  const { code, text } = await importFrom(service.url, "--json", ...how);
  expect(code, text).toBe(0);
  expect(text.match(/"(teams\/)?checkout[\w-]{92}\.ts"/g)).toHaveLength(2);
});
