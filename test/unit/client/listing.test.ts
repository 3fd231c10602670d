import { expect, test } from "vitest";
import { Listing } from "../../../dist/provider/client/listing.js";

interface Given {
  readonly count: number;
  readonly pageSize: number;
  /** What a page shows of an object. */
  readonly listed?: (slug: string) => string;
  readonly isSame?: (single: string, listed: string) => boolean | undefined;
}

/** Compares once, as the service's facts do; without a comparison, pages are believed. */
function believer(isSame: Given["isSame"] = undefined) {
  let answer: Promise<boolean> | undefined;
  return (pairs: () => Promise<readonly (readonly [string, string])[]>) => {
    if (isSame === undefined) return Promise.resolve(true);
    answer ??= pairs().then((all) => all.length > 0 && all.every(([one, other]) => isSame(one, other) === true));
    return answer;
  };
}

/** A list in the order of its slugs, and how often it was asked. */
function listOf({ count, pageSize, listed = (slug) => slug, isSame }: Given) {
  const slugs = Array.from({ length: count }, (_, i) => `slug-${String(i).padStart(6, "0")}`);
  const asked = { singles: 0, pages: 0, isAway: false };
  const listing = new Listing<string>({
    isWhole: believer(isSame),
    single: async (slug) => {
      asked.singles += 1;
      if (asked.isAway) throw new Error("away");
      return slugs.includes(slug) ? slug : undefined;
    },
    page: async (token) => {
      asked.pages += 1;
      const end = Number(token) + pageSize;
      return {
        items: slugs.slice(Number(token), end).map((slug) => [slug, listed(slug)] as const),
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
      for (let i = lane; i < count; i += 8) expect(await listing.read(wanted[i] ?? "")).toBe(wanted[i]);
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
  const list = listOf({ count: held, pageSize: 1_000 });
  await lookUp(list, managed);
  expect(list.asked.singles + list.asked.pages).toBeLessThanOrEqual(most);
});

test("what no page has is asked for singly", async () => {
  const list = listOf({ count: 100, pageSize: 10 });
  await lookUp(list, 60);
  const before = list.asked.singles;
  expect(await list.listing.read("nowhere")).toBeUndefined();
  expect(list.asked.singles).toBe(before + 1);
});

test.each<[string, () => Promise<{ items: []; nextToken: string }>]>([
  ["a page that fails", () => Promise.reject(new Error("too large"))],
  ["a token that comes twice", () => Promise.resolve({ items: [], nextToken: "again" })],
])("%s ends the pages and not the look-ups, and proves no absence", async (_, page) => {
  let pages = 0;
  const listing = new Listing<string>({
    isWhole: believer(),
    single: (slug) => Promise.resolve(slug),
    page: () => {
      pages += 1;
      return page();
    },
  });
  for (let i = 0; i < 100; i++) {
    expect(await listing.lacks(`slug-${i}`)).toBe(false);
    expect(await listing.read(`slug-${i}`)).toBe(`slug-${i}`);
  }
  expect(pages).toBeLessThanOrEqual(2);
});

// Objects that were written in between show nothing about each other.
const isSame = (single: string, listed: string) => (listed === "written since" ? undefined : single === listed);
const compared = (listed: (slug: string) => string) => listOf({ count: 100, pageSize: 10, listed, isSame });

test("pages are believed once one object is the same on a page and by itself", async () => {
  const { listing, asked, slugs } = compared((slug) => slug);
  // The objects that are read singly are at the end of the list, so the first page has none of them.
  const all = [...slugs].reverse();
  expect(await Promise.all(all.map((slug) => listing.read(slug)))).toEqual(all);
  // The last page has only objects that were read singly.
  expect(asked).toMatchObject({ singles: 17, pages: 9 });
});

test.each<[string, (slug: string) => string]>([
  ["a part of one object that was read singly", (slug) => (slug === "slug-000003" ? "part" : slug)],
  ["nothing that could be compared", () => "written since"],
])("pages that show %s are not used, and no more of them are read", async (_, listed) => {
  const { listing, asked, slugs } = compared(listed);
  for (const slug of slugs) expect(await listing.read(slug)).toBe(slug);
  expect(asked.pages).toBe(2);
});

test("pages are not believed if the single request that would confirm them fails", async () => {
  const { listing, asked, slugs } = compared((slug) => slug);
  for (const slug of slugs.slice(-16)) await listing.read(slug);
  asked.isAway = true;
  await expect(listing.read("slug-000000")).rejects.toThrow("away");
});

test("a list lacks a slug only if all of it was read", async () => {
  const { listing, asked } = listOf({ count: 30, pageSize: 10 });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => listing.lacks(`new-${i}`)));
  expect(answers).toEqual(answers.map((_, i) => i >= 16));
  expect(await listing.lacks("slug-000029")).toBe(false);
  expect(asked).toMatchObject({ singles: 0, pages: 3 });
});
