import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { noteIn } from "../../dist/provider/lifecycle/notes/notes.js";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { configurationOf } from "./configurations.js";
import { mistakeIn } from "./mistakes.js";
import { Figures, runs } from "../support/figures.js";
import { type Json, placeText, setAt } from "./equivalence.js";
import { hasUnnameableKey } from "./drift.js";
import { placesIn, somePlaces } from "./places.js";
import { Resource, startWorld, type World } from "./world.js";
import { unknown } from "../../dist/provider/values/unknown.js";

const figures = new Figures();
let world: World;

beforeAll(async () => {
  world = await startWorld();
});

describe.concurrent.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const places = fc.record({ count: fc.integer({ min: 1, max: 4 }), seed: fc.integer() });

  test("a preview with unknown values says what was not validated, and asks nothing", () =>
    figures.hold(
      "configurations with unknown values per kind",
      fc.asyncProperty(configurationOf(kind), places, fc.boolean(), async (config, { count, seed }, isNew) => {
        const resource = new Resource(world, kind);
        const { config: open, paths } = withUnknowns(kind.root, resource.declared(config), count, seed);
        // An update of what stands there, or a new one.
        const olds = isNew ? {} : (await resource.check({}, config, { dryRun: false })).inputs;
        resource.requests();
        const { failures, inputs } = await resource.check(olds, open);
        expect(failures).toEqual([]);
        expect(resource.requests()).toEqual([]);
        expect(world.manners.all.filter((asked) => asked.includes(unknown))).toEqual([]);
        figures.count("unknown values", paths.length);

        // On one line, under the best name there is: slug, display name, or the name that the program gives the resource.
        const shown = [open.slug, inputs.name].find((each) => each !== unknown) ?? resource.slug;
        const title = kind.isSingleton
          ? `the ${kind.title}`
          : `${kind.title} "${String(shown).replace(/\p{Cc}+/gu, " ")}"`;
        const told = `${title} is validated only in the update, because these values are unknown until then: `;
        const expected = paths.map(placeText).sort();
        expect(linesOf(told), told).toContainEqual(expected);

        // A difference from anything, because nobody knows.
        if (!isNew)
          expect(await resource.diff(olds, { ...inputs })).toBe(hasUnnameableKey([olds, inputs]) ? "some" : "unknown");
      }),
      runs(0.2, 1),
    ));

  test("what is known is checked all the same", () =>
    figures.hold(
      "mistakes beside unknown values per kind",
      fc.asyncProperty(
        configurationOf(kind),
        places,
        fc.constantFrom("wrong type", "unknown key"),
        fc.nat(),
        async (config, { count, seed }, sort, choice) => {
          const resource = new Resource(world, kind);
          const mistake = mistakeIn(kind, resource.declared(config), sort, choice);
          fc.pre(mistake !== undefined);
          const { config: open, paths } = withUnknowns(kind.root, mistake.config, count, seed, mistake.path);
          fc.pre(paths.length > 0);
          const { failures } = await resource.check({}, open);
          expect(failures.map((failure) => failure.startsWith(`${placeText(mistake.path)}: `))).toEqual([true]);
          expect(resource.requests()).toEqual([]);
        },
      ),
      runs(0.1, 0.5),
    ));
});

/** The places named behind the beginning of a line that the provider printed, of every such line. */
const linesOf = (told: string): readonly string[][] =>
  world.host
    .output()
    .split(told)
    .slice(1)
    .map((rest) => placesIn(noteIn(rest.split("\n")[0] ?? "").text).sort());

function withUnknowns(field: Field, config: Json, count: number, seed: number, spared?: Path) {
  const paths = somePlaces(field, config, count, seed, spared);
  return { config: paths.reduce<Json>((open, path) => setAt(open, path, unknown) as Json, config), paths };
}
