import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeAll, expect, test } from "vitest";
import { type Mocked, mocks, valueOf } from "../../support/mocks.js";

let mocked: Mocked;

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
  ["a Map, which the check reports", { labels: new Map([["a", "b"]]) }, { labels: { size: 1 } }],
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

test.each([
  ["labels.__proto__", { labels: JSON.parse('{"__proto__": "x"}') }],
  ["__proto__", JSON.parse('{"__proto__": {"labelQuery": "up"}}')],
  [
    "seriesConditions.overrides[0].__proto__",
    { seriesConditions: { overrides: [JSON.parse('{"__proto__": {"labelMatchers": []}}')] } },
  ],
])("a key that Pulumi cannot carry is refused by its place: %s", (place, args: object) => {
  expect(() => new obs.Monitor("errors", args)).toThrow(
    `Monitor "errors": ${place}: Pulumi can't send a key with this name`,
  );
  expect(({} as { labelQuery?: string }).labelQuery).toBeUndefined();
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
