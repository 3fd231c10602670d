import type * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";
import { expect, it } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { mocks, valueOf } from "../../support/mocks.js";

/** A class for a caller that does not know its kind. */
interface AnyClass {
  new (name: string, args: object): pulumi.CustomResource;
  get(name: string, id: string): pulumi.CustomResource;
  isInstance(value: unknown): boolean;
}
const classes = new Map(kinds.map(({ name }) => [name, (obs as unknown as Record<string, AnyClass>)[name]]));

it.each(kinds.map((kind) => [kind.name, kind] as const))(
  "%s is declared under its type with its example's arguments, and read by id",
  async (name, { example }) => {
    const { declared } = await mocks();
    const Resource = classes.get(name);
    if (Resource === undefined) throw new Error(`the package exports no ${name}; run: npm run generate`);
    const made = new Resource("made", example);
    await Promise.all([made, Resource.get("found", "an-id")].map(({ urn }) => valueOf(urn)));
    expect(declared.map(({ type }) => type)).toEqual(Array(2).fill(`pulumi-nodejs:dynamic/observability:${name}`));
    expect(declared.find((each) => each.name === "made")?.inputs).toMatchObject(
      Object.fromEntries(Object.keys(example).map((field) => [field, expect.anything()])),
    );
    expect(declared.find((each) => each.name === "found")?.id).toBe("an-id");
    expect([...classes].filter(([, each]) => each?.isInstance(made)).map(([each]) => each)).toEqual([name]);
  },
);
