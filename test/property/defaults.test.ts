import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import * as obs from "pulumi-observability";
import { beforeAll, expect, test } from "vitest";
import { Figures, runs, timeLimitMs } from "../support/figures.js";
import { someEntries } from "./configurations.js";
import type { Json } from "./meaning.js";

const figures = new Figures();
let declared: Json = {};

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      declared[name] = inputs;
      return { id: name, state: inputs as object };
    },
    call: () => ({}),
  });
});

const settled = <T>(output: pulumi.Output<T>) => new Promise((resolve) => output.apply(resolve));

/** How a program may write down a map. */
const forms: Readonly<Record<string, (entries: Json) => any>> = {
  plain: (entries) => entries,
  output: (entries) => pulumi.output(entries),
  promise: (entries) => Promise.resolve(entries),
  "outputs in it": (entries) =>
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, pulumi.output(value)])),
  "nothing under a key": (entries) => ({ ...entries, "no value": undefined }),
};
const form = fc.constantFrom(...Object.keys(forms));
const given = fc.record({ entries: fc.option(someEntries, { nil: undefined }), form });
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;
const written = ({ entries, form }: Given) => entries && forms[form]?.(entries);

type Make = (args: Json, options: obs.ResourceOptions) => pulumi.CustomResource;
const classes: readonly Make[] = [
  (args, options) => new obs.Monitor("it", args, options),
  (args, options) => new obs.SLO("it", args, options),
];

/** Where a resource has its provider from. */
const ways = ["the stack", "itself", "its parent", "its parent's parent", "itself in spite of its parent"] as const;

test(
  "a resource has its own entries and the defaults of its own provider, and no others",
  { timeout: timeLimitMs },
  async () => {
    const own = fc.option(someEntries, { nil: undefined });
    const cases = fc.record({
      own: given,
      ofStack: own,
      ofProvider: given,
      ofOther: given,
      way: fc.constantFrom(...ways),
      make: fc.constantFrom(...classes),
      name: fc.constantFrom("labels", "annotations"),
    });
    await figures.hold(
      "resources with defaults",
      fc.asyncProperty(cases, async ({ own, ofStack, ofProvider, ofOther, way, make, name }) => {
        const setting = name === "labels" ? "defaultLabels" : "defaultAnnotations";
        declared = {};
        pulumi.runtime.setAllConfig(
          ofStack === undefined ? {} : { [`observability:${setting}`]: JSON.stringify(ofStack) },
        );
        const provider = new obs.Provider("provider", { [setting]: written(ofProvider) });
        const other = new obs.Provider("other", { [setting]: written(ofOther) });
        const above = (more: pulumi.ComponentResourceOptions) =>
          new pulumi.ComponentResource("test:index:Team", "team", {}, more);
        const options = {
          "the stack": () => ({ parent: above({}) }),
          itself: () => ({ provider }),
          "its parent": () => ({ parent: above({ providers: [provider] }) }),
          "its parent's parent": () => ({ parent: above({ parent: above({ providers: [provider] }) }) }),
          "itself in spite of its parent": () => ({ provider, parent: above({ providers: [other] }) }),
        }[way]();
        await settled(make({ [name]: written(own) }, options).urn);
        const explicit = way === "the stack" ? undefined : ofProvider.entries;
        const expected = { ...(explicit ?? ofStack), ...own.entries };
        expect(declared.it[name] ?? {}).toEqual(expected);
      }),
      runs(2),
    );
  },
);
