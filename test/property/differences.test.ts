import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { configurationOf, edit, respelled } from "./arbitraries.js";
import { Figures, runs, timeLimitMs } from "../support/figures.js";
import {
  canonical,
  changedPaths,
  isObject,
  isZero,
  type Json,
  offWire,
  sameMeaning,
  withoutSecrets,
} from "./meaning.js";
import { inManner, type Manner, plain } from "./proxy.js";
import { Resource, startWorld, type World } from "./world.js";

const figures = new Figures();
let world: World;

beforeAll(async () => {
  world = await startWorld();
});

const manners: fc.Arbitrary<Manner> = fc.oneof(
  fc.constant(plain),
  fc.record({
    secrets: fc.constantFrom("**REDACTED**", "*****", "", "absent", "clear"),
    urls: fc.constantFrom("clear", "****"),
    nothing: fc.constantFrom("as it is", "null", "zero", "left out"),
    reversedKeys: fc.boolean(),
    fillsIn: fc.oneof(fc.constant(undefined), fc.nat(1_000)),
  }),
);

describe.concurrent.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const { root } = kind;

  test("no false difference, and none missed", { timeout: timeLimitMs }, async () => {
    await figures.hold(
      "configurations per kind",
      fc.asyncProperty(
        fc.record({
          config: configurationOf(kind),
          other: configurationOf(kind),
          choice: fc.nat(),
          spelling: fc.integer(),
          manner: manners,
          givesSlug: fc.boolean(),
        }),
        async ({ config, other, choice, spelling, manner, givesSlug }) => {
          const resource = new Resource(world, kind, givesSlug);
          const { slug, id } = resource;
          world.proxy.answer(id, manner);
          if (kind.isSingleton) await resource.deleteOutside();
          const answered = async () => offWire(root, inManner(root, (await resource.live()) ?? {}, manner)) as Json;

          // The canonical form is a fixed point, and another spelling of it costs nothing.
          const { inputs, failures } = await resource.check({}, config);
          expect(failures).toEqual([]);
          expect(
            sameMeaning(
              root,
              { ...inputs, slug },
              { name: kind.isSingleton ? undefined : slug, ...spelt(config), slug },
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
          expect(await resource.read(outputs)).toEqual({ id, outputs, inputs });
          figures.count("reads without a difference");

          // An outside edit is seen where it is.
          const edited = edit(
            kind,
            { ...config, ...(kind.isSingleton ? {} : { name: inputs.name }) },
            other,
            choice,
            (each) => !sameMeaning(root, withoutMasked(root, config, manner), withoutMasked(root, each, manner)),
          );
          if (edited === undefined) {
            figures.count("configurations without an edit that could be seen");
            return;
          }
          const before = await answered();
          await resource.writeOutside(edited.config);
          const expected = merged(root, inputs, before, await answered());
          const drifted = await resource.read(outputs);
          expect(canonical(root, drifted.inputs)).toEqual(canonical(root, expected));
          spelledAlike(root, inputs, drifted.inputs);
          const changes = changedPaths(root, inputs, drifted.inputs);
          if (changes.length === 0) {
            // What the service fills in anyway, and a secret where none is managed.
            figures.count("outside edits that change nothing that is managed");
            expect(await resource.diff(drifted.outputs, inputs)).toBe("none");
            return;
          }
          figures.count("outside edits seen and repaired");
          // A service that fills in at will may have said so before, and change something else with it.
          if (manner.fillsIn === undefined) {
            expect(changes.some((path) => overlaps(path, edited.path))).toBe(true);
          }
          expect(await resource.diff(drifted.outputs, inputs)).toBe("unknown");

          // An update repairs it, and then there is no difference.
          const repaired = await resource.check(drifted.inputs ?? {}, config);
          expect(repaired.failures).toEqual([]);
          expect(sameMeaning(root, repaired.inputs, inputs)).toBe(true);
          const updated = await resource.update(drifted.outputs, repaired.inputs);
          expect(canonical(root, await resource.liveArguments())).toEqual(canonical(root, written));
          expect(await resource.diff(updated, repaired.inputs)).toBe("none");
          expect((await resource.read(updated)).inputs).toEqual(repaired.inputs);
        },
      ),
      runs(),
    );
  });
});

const masks: readonly unknown[] = ["**REDACTED**", "*****", "****"];

/** Without the spellings that say nothing. */
const spelt = (config: Json) => Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ""));

/** Without what this manner of answering hides. */
const withoutMasked = (root: Field, config: Json, { secrets, urls }: Manner): Json =>
  withoutSecrets(root, config, ({ options: { secret } }) => (secret === "url" ? urls : secrets) !== "clear");

const overlaps = (a: Path, b: Path) => a.slice(0, b.length).join("\n") === b.slice(0, a.length).join("\n");

/**
 * What is managed once somebody has changed the object from `before` to `after`, both as answered: the managed value
 * wherever nothing changed, the new one wherever something did, and never a secret where none is managed.
 */
function merged(field: Field, mine: any, before: any, after: any): any {
  if (sameMeaning(field, before, after)) return mine;
  return field.visit<unknown>({
    scalar: ({ options: { secret } }) => {
      if (secret === undefined) return after;
      // Left out or empty, a secret may as well be masked; a URL is not.
      const isMasked = isZero(after) ? secret === "value" : masks.includes(after);
      return isMasked ? mine : mine === undefined ? undefined : after;
    },
    map: () => {
      const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
      const changed = [...keys].filter((key) => own(before, key) !== own(after, key));
      const kept = Object.entries((mine ?? {}) as Json).filter(([key]) => !changed.includes(key));
      const there = changed.filter((key) => own(after, key) !== undefined).map((key) => [key, after[key]] as const);
      return Object.fromEntries([...kept, ...there]);
    },
    list: ({ item }) => {
      const [ours, was]: [unknown[], unknown[]] = [mine ?? [], before ?? []];
      if (ours.length !== was.length) return withoutSecrets(field, after);
      return ((after ?? []) as unknown[]).map((each, i) => {
        if (i >= was.length) return withoutSecrets(item, each);
        return isObject(each) ? merged(item, ours[i], was[i], each) : each === was[i] ? ours[i] : each;
      });
    },
    object: ({ shape }) => {
      if (!isObject(after)) return undefined;
      if (!isObject(mine)) {
        const [was, is] = [before, after].map((each: unknown) => withoutSecrets(field, each));
        return sameMeaning(field, was, is) ? mine : is;
      }
      return Object.fromEntries(
        Object.entries(shape.fields).map(([name, inner]) => [
          name,
          merged(inner, mine[name], before?.[name], after[name]),
        ]),
      );
    },
  });
}

const own = (value: any, key: string) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);

/** Wherever the meaning is the same, so is the spelling. */
function spelledAlike(field: Field, a: any, b: any): void {
  if (sameMeaning(field, a, b)) return expect(b).toEqual(a);
  field.visit({
    scalar: () => {},
    map: () => {},
    list: ({ item }) => {
      if (a?.length === b?.length)
        a.forEach((each: unknown, i: number) => isObject(each) && spelledAlike(item, each, b[i]));
    },
    object: ({ shape }) => {
      if (!isObject(a) || !isObject(b)) return;
      for (const [name, inner] of Object.entries(shape.fields)) spelledAlike(inner, a[name], b[name]);
    },
  });
}
