import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { beforeAll, expect, test } from "vitest";

const declared: Record<string, unknown>[] = [];

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      declared.push(inputs);
      return { id: name, state: inputs };
    },
    call: () => ({}),
  });
});

/** What the engine gets of a resource's arguments; of a program that TypeScript would refuse, too. */
async function sent(args: object): Promise<Record<string, unknown>> {
  const { urn } = new obs.Monitor("errors", args);
  await new Promise((resolve) => urn.apply(resolve));
  const { name, slug, ...inputs } = declared.at(-1) ?? {};
  return inputs;
}

test("a map keeps keys that every object has already", async () => {
  const labels = { constructor: "a", toString: "b", valueOf: "c", hasOwnProperty: "d" };
  expect(await sent({ labels })).toEqual({ labels });
});

test("a map without a prototype is one", async () => {
  expect(await sent({ labels: Object.assign(Object.create(null), { a: "b" }) })).toEqual({ labels: { a: "b" } });
});

test("an instance of a class says what its fields and its getters say, inherited ones too", async () => {
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
  class Critical {
    get conditions() {
      return [new Condition()];
    }
  }
  class Condition {
    get op() {
      return pulumi.output("GT");
    }
  }
  expect(await sent({ seriesConditions: { defaults: { critical: new Critical() } } })).toEqual({
    seriesConditions: { defaults: { critical: { conditions: [{ op: "GT" }] } } },
  });
});

test("no arguments at all are none", async () => {
  expect(await sent(undefined as never)).toEqual({});
});

test("what is no set of arguments at all is left to the check, not dropped", async () => {
  expect(await sent({ labels: new Map([["a", "b"]]) })).toEqual({ labels: { size: 1 } });
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
    `Monitor "errors": ${place}: Pulumi cannot carry a key of this name`,
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
])("arguments that are %s are refused with the way out", (what, args) => {
  const told = `"errors": its arguments are ${what}: pass an object, whose values may be outputs`;
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
  const told = `its name is ${what}: pass a text that is not empty as the first argument`;
  expect(() => new obs.Monitor(name as never, {})).toThrow(`Monitor: ${told}`);
  expect(() => obs.Monitor.get(name as never, "errors")).toThrow(`Monitor: ${told}`);
  expect(() => new obs.Provider(name as never)).toThrow(`Provider: ${told}`);
});
