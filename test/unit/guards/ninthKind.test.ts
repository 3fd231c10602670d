import { createHash, randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type * as Pulumi from "@pulumi/pulumi";
import { startService } from "@pulumi-observability/service";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { shownIn } from "../../model/secrets.js";
import { isDeep } from "../../support/figures.js";
import { plain } from "../../support/plain.js";
import { ask, token } from "../../support/service.js";
import { ts } from "../../support/typescript.js";
import { copyOf, filesIn, node } from "./repository.js";

const file = "provider/kinds/quietPolicy.ts";
const source = `
import { list, map, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { isDeep } from "../../support/figures.js";

export const quietPolicy = kind({
  name: "QuietPolicy",
  title: "quiet policy",
  description: "A time in which nobody is woken.",
  wire: { one: "quiet_policy", many: "quiet_policies" },
  described: [],
  fields: {
    reasons: list(string("A reason."), "Why it is quiet.", { meaning: "text" }),
    quietSpan: object(shape("QuietSpan", "From when to when.", { startsAt: string("When it starts.", { unit: "RFC 3339" }) }), undefined, { meaning: "schedule" }),
    callToken: string("The token that calls people in spite of it.", { secret: "value", meaning: "credential" }),
    spareTokens: list(string("", { secret: "value" }), "The tokens used if it is refused.", { meaning: "credential" }),
    callers: list(object(shape("Caller", "A caller.", { callerKey: string("Its key.", { secret: "value" }) })), "Who calls.", { meaning: "credential" }),
    callHeaders: map("The headers of a call.", { secret: "value", meaning: "credential" }),
  },
  example: {
    args: { name: "Night", slug: "night", reasons: ["sleep"], quietSpan: { startsAt: "2030-01-01T00:00:00Z" } },
    wire: { name: "Night", slug: "night", reasons: ["sleep"], quiet_span: { starts_at: "2030-01-01T00:00:00Z" } },
  },
});
`;

const secrets = {
  callToken: "secret-1",
  spareTokens: ["secret-2", "secret-3"],
  callers: [{ callerKey: "secret-4" }, {}],
  callHeaders: { "X-Key": "secret-5", constructor: "secret-6" },
};

describe.skipIf(!isDeep)("a ninth kind", () => {
  const copy = copyOf("dist", "provider", "sdk", "docs", "package.json", "tsconfig.json");
  const require = createRequire(join(copy, "package.json"));
  const generate = (...options: string[]) => node(copy, "dist/provider/generate/main.js", ...options);
  const state = () =>
    new Map(
      filesIn(".", copy).map((path) => [
        path,
        createHash("sha256")
          .update(readFileSync(join(copy, path)))
          .digest("hex"),
      ]),
    );
  let before: ReadonlyMap<string, string>;

  let refused: Awaited<ReturnType<typeof generate>>;

  beforeAll(async () => {
    before = state();
    const write = (text: string) => {
      writeFileSync(join(copy, file), text);
      // The generator reads what is compiled. Types can hold only when it is done.
      const compiled = ts.transpile(text, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
      writeFileSync(join(copy, "dist", file.replace(/ts$/, "js")), compiled);
    };
    write(source.replaceAll(/meaning: "\w+"/g, ""));
    refused = await generate();
    write(source);
    expect(await generate()).toMatchObject({ status: 0 });
    expect(await node(copy, "node_modules/typescript/bin/tsc", "-p", ".")).toEqual({ status: 0, printed: "" });
    expect(await generate("--check")).toEqual({ status: 0, printed: "" });
  });

  it("is refused until each of its fields says what it decides", () => {
    const fields = ["reasons", "quietSpan.startsAt", "callToken", "spareTokens", "callers", "callHeaders"];
    expect(refused.status).toBe(1);
    for (const field of fields)
      expect(refused.printed).toMatch(new RegExp(`^QuietPolicy: ${field}.* has no meaning$`, "m"));
    expect(refused.printed).toContain("text, identity, label, routes, target, credential");
  });

  it("is one hand-written file; class, types, page, registry and interface document follow", () => {
    const after = state();
    const changed = [...after].filter(([path, hash]) => before.get(path) !== hash).map(([path]) => path);
    expect([...before.keys()].filter((path) => !after.has(path))).toEqual([]);
    expect(changed.sort()).toEqual(
      [
        file,
        "docs/kinds/quietPolicy.gen.md",
        "provider/kinds/index.gen.ts",
        "provider/wire/openapi.gen.json",
        "sdk/index.gen.ts",
        "sdk/quietPolicy.gen.ts",
        "sdk/standards/resources.gen.ts",
        "sdk/types.gen.ts",
      ].sort(),
    );
  });

  it("is exported as a class, typed, with its secrets known", () => {
    expect(require("./dist/sdk/index.gen.js").QuietPolicy).toBeTypeOf("function");
    // Its plural is that of the names on the wire.
    expect(require("./dist/sdk/index.gen.js").getQuietPolicies).toBeTypeOf("function");
    const types = readFileSync(join(copy, "dist/sdk/quietPolicy.gen.d.ts"), "utf8");
    expect(types).toContain("quietSpan?: pulumi.Input<types.QuietSpanArgs | undefined>");
    expect(readFileSync(join(copy, "sdk/quietPolicy.gen.ts"), "utf8")).toContain(
      'secrets: ["callToken", "spareTokens.*", "callers.*.callerKey", "callHeaders.*"]',
    );
  });

  it("encrypts its secrets, also those in lists and maps, and nothing else", async () => {
    const pulumi: typeof Pulumi = require("@pulumi/pulumi"); // The copy's package loads this instance.
    const declared: Record<string, unknown>[] = [];
    await pulumi.runtime.setMocks({
      newResource: ({ inputs }) => {
        declared.push(inputs);
        return { id: "id", state: inputs };
      },
      call: () => ({}),
    });
    const { QuietPolicy } = require("./dist/sdk/index.gen.js");
    const { urn } = new QuietPolicy("night", { name: "Night", slug: "night", reasons: ["sleep"], ...secrets });
    await new Promise((resolve) => urn.apply(resolve));
    expect(shownIn(declared)).toEqual([]);
    expect(plain(declared)).toEqual([{ name: "Night", slug: "night", reasons: ["sleep"], ...secrets }]);
    expect(declared).toMatchObject([{ name: "Night", slug: "night", reasons: ["sleep"] }]);
  });

  it("is served by the reference service, without rules for it, and taken through its life by the provider", async () => {
    const document = JSON.parse(readFileSync(join(copy, "provider/wire/openapi.gen.json"), "utf8"));
    const service = await startService({ token, document });
    onTestFinished(() => service.close());
    const path = "/api/v1/config/quiet-policies";
    const sent = { slug: "day", name: "Day", reasons: ["work"], call_token: "secret" };
    expect((await ask(service, "POST", path, { quiet_policy: sent })).status).toBe(200);
    const { status, body } = await ask(service, "GET", `${path}/day`);
    expect(status).toBe(200);
    expect(body.quiet_policy).toMatchObject({ slug: "day", name: "Day", reasons: ["work"] });
    expect(JSON.stringify(body)).not.toContain("secret");

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
    const shown = await ask(service, "GET", `${path}/night`);
    expect(JSON.stringify(shown.body)).not.toMatch(/secret-\d/);
    await update(id, outs, { ...inputs, reasons: ["holiday"] });
    expect(plain((await read(id, outs)).props)).toMatchObject({ reasons: ["holiday"], ...secrets });
    await newProcess(service.url).delete(id, outs);
    expect((await ask(service, "GET", `${path}/night`)).status).toBe(404);
  });

  /** The provider as a process of its own would have it: the engine starts one per operation. */
  function newProcess(url: string) {
    for (const path of Object.keys(require.cache))
      if (path.startsWith(copy)) Reflect.deleteProperty(require.cache, path);
    const provider = require("./dist/provider/index.js").v1("QuietPolicy");
    const settings = new Map([
      ["observability:baseUrl", url],
      ["observability:apiToken", token],
    ]);
    // In the place of the address of an engine, which has an operation of its own.
    process.argv.push(randomUUID());
    provider.configure({ config: { get: (name: string) => settings.get(name) } });
    process.argv.pop();
    return provider;
  }
});
