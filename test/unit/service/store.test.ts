import { beforeAll, describe, expect, test } from "vitest";
import { openSqlite } from "../../../service/dist/store/sqlite.js";
import { type Filter, Store } from "../../../service/dist/store/store.js";

const size = 3_000;
const time = "2026-01-01T00:00:00.000Z";
const slugOf = (i: number) => (i === 0 ? "n" : `n-${i}`);
const store = new Store(openSqlite(":memory:"));

beforeAll(() => {
  for (let i = 0; i < size; i++) {
    const body = JSON.stringify({ bucket_slug: `b${i % 1_000}`, text: "x".repeat(i % 500 === 0 ? 600_000 : 10) });
    store.put({ kind: "Monitor", slug: slugOf(i), name: `name ${i % 2}`, body, created_at: time, updated_at: time });
  }
});

const where = (keep: (i: number) => boolean) =>
  Array.from({ length: size }, (_, i) => i)
    .filter(keep)
    .map(slugOf)
    .sort();

/** The slugs of every page of a list. */
function walk(limit: number, filters: readonly Filter[]) {
  const slugs: string[] = [];
  for (;;) {
    const { objects, more } = store.list({ kind: "Monitor", filters, after: slugs.at(-1) ?? "", limit });
    slugs.push(...objects.map(({ slug }) => slug));
    if (!more) return slugs;
  }
}

const filter = (field: string, match: Filter["match"], ...values: readonly string[]) => ({
  fields: [field],
  match,
  values,
});

describe("a list", () => {
  test.each([
    ["everything", [], where(() => true)],
    ["a part of a name", [filter("name", "contains", "E 1")], where((i) => i % 2 === 1)],
    ["a field of the body", [filter("bucket_slug", "equals", "b7", "b8")], where((i) => [7, 8].includes(i % 1_000))],
    ["slugs", [filter("slug", "equals", "n-5", "n", "none")], ["n", "n-5"]],
    [
      "a name and a field",
      [filter("name", "equals", "name 0"), filter("bucket_slug", "equals", "b7", "b8")],
      where((i) => i % 1_000 === 8),
    ],
    ["nothing", [filter("name", "contains", "none")], []],
  ])("by %s has each object once, in order, on pages of any size", (_, filters, slugs) => {
    for (const limit of [7, 1_000]) expect(walk(limit, filters)).toEqual(slugs);
  });
});
