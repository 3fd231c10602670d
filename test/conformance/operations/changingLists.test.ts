import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { isDeep, reportFigure, size, timeLimitMs } from "../../support/figures.js";
import { ownService } from "../../support/service.js";
import { lists } from "./interface.js";
import { list, place, placeAll, remove, walk } from "./requests.js";
import { Shelf, walks } from "./walks.js";

/** Listed two at a time: "b" and "d" have been seen when the writes happen, and "f" comes next. */
const before = ["b", "d", "f", "h", "k"];

interface Writes {
  readonly put?: readonly string[];
  readonly delete?: readonly string[];
}

const service = await ownService();

describe.each(lists)("the list of %s (%s)", (_name, _profile, kind) => {
  beforeEach(async () => {
    await Promise.all((await list(service, kind)).slugs.map((slug) => remove(service, kind, slug)));
    await placeAll(
      service,
      kind,
      before.map((slug) => [slug, {}]),
    );
  });

  test.each<[sentence: string, writes: Writes]>([
    ["nothing", {}],
    ["an insert at the very beginning", { put: ["a"] }],
    ["an insert among what was seen", { put: ["c"] }],
    ["an insert right after the position", { put: ["e"] }],
    ["an insert at the very end", { put: ["z"] }],
    ["inserts on both sides", { put: ["a", "c", "e", "g", "z"] }],
    ["a change of what was seen", { put: ["b"] }],
    ["a change of the next object", { put: ["f"] }],
    ["a delete of what was seen", { delete: ["b"] }],
    ["a delete of the last object seen", { delete: ["d"] }],
    ["a delete of all that was seen", { delete: ["b", "d"] }],
    ["a delete of the next object", { delete: ["f"] }],
    ["a delete of the next two objects", { delete: ["f", "h"] }],
    ["a delete of the last object", { delete: ["k"] }],
    ["a delete of all that was left", { delete: ["f", "h", "k"] }],
    ["a delete of everything", { delete: before }],
    ["a delete of the last object seen and inserts around it", { delete: ["d"], put: ["c", "e"] }],
  ])("%s between pages: what stood throughout is there once", async (_sentence, writes) => {
    const first = await list(service, kind, "page.max_size=2");
    expect(first.slugs).toEqual(["b", "d"]);
    for (const slug of writes.delete ?? []) await remove(service, kind, slug);
    for (const slug of writes.put ?? []) await place(service, kind, slug);

    const seen = [...first.slugs, ...(await walk(service, kind, [2], first.next))];
    const stood = before.filter((slug) => !writes.delete?.includes(slug));
    expect(seen.filter((slug) => stood.includes(slug))).toEqual(stood);
    expect(seen, "in order, and nothing twice").toEqual([...new Set(seen)].sort());
  });
});

test("a walk under writes shows what matched throughout, once and in order", { timeout: timeLimitMs }, async () => {
  const own = await ownService();
  const shelves = new Map<string, Shelf>();
  const sum = { pages: 0, writes: 0, missed: 0, twice: 0 };
  const wrong: unknown[] = [];
  const tried = fc.sample(fc.noBias(walks), size(isDeep ? 400 : 6));
  for (const each of tried) {
    const shelf = shelves.get(each.kind.name) ?? (await Shelf.filled(own, each.kind));
    shelves.set(each.kind.name, shelf);
    const { pages, writes, ...seen } = await shelf.walk(each);
    sum.pages += pages;
    sum.writes += writes;
    sum.missed += seen.missed.length;
    sum.twice += seen.twice.length;
    const asPromised = { missed: [], twice: [], strange: [], isInOrder: true, ends: true, misunderstood: [] };
    if (JSON.stringify(seen) !== JSON.stringify(asPromised)) wrong.push({ ...each, kind: each.kind.name, seen });
  }
  reportFigure(
    `list walks under writes: ${tried.length}, pages ${sum.pages}, writes meanwhile ${sum.writes}, ` +
      `objects missed ${sum.missed}, shown twice ${sum.twice}`,
  );
  expect(wrong.slice(0, 3)).toEqual([]);
});
