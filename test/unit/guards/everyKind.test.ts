import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeAll, describe, expect, it } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { filesIn, root } from "./repository.js";

const remedy = "run: npm run generate";
const files = filesIn("provider/kinds")
  .map((path) => /^provider\/kinds\/(\w+)\.ts$/.exec(path)?.[1])
  .filter((file) => file !== undefined);

/** What the classes of all kinds have in common for a caller that does not know which one it has. */
interface AnyClass {
  new (name: string, args: object): pulumi.CustomResource;
  get(name: string, id: string): pulumi.CustomResource;
  isInstance(value: unknown): boolean;
}
const functions = Object.entries<unknown>(obs).filter(([, value]) => typeof value === "function");
// Each class has arguments of its own; here all of them come from the registry. A class has a capital letter.
const exported = functions.filter(([name]) => /^[A-Z]/.test(name)) as [string, AnyClass][];

it("every file of provider/kinds is in the registry", () => {
  expect(files, remedy).toHaveLength(kinds.length);
});

it("every class that the package exports is a kind's, or the provider's", () => {
  expect(exported.map(([name]) => name).sort(), remedy).toEqual([...kinds.map(({ name }) => name), "Provider"].sort());
});

it("every function that the package exports reads a kind, by slug or, but for a singleton, by list", () => {
  const wanted = kinds.flatMap((kind) =>
    [kind.name, ...(kind.isSingleton ? [] : [kind.plural(kind.name)])].map((name) => `get${name}`),
  );
  const found = functions.map(([name]) => name).filter((name) => name.startsWith("get"));
  expect(found.sort(), remedy).toEqual(wanted.flatMap((name) => [name, `${name}Output`]).sort());
});

describe.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (name, kind) => {
  const file = files.find((each) => each.toLowerCase() === name.toLowerCase());
  const Resource = new Map(exported).get(name);
  const declared: pulumi.runtime.MockResourceArgs[] = [];

  beforeAll(() =>
    pulumi.runtime.setMocks({
      newResource: (args) => {
        declared.push(args);
        return { id: args.id ?? `${args.name}-id`, state: args.inputs };
      },
      call: () => ({}),
    }),
  );

  it("has the name of its file, in its class and its page too", () => {
    expect(file, `name provider/kinds/<file>.ts after ${name}`).toBeDefined();
    for (const path of [`sdk/${file}.gen.ts`, `docs/kinds/${file}.gen.md`])
      expect(existsSync(join(root, path)), `${path} is missing; ${remedy}`).toBe(true);
  });

  it("has an example, and its page shows it as a program", () => {
    const { args, wire } = kind.example;
    expect(Object.keys(wire), "args and wire of the example tell the same object").toHaveLength(
      Object.keys(args).length,
    );
    expect(Object.keys(args).length).toBeGreaterThan(0);
    const page = readFileSync(join(root, `docs/kinds/${file}.gen.md`), "utf8");
    expect(page.split("```ts")[1]?.split("```")[0], remedy).toContain(`new obs.${name}(`);
  });

  it("is declared under its type with its example's arguments, and read by id", async () => {
    if (Resource === undefined) throw new Error(`the package exports no ${name}; ${remedy}`);
    const made = new Resource("made", kind.example.args);
    const found = Resource.get("found", "an-id");
    await Promise.all([made, found].map(({ urn }) => new Promise((resolve) => urn.apply(resolve))));
    expect(declared.map(({ type }) => type)).toEqual(Array(2).fill(`pulumi-nodejs:dynamic/observability:${name}`));
    expect(Object.keys(declared.find((each) => each.name === "made")?.inputs)).toEqual(
      expect.arrayContaining(Object.keys(kind.example.args)),
    );
    expect(declared.find((each) => each.name === "found")?.id).toBe("an-id");
    const classesOfIt = exported.filter(([each, { isInstance }]) => each !== "Provider" && isInstance(made));
    expect(classesOfIt.map(([each]) => each)).toEqual([name]);
  });
});

it("the provider's class is declared as one of dynamic resources, its token secret", async () => {
  const declared: pulumi.runtime.MockResourceArgs[] = [];
  await pulumi.runtime.setMocks({
    newResource: (args) => {
      declared.push(args);
      return { id: "id", state: args.inputs };
    },
    call: () => ({}),
  });
  const provider = new obs.Provider("team", { apiToken: "token", secretMasks: ["***"] });
  await new Promise((resolve) => provider.urn.apply(resolve));
  // Under mocks a secret is told by being wrapped.
  const inputs = { "observability:secretMasks": '["***"]', "observability:apiToken": { value: "token" } };
  expect(declared).toMatchObject([{ type: "pulumi:providers:pulumi-nodejs", inputs }]);
});
