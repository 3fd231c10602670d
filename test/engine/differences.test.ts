import type fc from "fast-check";
import { expect, test } from "vitest";
import type { Path } from "../../dist/provider/schema/walk.js";
import { edit } from "../property/edits.js";
import { respelled } from "../property/spellings.js";
import { hasUnnameableKey, isOpen, merged, overlaps, trialOf, withoutMasked } from "../property/drift.js";
import { canonical, changedPaths, type Json, offWire, sameMeaning } from "../property/meaning.js";
import { inManner } from "../property/proxy.js";
import { newStack } from "../support/engine.js";
import { isDeep, reportFigure, runs, timeLimitMs } from "../support/figures.js";
import { takeCounts } from "../support/service.js";
import { again, type Declared, draw, newTeam, programOf, type Team } from "./generated.js";

// Each team costs a process for its provider. Many more are tried without an engine, in test/property.
const teamsPerStack = 5;
const ofEachKind = isDeep ? runs(0.05) : 1;

type Case = Declared<ReturnType<typeof trialOf> extends fc.Arbitrary<infer T> ? T : never>;

const declared = ({ kind, slug, drawn: { config, givesSlug } }: Case) =>
  kind.isSingleton || !givesSlug ? config : { ...config, slug };
const otherSpelling = (each: Case) => respelled(each.kind.root, declared(each), each.drawn.spelling) as Json;

/** The object as the service answers with it, in the arguments' spelling and the order that was sent. */
const answered = async (each: Case) =>
  offWire(
    each.kind.root,
    inManner(each.kind.root, (await each.live()) ?? {}, { ...each.drawn.manner, respells: false }),
  ) as Json;

interface Tally {
  tried: number;
  seen: number;
  atTheirPlace: number;
  unmanaged: number;
  without: number;
}

// The property tests and the model say the same without an engine.
test.skipIf(!isDeep)(
  "generated configurations of every kind: no false difference, and none missed",
  { timeout: 2 * timeLimitMs },
  async () => {
    const tally: Tally = { tried: 0, seen: 0, atTheirPlace: 0, unmanaged: 0, without: 0 };
    while (tally.tried < ofEachKind) {
      const size = Math.min(teamsPerStack, ofEachKind - tally.tried);
      const teams = await Promise.all(Array.from({ length: size }, newTeam));
      await tryTogether(draw(trialOf, teams), teams, tally);
      tally.tried += size;
    }
    reportFigure(`configurations through the engine: ${tally.tried} of each kind, failures: 0`);
    reportFigure(
      `outside edits through the engine: ${tally.seen} seen and repaired (${tally.atTheirPlace} at the leaf itself), ` +
        `${tally.unmanaged} of what nobody manages, ${tally.without} configurations without one`,
    );
  },
);

/** What somebody's change of an object comes to. */
interface Edited {
  /** Where it differs now from what is declared. */
  readonly places: readonly Path[];
  /** As it was written before. */
  readonly written?: Json;
  readonly hasUnnameableKey?: boolean;
}

/** One stack with all of the cases, from its creation to the repair of what somebody changed. */
async function tryTogether(cases: readonly Case[], teams: readonly Team[], tally: Tally): Promise<void> {
  const stack = await newStack("http://127.0.0.1:1");
  const asked = () => teams.map(({ service }) => takeCounts(service));
  for (const { team, id, drawn } of cases) team.proxy.answer(id, drawn.manner);

  const created = await stack.up(programOf(cases, declared));
  expect(created.steps, created.text).toEqual({ create: cases.length });
  asked();
  const unchanged = await stack.preview(programOf(cases, otherSpelling));
  expect(unchanged.steps, unchanged.text).toEqual({ same: cases.length });
  // Each provider proves address and token by one list.
  for (const counts of asked()) expect(Object.values(counts)).toEqual([1]);
  const refreshed = await stack.refresh();
  expect(Object.keys(refreshed.counts), refreshed.text).toEqual(["same"]);

  const edits = new Map<string, Edited>();
  for (const each of cases) edits.set(each.name, await editOutside(each, tally));
  const changed = cases.filter(({ name }) => edits.get(name)?.places.length);
  const previewed = await stack.preview(programOf(cases, declared), { refresh: true });
  expect(previewed.failed, previewed.text).toBe(false);
  for (const { name, kind, drawn } of cases) {
    const places = edits.get(name)?.places ?? [];
    const told = (previewed.changes[name] ?? []).map(pathOf);
    expect(name in previewed.changes, again([kind.name, drawn])).toBe(places.length > 0);
    if (edits.get(name)?.hasUnnameableKey) continue; // The engine cannot name such a place, so the provider lets it name none.
    for (const path of told)
      expect(
        places.some((place) => overlaps(place, path)),
        again([path, kind.name, drawn]),
      ).toBe(true);
    for (const place of places) {
      expect(
        told.some((path) => overlaps(place, path)),
        again([place, kind.name, drawn]),
      ).toBe(true);
      if (told.some((path) => path.join("\n") === place.join("\n"))) tally.atTheirPlace += 1;
    }
  }

  const repaired = await stack.up(programOf(cases, declared), { refresh: true });
  expect(repaired.steps.update ?? 0, repaired.text).toBe(changed.length);
  for (const each of changed) {
    const written = edits.get(each.name)?.written;
    expect(canonical(each.kind.root, await each.liveArguments()), again(each.drawn)).toEqual(
      canonical(each.kind.root, written),
    );
  }
  asked();
  const settled = await stack.preview(programOf(cases, otherSpelling), { refresh: true });
  expect(settled.steps, settled.text).toEqual({ refresh: cases.length, same: cases.length });
  expect(
    asked()
      .flatMap((counts) => Object.keys(counts))
      .filter((what) => !what.startsWith("GET ")),
  ).toEqual([]);
}

/** Changes an object as some other client would, so that it shows. */
async function editOutside(each: Case, tally: Tally): Promise<Edited> {
  const { kind, drawn } = each;
  const { root } = kind;
  const mine = each.complete(drawn.config);
  const { slug: _, ...config } = mine;
  const edited = edit(kind, config, drawn.other, drawn.choice, (after) => {
    const [was, is] = [config, after].map((value) => withoutMasked(root, value, drawn.manner));
    return !sameMeaning(root, was, is) && !isOpen(root, config, after, drawn.manner);
  });
  if (edited === undefined) {
    tally.without += 1;
    return { places: [] };
  }
  const written = await each.liveArguments();
  const before = await answered(each);
  await each.writeOutside(edited.config);
  const expected = merged(root, mine, before, await answered(each)) as Json;
  const places = changedPaths(root, mine, expected);
  tally[places.length > 0 ? "seen" : "unmanaged"] += 1;
  return {
    places,
    hasUnnameableKey: hasUnnameableKey([mine, expected]),
    ...(written === undefined ? {} : { written }),
  };
}

/** A place in the engine's spelling: a quote in a key is escaped, everything else in it stays as it is. */
function pathOf(text: string): Path {
  return [...text.matchAll(/\[(\d+)\]|\["((?:\\"|[^"])*)"\]|\.?([^.[]+)/gs)].map(([, index, quoted, plain]) =>
    index !== undefined ? Number(index) : (quoted?.replaceAll('\\"', '"') ?? plain ?? ""),
  );
}
