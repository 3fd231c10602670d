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

/** A list by pages of ten that shows what `listed` makes of each object, and single requests that show all of it. */
function otherwise(listed: (slug: string) => string, single = (slug: string) => Promise.resolve(slug)) {
  const slugs = Array.from({ length: 100 }, (_, i) => `slug-${String(i).padStart(2, "0")}`);
  const asked = { singles: 0, pages: 0 };
  const listing = new Listing<string>({
    single: (slug) => {
      asked.singles += 1;
      return single(slug);
    },
    page: (token) => {
      asked.pages += 1;
      const end = Number(token) + 10;
      const items = slugs.slice(end - 10, end).map((slug) => [slug, listed(slug)] as const);
      return Promise.resolve({ items, nextToken: end < slugs.length ? String(end) : "" });
    },
    // Objects that were written in between show nothing about each other.
    isSame: (one, other) => (other === "written since" ? undefined : one === other),
  });
  return { listing, asked, slugs };
}

test("pages are believed once one object is the same on a page and by itself", async () => {
  const { listing, asked, slugs } = otherwise((slug) => slug);
  // The objects that are read singly are at the end of the list, so the first page has none of them.
  const all = [...slugs].reverse();
  expect(await Promise.all(all.map((slug) => listing.find(slug)))).toEqual(all);
  // The last page has only objects that were read singly.
  expect(asked).toEqual({ singles: 17, pages: 9 });
});

test.each<[string, (slug: string) => string]>([
  ["every object", () => "part"],
  ["one of the objects that were read singly", (slug) => (slug === "slug-03" ? "part" : slug)],
  ["nothing that could be compared", () => "written since"],
])("pages that show %s otherwise are not believed", async (_, listed) => {
  const { listing, slugs } = otherwise(listed);
  for (const slug of slugs) expect(await listing.find(slug)).toBe(slug);
});

test("pages are not believed if nothing can be compared", async () => {
  let isAway = false;
  const { listing, slugs } = otherwise(
    (slug) => slug,
    (slug) => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(slug)),
  );
  for (const slug of slugs.slice(-16)) await listing.find(slug);
  isAway = true;
  await expect(listing.find("slug-00")).rejects.toThrow("away");
});

test("a list lacks a slug only if all of it was read", async () => {
  const { listing, asked } = listOf(30, 10);
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => listing.lacks(`new-${i}`)));
  expect(answers).toEqual(answers.map((_, i) => i >= 16));
  expect(await listing.lacks("slug-000029")).toBe(false);
  expect(asked).toEqual({ singles: 0, pages: 3 });
});

test("a list that fails, or does not end, lacks nothing", async () => {
  const endings = [() => Promise.reject(new Error("x")), () => Promise.resolve({ items: [], nextToken: "again" })];
  for (const page of endings) {
    const listing = new Listing<string>({ single: () => Promise.resolve(undefined), page });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => listing.lacks(`new-${i}`)));
    expect(answers).not.toContain(true);
  }
});
