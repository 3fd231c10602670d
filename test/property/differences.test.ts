import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../dist/provider/schema/field.js";
import { edit } from "./edits.js";
import { respelled } from "./spellings.js";
import { hasUnnameableKey, isOpen, merged, overlaps, trialOf, withoutMasked } from "./drift.js";
import { Figures, runs } from "../support/figures.js";
import { canonical, changedPaths, isObject, type Json, offWire, isEquivalent } from "./equivalence.js";
import { inManner } from "./proxy.js";
import { Resource, startWorld, type World } from "./world.js";

const figures = new Figures();
let world: World;

beforeAll(async () => {
  world = await startWorld();
});

describe.concurrent.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const { root } = kind;

  test("no false difference, and none missed", async () => {
    await figures.hold(
      "configurations per kind",
      fc.asyncProperty(trialOf(kind), async ({ config, other, choice, spelling, manner, givesSlug }) => {
        const resource = new Resource(world, kind, givesSlug);
        const { slug, id } = resource;
        world.manners.answer(id, manner);
        if (kind.isSingleton) await resource.deleteOutside();
        // In the order that was sent, so that items correspond by their index.
        const inOrder = { ...manner, respells: false };
        const answered = async () => offWire(root, inManner(root, (await resource.live()) ?? {}, inOrder)) as Json;

        // The canonical form is a fixed point, and another spelling of it costs nothing.
        const { inputs, failures } = await resource.check({}, config);
        expect(failures).toEqual([]);
        expect(
          isEquivalent(
            root,
            { ...inputs, slug },
            { name: kind.isSingleton ? undefined : slug, ...spelled(config), slug },
          ),
        ).toBe(true);
        resource.requests();
        expect(await resource.check(inputs, config)).toEqual({ inputs, failures: [] });
        expect(await resource.check(inputs, respelled(root, config, spelling))).toEqual({ inputs, failures: [] });
        expect(resource.requests()).toEqual([]);

        // After an update there is no difference, whatever the service made of what it was sent.
        const { outputs } = await resource.create(inputs);
        const written = await resource.liveArguments();
        expect(await resource.diff(outputs, inputs)).toBe("none");
        // A second read has nothing else to start from, so it says the same.
        expect(await resource.read(outputs)).toEqual({ id, outputs });
        figures.count("reads without a difference");

        // An outside edit is seen where it is.
        const edited = edit(
          kind,
          { ...config, ...(kind.isSingleton ? {} : { name: inputs.name }) },
          other,
          choice,
          (each) =>
            !isEquivalent(root, withoutMasked(root, config, manner), withoutMasked(root, each, manner)) &&
            !isOpen(root, config, each, manner),
        );
        if (edited === undefined) {
          figures.count("configurations without an edit that could be seen");
          return;
        }
        const before = await answered();
        await resource.writeOutside(edited.config);
        const expected = merged(root, inputs, before, await answered());
        const read = await resource.read(outputs);
        // As the engine does with what it is not told.
        const drifted = { ...read, inputs: read.inputs ?? inputs };
        expect(canonical(root, drifted.inputs)).toEqual(canonical(root, expected));
        spelledAlike(root, inputs, drifted.inputs);
        const changes = changedPaths(root, inputs, drifted.inputs);
        if (changes.length === 0) {
          // What the service fills in anyway, and a secret if none is managed.
          figures.count("outside edits that change nothing that is managed");
          expect(await resource.diff(drifted.outputs, inputs)).toBe("none");
          return;
        }
        figures.count("outside edits seen and repaired");
        // A service that fills in at will may have said so before, and change something else with it.
        if (manner.fillsIn === undefined) {
          expect(changes.some((path) => overlaps(path, edited.path))).toBe(true);
        }
        const difference = hasUnnameableKey([drifted.inputs, inputs]) ? "some" : "unknown";
        expect(await resource.diff(drifted.outputs, inputs)).toBe(difference);

        // An update repairs it, and then there is no difference.
        // Recorded inputs are never empty, also of a singleton that says nothing: they hold the provider's text.
        const repaired = await resource.check({ ...drifted.inputs, __provider: "recorded" }, config);
        expect(repaired.failures).toEqual([]);
        expect(isEquivalent(root, repaired.inputs, inputs)).toBe(true);
        const updated = await resource.update(drifted.outputs, repaired.inputs);
        expect(canonical(root, await resource.liveArguments())).toEqual(canonical(root, written));
        expect(await resource.diff(updated, repaired.inputs)).toBe("none");
        expect(await resource.read(updated)).toEqual({ id, outputs: updated });
      }),
      runs(0.06, 1),
    );
  });
});

/** Without the spellings that say nothing. */
const spelled = (config: Json) => Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ""));

/** What means the same is spelled the same, and in the same order. */
function spelledAlikeInAnyOrder(item: Field, a: readonly unknown[], b: readonly unknown[]): void {
  const keyOf = (each: unknown) => JSON.stringify(isObject(each) ? canonical(item, each) : each);
  const keys = [a, b].map((list) => list.map(keyOf)) as [string[], string[]]; // one per list
  const inBoth = (list: readonly unknown[]) => list.filter((each) => keys.every((some) => some.includes(keyOf(each))));
  if (keys.every((some) => new Set(some).size === some.length)) expect(inBoth(b)).toEqual(inBoth(a));
}

/** Wherever the meaning is the same, so is the spelling. */
function spelledAlike(field: Field, a: any, b: any): void {
  if (isEquivalent(field, a, b)) return expect(b).toEqual(a);
  field.visit({
    scalar: () => {},
    map: () => {},
    list: ({ item, options }) => {
      if (options.unordered) return spelledAlikeInAnyOrder(item, a ?? [], b ?? []);
      if (a?.length === b?.length)
        a.forEach((each: unknown, i: number) => isObject(each) && spelledAlike(item, each, b[i]));
    },
    object: ({ shape }) => {
      if (!isObject(a) || !isObject(b)) return;
      for (const [name, inner] of Object.entries(shape.fields)) spelledAlike(inner, a[name], b[name]);
    },
  });
}
