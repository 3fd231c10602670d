import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeAll, expect, test } from "vitest";
import { formatPath, type Path } from "../../../dist/provider/schema/walk.js";
import { setAt } from "../../property/equivalence.js";
import { placesOf } from "../../property/places.js";
import { cases } from "../../support/cases.js";
import { type Mocked, mocks, valueOf } from "../../support/mocks.js";

let mocked: Mocked;

const shared = { a: "b" };
const circular: Record<string, unknown> = { a: "b" };
circular.self = [circular];
const tooDeep = "more than 100 levels of objects and arrays";

/** Values that Pulumi drops, empties or never finishes sending: what each is called, and where it is inside of the value. */
const unsendable: readonly (readonly [what: string, value: unknown, inside?: Path])[] = [
  ["a function", () => "up"],
  ["a symbol", Symbol("up")],
  ["a bigint", 1n],
  ["NaN", Number.NaN],
  ["an instance of Date", new Date()],
  ["an instance of Map", new Map([["a", "b"]])],
  ["an instance of Buffer", Buffer.from("up")],
  ["an instance of TypeError", new TypeError("up")],
  ["an instance of Config", Object.create(pulumi.Config.prototype)],
  ["an instance of Object", Object.assign(Object.create({ then: () => "up" }), { text: "up" })],
  ["an instance of StringAsset", new pulumi.asset.StringAsset("up")],
  ["a component", new pulumi.ComponentResource("test:index:Team", "team")],
  ["a function", ["up", { up: () => "up" }], [1, "up"]],
  ["a key with this name", JSON.parse('{"__proto__": {"labelQuery": "up"}}'), ["__proto__"]],
  ["a circular reference", circular, ["self", 0]],
  [tooDeep, Array.from({ length: 10_000 }).reduce<unknown>((inner) => [inner], "up")],
];

beforeAll(async () => {
  mocked = await mocks();
});

/** What the engine gets of a resource's arguments; of a program that TypeScript would refuse, too. */
async function sent(args: object): Promise<Record<string, unknown>> {
  const { urn } = new obs.Monitor("errors", args);
  await valueOf(urn);
  const { name, slug, ...inputs } = mocked.declared.at(-1)?.inputs ?? {};
  return inputs;
}

test.each<[string, object | undefined, object]>([
  [
    "a map with keys that every object has",
    { labels: { constructor: "a", toString: "b" } },
    { labels: { constructor: "a", toString: "b" } },
  ],
  ["a map without a prototype", { labels: Object.assign(Object.create(null), { a: "b" }) }, { labels: { a: "b" } }],
  ["no arguments at all", undefined, {}],
  [
    "one object at two places",
    { labels: shared, annotations: [shared, shared] },
    { labels: shared, annotations: [shared, shared] },
  ],
])("%s is sent as it is", async (_, args, expected) => {
  expect(await sent(args as object)).toEqual(expected);
});

test("an instance of a class has the values of its fields and getters, even inherited ones", async () => {
  class Base {
    readonly labelQuery = "up";
    get intervalSecs() {
      return 30;
    }
    get labels() {
      return { team: this.labelQuery };
    }
  }
  class Derived extends Base {
    readonly name = undefined;
    override get intervalSecs() {
      return 60;
    }
    // Says nothing.
    describe() {
      return this.labelQuery;
    }
  }
  const expected = { labelQuery: "up", intervalSecs: 60, labels: { team: "up" } };
  expect(await sent(new Derived())).toEqual(expected);
  class Condition {
    get op() {
      return pulumi.output("GT");
    }
  }
  expect(await sent({ seriesConditions: { defaults: { critical: { conditions: [new Condition()] } } } })).toEqual({
    seriesConditions: { defaults: { critical: { conditions: [{ op: "GT" }] } } },
  });
});

/** Expects the error of a value at a place, with the place of the culprit inside of it. */
async function expectRefused(create: () => unknown, title: string, path: Path, what: string): Promise<void> {
  const told = await Promise.resolve().then(create).catch(String);
  const full = what === tooDeep ? [...path, ...Array<number>(100 - path.length).fill(0)] : path;
  const place = full.length === 0 ? "" : `${formatPath(full)}: `;
  expect(told).toContain(`Error: ${title}: ${place}Pulumi can't send ${what}. `);
  expect(({} as { labelQuery?: string }).labelQuery).toBeUndefined();
}

test.each(cases)("a value that Pulumi can't send is refused at every place of $kind.name", async ({ kind, args }) => {
  const { [kind.name as "Monitor"]: Kind } = obs;
  for (const place of placesOf(kind.root, args))
    for (const [what, value, inside = []] of unsendable) {
      const create = () => new Kind("errors", setAt(args, place, value));
      await expectRefused(create, `${kind.name} "errors"`, [...place, ...inside], what);
    }
});

test("a value that Pulumi can't send is refused in the arguments of providers and functions", async () => {
  for (const [what, any, inside = []] of unsendable) {
    const value = any as never; // as a program without types may have it
    for (const name of ["slugPrefix", "knownValues", "defaultLabels"])
      await expectRefused(() => new obs.Provider("p", { [name]: value }), 'Provider "p"', [name, ...inside], what);
    await expectRefused(() => obs.getNotifiers({ names: value }), "getNotifiers", ["names", ...inside], what);
    await expectRefused(() => obs.getNotifierOutput({ slug: value }), "getNotifier", ["slug", ...inside], what);
    // It would list everything.
    await expectRefused(() => obs.getNotifiers(value), "getNotifiers", inside, what);
  }
});

test.each<[string, unknown]>([
  ["an output", pulumi.output({ labelQuery: "up" })],
  ["an output", pulumi.secret({ labelQuery: "up" })],
  ["a promise", Promise.resolve({ labelQuery: "up" })],
  ["an array", [{ labelQuery: "up" }]],
  ["a string", "up"],
  ["a function", () => ({ labelQuery: "up" })],
  ["a resource", new pulumi.DependencyResource("urn")],
])("arguments that are %s are refused with the remedy", (what, args) => {
  const told = `"errors": expected an object of arguments, got ${what}. The values of the object may be outputs`;
  expect(() => new obs.Monitor("errors", args as never)).toThrow(`Monitor ${told}`);
  expect(() => new obs.Provider("errors", args as never)).toThrow(`Provider ${told}`);
});

test.each<[string, unknown]>([
  ["an empty string", ""],
  ["undefined", undefined],
  ["null", null],
  ["an object", { labelQuery: "up" }],
  ["an output", pulumi.output("errors")],
])("a name that is %s is refused with the class", (what, name) => {
  const told = `expected a name as the first argument, got ${what}. Pass a string that is not empty`;
  expect(() => new obs.Monitor(name as never, {})).toThrow(`Monitor: ${told}`);
  expect(() => obs.Monitor.get(name as never, "errors")).toThrow(`Monitor: ${told}`);
  expect(() => new obs.Provider(name as never)).toThrow(`Provider: ${told}`);
});

test.each(["adpot", "Adopt", "adopts"])("the option %s fails, with the option that it nearly is", (name) => {
  expect(() => new obs.Monitor("errors", {}, { [name]: true })).toThrow(
    `Monitor "errors": there is no option ${name}. Did you mean "adopt"?`,
  );
});

test("an option of a later SDK is accepted", () => {
  expect(() => new obs.Monitor("errors", {}, { somethingElse: true } as object)).not.toThrow();
});
