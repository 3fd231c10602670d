import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { configurationOf } from "./configurations.js";
import { mistakeIn, sorts } from "./mistakes.js";
import { Figures, runs } from "../support/figures.js";
import { type Json, placeText } from "./equivalence.js";
import { firstPlaceIn, isUnplaceable } from "./told.js";
import { Resource, startWorld, type World } from "./world.js";

const figures = new Figures();
let world: World;

beforeAll(async () => {
  world = await startWorld();
});

/** What an update does with a declaration: nothing, where it goes through, or its own words. */
async function updateOf(resource: Resource, olds: Json, config: Json): Promise<string | undefined> {
  const { failures, inputs } = await resource.check(olds, config, { dryRun: false });
  // The engine goes no further.
  if (failures.length > 0) return failures[0];
  try {
    await (Object.keys(olds).length === 0 ? resource.create(inputs) : resource.update(olds, inputs));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.concurrent.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const sort = fc.constantFrom(undefined, ...sorts, "taken slug" as const);

  test("what a preview accepts, an update accepts; what it refuses, an update refuses", () =>
    figures.hold(
      "configurations per kind",
      fc.asyncProperty(
        configurationOf(kind),
        sort,
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        async (generated, sort, choice, givesSlug, isUpdate) => {
          const resource = new Resource(world, kind, givesSlug);
          const config = kind.isSingleton ? markedBy(resource, generated) : generated;
          if (kind.isSingleton) await resource.deleteOutside();
          let olds: Json = {};
          if (isUpdate && sort !== "taken slug") {
            const { inputs } = await resource.check({}, config, { dryRun: false });
            olds = (await resource.create(inputs)).outputs;
          }
          if (sort === undefined) {
            figures.count("accepted by both");
            expect(await resource.check(olds, config)).toMatchObject({ failures: [] });
            expect(await updateOf(resource, olds, config)).toBeUndefined();
            return;
          }
          if (sort === "taken slug") {
            await occupy(resource, config);
            figures.count("refused by both (taken slug)");
            const { failures } = await resource.check({}, config);
            expect(failures.join("\n")).toMatch(/already exists/);
            expect(await updateOf(resource, {}, config)).toMatch(/already exists/);
            return;
          }
          const mistake = mistakeIn(kind, resource.declared(config), sort, choice);
          fc.pre(mistake !== undefined);
          // Another slug is another object: an update knows only its own.
          fc.pre(!isUpdate || mistake.path[0] !== "slug");
          const { failures } = await resource.check(olds, mistake.config);
          const told = await updateOf(resource, olds, mistake.config);
          figures.count(`refused by both (${sort})`);
          expect(failures, mistake.says).not.toEqual([]);
          expect(told, mistake.says).toBeDefined();
          const place = placeText(mistake.path);
          if (!isUnplaceable(mistake.config)) {
            expect(failures[0]?.startsWith(place === "" ? "" : `${place}: `), `${failures[0]} names ${place}`).toBe(
              true,
            );
            expect(firstPlaceIn(kind, told ?? ""), told).toBe(place);
          }
        },
      ),
      runs(0.2, 1),
    ));
});

/** Puts an object under the resource's slug that is not the resource's. */
async function occupy(resource: Resource, config: Json): Promise<void> {
  const { inputs } = await resource.check({}, config, { dryRun: false });
  await resource.writeOutside(inputs, { create: true });
}

/** The singleton's configuration told apart from that of other cases: a process asks for each verdict once. */
function markedBy({ slug }: Resource, config: Json): Json {
  const { priorities, ...rest } = config.defaultDataset ?? {};
  const lowPriorityFilters = [...(priorities?.lowPriorityFilters ?? []), { query: slug }];
  return { ...config, defaultDataset: { ...rest, priorities: { ...priorities, lowPriorityFilters } } };
}
