import { beforeAll, describe, expect, test, vi } from "vitest";
import { loadDocument } from "../../../service/dist/document.js";
import { randomKey } from "../../../service/dist/key.js";
import { operationsOf } from "../../../service/dist/operations.js";
import { objectDigest } from "../../../service/dist/store/rows.js";
import { openSqlite } from "../../../service/dist/store/sqlite.js";
import { type Filter, Store } from "../../../service/dist/store/store.js";
import { create } from "../../../service/dist/writes.js";

const size = 3_000;
const time = "2026-01-01T00:00:00.000Z";
const slugOf = (i: number) => (i === 0 ? "n" : `n-${i}`);
let store: Store;

beforeAll(() => {
  const sqlite = openSqlite(":memory:");
  const insert = sqlite.prepare("insert into objects values (?, ?, ?, ?, ?, ?, ?)");
  sqlite.exec("begin");
  for (let i = 0; i < size; i++) {
    const body = JSON.stringify({ bucket_slug: `b${i % 1_000}`, text: "x".repeat(i % 500 === 0 ? 600_000 : 10) });
    const object = {
      kind: "Monitor",
      slug: slugOf(i),
      name: `name ${i % 2}`,
      body,
      created_at: time,
      updated_at: time,
    };
    insert.run([...Object.values(object), objectDigest(object)]);
  }
  sqlite.exec("commit");
  store = new Store(sqlite);
});

const all = Array.from({ length: size }, (_, i) => slugOf(i));
const where = (keep: (i: number) => boolean) => all.filter((_, i) => keep(i)).sort();

/** Every page of a list, with the number of times that other requests could come in. */
function walk(limit: number, ...filters: readonly Filter[]) {
  const slugs: string[] = [];
  for (let turns = 0; ;) {
    const steps = store.list({ kind: "Monitor", filters, after: slugs.at(-1) ?? "", limit });
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) turns++;
    slugs.push(...step.value.objects.map(({ slug }) => slug));
    if (!step.value.more) return { slugs, turns };
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
    ["a name", [filter("name", "equals", "name 0")], where((i) => i % 2 === 0)],
    [
      "a name and a field",
      [filter("name", "equals", "name 0"), filter("bucket_slug", "equals", "b7", "b8")],
      where((i) => i % 1_000 === 8),
    ],
    ["a name and a slug", [filter("name", "equals", "name 0"), filter("slug", "equals", "n-5", "n-6")], ["n-6"]],
    ["nothing", [filter("name", "contains", "none")], []],
  ])("by %s has each object once, in order, on pages of any size", (_, filters, slugs) => {
    for (const limit of [7, 1_000]) expect(walk(limit, ...filters).slugs).toEqual(slugs);
  });

  test("lets others in while it looks for what few have", () => {
    expect(walk(100, filter("name", "contains", "none")).turns).toBeGreaterThan(8);
    expect(walk(100, filter("bucket_slug", "equals", "none")).turns).toBeGreaterThan(8);
  });
});

test("the next of many namesakes is found by few queries", () => {
  const queries = vi.spyOn(store, "existing");
  const [kind] = operationsOf(loadDocument(), "all").flatMap(({ kind }) => (kind.name === "Monitor" ? [kind] : []));
  const context = { store, key: randomKey(), showSecrets: false, titleOf: (name: string) => name };
  if (kind === undefined) throw new Error("there are no monitors");
  expect(create(context, kind, { resource: { name: "n" }, dryRun: false })).toMatchObject({
    monitor: { slug: slugOf(size) },
  });
  expect(queries.mock.calls.length).toBeLessThan(20);
});
