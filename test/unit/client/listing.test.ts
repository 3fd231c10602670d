import { expect, test } from "vitest";
import { Listing } from "../../../dist/provider/client/listing.js";

/** A list of so many objects, in the order of their slugs, and what it was asked. */
function listOf(count: number, pageSize: number) {
  const slugs = Array.from({ length: count }, (_, i) => `slug-${String(i).padStart(6, "0")}`);
  const asked = { singles: 0, pages: 0 };
  const listing = new Listing<string>({
    single: async (slug) => {
      asked.singles += 1;
      return slugs.includes(slug) ? slug : undefined;
    },
    page: async (token) => {
      asked.pages += 1;
      const start = Number(token);
      const end = start + pageSize;
      return {
        items: slugs.slice(start, end).map((slug) => [slug, slug] as const),
        nextToken: end < count ? String(end) : "",
      };
    },
  });
  return { listing, asked, slugs };
}

/** Looks so many up, spread over the list, eight at a time as the engine does. */
async function lookUp({ listing, slugs }: ReturnType<typeof listOf>, count: number): Promise<void> {
  const wanted = Array.from({ length: count }, (_, i) => slugs[Math.floor((i * 7919) % slugs.length)] ?? "");
  await Promise.all(
    Array.from({ length: 8 }, async (_, lane) => {
      for (let i = lane; i < count; i += 8) expect(await listing.find(wanted[i] ?? "")).toBe(wanted[i]);
    }),
  );
}

test.each([
  { managed: 3, held: 100_000, most: 3 },
  { managed: 16, held: 100_000, most: 16 },
  { managed: 24, held: 100_000, most: 31 },
  { managed: 1_000, held: 2_000, most: 40 },
  { managed: 5_000, held: 10_000, most: 60 },
])("$managed objects of $held cost at most $most requests", async ({ managed, held, most }) => {
  const list = listOf(held, 1_000);
  await lookUp(list, managed);
  expect(list.asked.singles + list.asked.pages).toBeLessThanOrEqual(most);
});

test("what no page has is asked for singly", async () => {
  const list = listOf(100, 10);
  await lookUp(list, 60);
  const before = list.asked.singles;
  expect(await list.listing.find("nowhere")).toBeUndefined();
  expect(list.asked.singles).toBe(before + 1);
});

test("a page that fails, or a token that comes twice, ends the pages and not the looking up", async () => {
  for (const page of [
    () => Promise.reject(new Error("too large")),
    () => Promise.resolve({ items: [], nextToken: "again" }),
  ]) {
    let pages = 0;
    const listing = new Listing<string>({
      single: (slug) => Promise.resolve(slug),
      page: () => {
        pages += 1;
        return page();
      },
    });
    for (let i = 0; i < 100; i++) expect(await listing.find(`slug-${i}`)).toBe(`slug-${i}`);
    expect(pages).toBeLessThanOrEqual(2);
  }
});
