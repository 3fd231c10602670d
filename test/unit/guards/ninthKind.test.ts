import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as serviceModule from "@pulumi-observability/service";
import { beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { shownIn } from "../../model/secrets.js";
import { ownFolder } from "../../support/folders.js";
import { plain } from "../../support/plain.js";
import { ask, token } from "../../support/service.js";
import { compileInto, copyOf, filesIn, node } from "./repository.js";

const file = "provider/kinds/quietPolicy.ts";
const source = `
import { list, map, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";

export const quietPolicy = kind({
  name: "QuietPolicy",
  title: "quiet policy",
  description: "A time in which nobody is woken.",
  wire: { one: "quiet_policy", many: "quiet_policies" },
  described: [],
  fields: {
    reasons: list(string("A reason."), "Why it is quiet.", { effect: "text" }),
    quietSpan: object(shape("QuietSpan", "From when to when.", { startsAt: string("When it starts.", { unit: "RFC 3339" }) }), undefined, { effect: "schedule" }),
    callToken: string("The token that calls people in spite of it.", { secret: "value", effect: "credential" }),
    spareTokens: list(string("", { secret: "value" }), "The tokens used if it is refused.", { effect: "credential" }),
    callers: list(object(shape("Caller", "A caller.", { callerKey: string("Its key.", { secret: "value" }) })), "Who calls.", { effect: "credential" }),
    callHeaders: map("The headers of a call.", { secret: "value", effect: "credential" }),
  },
  example: { name: "Night", slug: "night", reasons: ["sleep"], quietSpan: { startsAt: "2030-01-01T00:00:00Z" } },
});
`;

const secrets = {
  callToken: "secret-1",
  spareTokens: ["secret-2", "secret-3"],
  callers: [{ callerKey: "secret-4" }, {}],
  callHeaders: { "X-Key": "secret-5", constructor: "secret-6" },
};

const copy = copyOf(
  "dist",
  "provider",
  "sdk",
  "docs",
  "cli/promql",
  "service",
  "skills",
  "tools/generate",
  "package.json",
);
const require = createRequire(join(copy, "package.json"));
const generate = (...options: string[]) => node(copy, "dist/tools/generate/main.js", ...options);

/** What the copy has, by path. */
const state = () => new Map(filesIn(".", copy).map((path) => [path, readFileSync(join(copy, path), "utf8")]));

const before = state();
let refused: Awaited<ReturnType<typeof generate>>;
let changed: readonly string[];

beforeAll(async () => {
  const write = (text: string) => {
    writeFileSync(join(copy, file), text);
    compileInto(copy, file);
  };
  write(source.replaceAll(/effect: "\w+"/g, ""));
  refused = await generate();
  write(source);
  expect(await generate()).toMatchObject({ code: 0 });
  changed = [...state()].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
  for (const path of changed) if (path.endsWith(".ts")) compileInto(copy, path);
});

it("a ninth kind is refused until each of its fields has an effect", () => {
  const fields = ["reasons", "quietSpan.startsAt", "callToken", "spareTokens", "callers", "callHeaders"];
  expect(refused.code).toBe(1);
  for (const field of fields) expect(refused.text).toMatch(new RegExp(`^QuietPolicy: ${field}.* has no effect$`, "m"));
  expect(refused.text).toContain("text, identity, label, routes, target, credential");
});

it("a ninth kind is one hand-written file; class, types, page, registry and API spec follow", () => {
  expect([...changed].sort()).toEqual(
    [
      file,
      "docs/_index.md",
      "docs/kinds/quietPolicy.gen.md",
      "provider/kinds/index.gen.ts",
      "provider/plugin/schema.gen.json",
      "provider/wire/openapi.gen.json",
      "sdk/index.gen.ts",
      "sdk/quietPolicy.gen.ts",
      "sdk/standards/resources.gen.ts",
      "sdk/types.gen.ts",
      "skills/pulumi-observability/SKILL.md",
    ].sort(),
  );
  // Its plural is that of the names on the wire.
  expect(require("./dist/sdk/index.gen.js").getQuietPolicies).toBeTypeOf("function");
  expect(readFileSync(join(copy, "sdk/quietPolicy.gen.ts"), "utf8")).toContain(
    'secrets: ["callToken", "spareTokens.*", "callers.*.callerKey", "callHeaders.*"]',
  );
});

it("a ninth kind is served by the reference service, and the provider takes it through its life", async () => {
  // The copy's service reads the copy's API spec.
  const { startService }: typeof serviceModule = await import(pathToFileURL(join(copy, "service/dist/server.js")).href);
  const service = await startService({ token });
  onTestFinished(() => service.close());
  const shown = async () => ask(service, "GET", "/api/v1/config/quiet-policies/night");

  const { check, diff, create, update, read } = newProcess(service.url);
  const args = { reasons: ["sleep"], ...secrets, __ctx: { dryRun: true, name: "night", instance: "1" } };
  const { inputs: checked, failures } = await check({}, args);
  const inputs = plain(checked);
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ slug: "night", name: "night", reasons: ["sleep"] });
  expect(shownIn(checked)).toEqual([]);
  const { id, outs: created } = await create(inputs);
  expect(shownIn(created)).toEqual([]);
  const outs = plain(created);
  expect(await diff(id, outs, inputs)).toMatchObject({ changes: false });
  expect(plain(await read(id, outs))).toEqual({ id, props: outs });
  expect(JSON.stringify((await shown()).body)).not.toMatch(/secret-\d/);
  await update(id, outs, { ...inputs, reasons: ["holiday"] });
  expect(plain((await read(id, outs)).props)).toMatchObject({ reasons: ["holiday"], ...secrets });
  await newProcess(service.url).delete(id, outs);
  expect((await shown()).status).toBe(404);
});

/** The provider as its own process has it: the engine starts one per operation. */
function newProcess(url: string) {
  for (const path of Object.keys(require.cache)) if (path.startsWith(copy)) Reflect.deleteProperty(require.cache, path);
  const provider = require("./dist/provider/index.js").v1("QuietPolicy");
  const settings = new Map([
    ["observability:baseUrl", url],
    ["observability:apiToken", token],
  ]);
  // Stands for the engine's address. What a process writes goes when it ends, as this one does not.
  process.argv.push("an engine");
  vi.stubEnv("TMPDIR", ownFolder());
  provider.configure({ config: { get: (name: string) => settings.get(name) } });
  vi.unstubAllEnvs();
  process.argv.pop();
  return provider;
}
