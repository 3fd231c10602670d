import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { configurationOf, generator, mistakeIn } from "./arbitraries.js";
import { Figures, runs, timeLimitMs } from "../support/figures.js";
import { isObject, isZero, type Json, placeText, setAt } from "./meaning.js";
import { Resource, startWorld, type World } from "./world.js";

/** What the engine sends in place of a value that is known only after the update. */
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const figures = new Figures();
let world: World;

beforeAll(async () => {
  world = await startWorld();
});

describe.concurrent.each(kinds.map((kind) => [kind.name, kind] as const))("%s", (_, kind) => {
  const places = fc.record({ count: fc.integer({ min: 1, max: 4 }), seed: fc.integer() });

  test("a preview with unknown values says what was not validated, and asks nothing", { timeout: timeLimitMs }, () =>
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
        expect(world.proxy.all.filter(({ url, body }) => `${url}${body}`.includes(unknown))).toEqual([]);
        for (const path of paths) figures.count(`unknown values (${sortOf(kind.root, path)})`);

        // Under the best name there is: slug, display name, or the name that the program gives the resource.
        const shown = [open.slug, inputs.name].find((each) => each !== unknown) ?? resource.slug;
        const title = kind.isSingleton ? `the ${kind.title}` : `${kind.title} "${shown}"`;
        const told = `${title}: not validated yet, because these are known only after the update: `;
        const expected = paths.map(placeText).sort();
        const lines = await linesOf(told, (found) => found.some((line) => isSame(line, expected)));
        expect(
          lines.map((line) => line.sort()),
          told,
        ).toContainEqual(expected);

        // A difference from anything, because nobody knows.
        if (!isNew) expect(await resource.diff(olds, { ...inputs })).toBe("unknown");
      }),
      runs(),
    ),
  );

  test("what is known is checked all the same", { timeout: timeLimitMs }, () =>
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
      runs(0.5),
    ),
  );
});

/** The places named behind the beginning of a line that the provider printed, of every such line. */
async function linesOf(told: string, isEnough: (found: string[][]) => boolean): Promise<string[][]> {
  for (let waitMs = 1; ; waitMs *= 2) {
    const found = world.host
      .output()
      .split(told)
      .slice(1)
      .map((rest) => placesIn(rest.split("\n")[0] ?? ""));
    if (isEnough(found) || waitMs > 300) return found;
    // The line comes through a pipe, the answer through a socket.
    await sleep(waitMs);
  }
}

/** `a.b, c["x, y"]` → its two places. */
function placesIn(text: string): string[] {
  const places: string[] = [];
  let rest = text;
  while (rest !== "") {
    const [place = rest] = /^(?:[^,"[]|\[\d+\]|\["(?:[^"\\]|\\.)*"\])+/.exec(rest) ?? [];
    places.push(place);
    rest = rest.slice(place.length).replace(/^, /, "");
  }
  return places;
}

const isSame = (found: readonly string[], expected: readonly string[]) =>
  [...found].sort().join("\n") === expected.join("\n");

/** The configuration with unknown values at some places, none inside another, none at or around `spared`. */
function withUnknowns(field: Field, config: Json, count: number, seed: number, spared?: Path) {
  const random = generator(seed);
  const isFree = (path: Path, taken: readonly Path[]) => !taken.some((each) => overlap(path, each));
  const avoided = spared === undefined ? [] : [spared];
  // Depth first counts: most places are leaves, but whole objects, arrays and arguments are as welcome.
  const all = placesOf(field, config);
  const byDepth = [...new Set(all.map((path) => path.length))];
  const paths: Path[] = [];
  for (let i = 0; i < count; i++) {
    const depth = byDepth[Math.floor(random() * byDepth.length)];
    const free = all.filter((path) => path.length === depth && isFree(path, [...avoided, ...paths]));
    const path = free[Math.floor(random() * free.length)];
    if (path !== undefined) paths.push(path);
  }
  return { config: paths.reduce<Json>((open, path) => setAt(open, path, unknown) as Json, config), paths };
}

const overlap = (a: Path, b: Path) => a.slice(0, b.length).join("\n") === b.slice(0, a.length).join("\n");

/** Every place where a program could put a value: also absent ones of objects that are there. */
function placesOf(field: Field, value: any, path: Path = []): Path[] {
  const here = path.length === 0 ? [] : [path];
  return field.visit<Path[]>({
    scalar: () => here,
    map: () => [...here, ...(isObject(value) ? Object.keys(value).map((key) => [...path, key]) : [])],
    list: ({ item }) => [
      ...here,
      ...(Array.isArray(value) ? value.flatMap((each, i) => placesOf(item, each, [...path, i])) : []),
    ],
    object: ({ shape }) => [
      ...here,
      ...(isObject(value)
        ? Object.entries(shape.fields).flatMap(([name, inner]) => placesOf(inner, value[name], [...path, name]))
        : []),
    ],
  });
}

/** What is unknown there, for the figures. */
function sortOf(root: Field, path: Path): string {
  const field = path.reduce<Field | undefined>((here, step) => stepInto(here, step), root);
  const shape = field?.visit({ scalar: () => "leaf", list: () => "array", map: () => "map", object: () => "object" });
  if (field === undefined) return "map value";
  return path.length === 1 ? `whole argument` : typeof path.at(-1) === "number" ? "array item" : (shape ?? "leaf");
}

const stepInto = (field: Field | undefined, step: string | number): Field | undefined =>
  field?.visit<Field | undefined>({
    scalar: () => undefined,
    map: () => undefined,
    list: ({ item }) => item,
    object: ({ shape }) => (isZero(step) ? undefined : shape.fields[step]),
  });
