import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Document } from "../../service/dist/document.js";
import { startService } from "../../service/dist/server.js";
import { type Client, clientOf, create, derivedMetric, monitor, notifier, slugKinds, start } from "./service.js";

/** One page of a kind's list; the query as it is in the URL. */
async function list(client: Client, query = "", path = "/notifiers") {
  const { status, body } = await client.get(`${path}?${query}`);
  const items = (Object.values(body).find(Array.isArray) ?? []) as readonly { readonly slug: string }[];
  return { status, body, items, slugs: items.map(({ slug }) => slug), next: String(body.page?.next_token ?? "") };
}

/** The pages from one token to the end, their sizes taken in turn. */
async function walk(client: Client, path: string, sizes: readonly number[], from = ""): Promise<string[]> {
  const seen: string[] = [];
  let token = from;
  for (let pages = 0; pages === 0 || token !== ""; pages++) {
    const page = await list(client, `page.max_size=${sizes[pages % sizes.length]}&page.token=${token}`, path);
    if (page.status !== 200 || pages > 2_000) throw new Error(`the list does not end: ${JSON.stringify(page.body)}`);
    seen.push(...page.slugs);
    token = page.next;
  }
  return seen;
}

/** What is in the service, in the order in which it is listed. */
const shelf: readonly (readonly [slug: string, name: string])[] = [
  ["-dash", "Blue, dark"],
  ["10", "Red"],
  ["2", "Blue"],
  ["Banana", "Yellow"],
  ["_low", "Red"],
  ["a", "Filler"],
  ["a-b", "Filler"],
  ["aB", "Filler"],
  ["a_b", "Filler"],
  ["apple", "Yellow"],
  ["banana", " dark"],
  ...Array.from({ length: 1_000 }, (_, i) => [`z-${String(i).padStart(4, "0")}`, "Filler"] as const),
];
const slugs = shelf.map(([slug]) => slug);
const hundred = slugs.slice(0, 100);

describe("a list", () => {
  let client: Client;
  beforeAll(async () => {
    client = clientOf(await startService());
    await Promise.all(shelf.toReversed().map(([slug, name]) => create(client, notifier, slug, { name })));
    await create(client, derivedMetric, "10", { name: "Red" });
  });
  afterAll(() => client.service.close());
  const get = (query: string, path?: string) => list(client, query, path);

  test.each<[sentence: string, query: string, found: readonly string[]]>([
    ["without a filter finds everything", "", hundred],
    ["several slugs find theirs, in the list's order", "slugs=apple&slugs=2&slugs=10", ["10", "2", "apple"]],
    ["an unknown slug takes nothing from a known one", "slugs=nowhere&slugs=apple", ["apple"]],
    ["a slug is told from one in another case", "slugs=banana", ["banana"]],
    ["the beginning of a slug finds nothing", "slugs=appl", []],
    ["an empty slug beside another is ignored", "slugs=&slugs=apple", ["apple"]],
    ["a comma belongs to the slug", "slugs=10,2", []],
    ["several names find all that have them", "names=Red&names=Yellow&names=Red", ["10", "Banana", "_low", "apple"]],
    ["an empty name is ignored", "names=", hundred],
    ["a comma belongs to the name", "names=Blue,%20dark", ["-dash"]],
    ["slug and name that nothing has both find nothing", "slugs=2&names=Red", []],
    ["slugs and names find what has one of each", "slugs=10&slugs=2&slugs=apple&names=Red&names=Blue", ["10", "2"]],
    ["brackets make another parameter", "slugs%5B%5D=2", hundred],
    ["a thousand slugs are taken at once", slugs.map((slug) => `slugs=${slug}`).join("&"), hundred],
  ])("%s", async (_sentence, query, found) => {
    const { status, slugs } = await get(query);
    expect([status, slugs]).toEqual([200, found]);
  });

  test.each<[query: string, count: number]>([
    ["page.max_size=", 100],
    ["page.max_size=0", 100],
    ["page.max_size=1", 1],
    ["page.max_size=1000", 1_000],
    ["page.max_size=10&names=Filler&slugs=a&slugs=aB", 2],
  ])("with %s has %i objects, and a token if more follow", async (query, count) => {
    const { slugs: found, next } = await get(query);
    expect(found).toHaveLength(count);
    expect(next === "").toBe(count === 2);
  });

  test.each(["-1", "1.5", "ten", "1e3", "0x10", "%20", "+1", "1001", "9223372036854775807"])(
    "refuses page.max_size=%s",
    async (size) => {
      const { status, body } = await get(`page.max_size=${size}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 400008, errors: [{ path: "page.max_size" }] });
    },
  );

  test.each([[[0]], [[1_000]], [[337]], [[1, 50, 1_000]]])(
    "leads through pages of %j to everything once, in order, and each token gives the same page again",
    async (sizes) => {
      expect(await walk(client, notifier.path, sizes)).toEqual(slugs);
      const { next } = await get("page.max_size=3&page.token=");
      expect(await get(`page.token=${next}`)).toEqual(await get(`page.token=${next}`));
    },
  );

  const badToken = async (query: string, path?: string) => {
    const { status, body } = await get(query, path);
    expect([status, body.code], query).toEqual([400, 40004]);
  };

  test("refuses a token that is damaged, or of another list", async () => {
    const { next } = await get("page.max_size=1");
    const damaged = [...next].map((letter, i) => next.slice(0, i) + (letter === "A" ? "B" : "A") + next.slice(i + 1));
    for (const token of ["x", "apple", "2", "%00", `${next}A`, `${next}=`, next + next, next.slice(1), ...damaged])
      await badToken(`page.token=${token}`);
    await badToken(`page.token=${next.slice(0, -1)}`);
    for (const { path } of slugKinds.filter((kind) => kind !== notifier)) await badToken(`page.token=${next}`, path);
  });

  test.each([
    ["", "slugs=10"],
    ["", "names=Red"],
    ["slugs=10&slugs=2", ""],
    ["slugs=10&slugs=2", "slugs=10"],
    ["slugs=10&slugs=2", "slugs=10&slugs=2&names=Red"],
    ["slugs=10&slugs=2", "names=10&names=2"],
    ["names=Red", "slugs=Red"],
  ])('refuses a token of a list with "%s" with "%s"', async (filters, others) => {
    const { next } = await get(`page.max_size=1&${filters}`);
    expect(next).not.toBe("");
    await badToken(`page.max_size=1&page.token=${next}&${others}`);
  });

  test.each([
    ["", "slugs=&names=", "10"],
    ["slugs=10&slugs=2&names=", "slugs=2&slugs=10&slugs=2&slugs=", "2"],
    ["names=Red&names=Yellow", "names=Yellow&names=Red", "Banana"],
  ])('takes a token of a list with "%s" with "%s", which means the same', async (filters, same, second) => {
    const { next } = await get(`page.max_size=1&${filters}`);
    expect((await get(`page.max_size=1&page.token=${next}&${same}`)).slugs).toEqual([second]);
  });
});

test("names are found as they are, whatever they hold", async () => {
  const client = await start();
  for (const [i, name] of ["a,b", "100% & more", "Ünï 😀", "q'\"--", "tab\tend", "a\u0000b", " a "].entries()) {
    await create(client, notifier, `s${i}`, { name });
    expect((await list(client, `names=${encodeURIComponent(name)}`)).slugs).toEqual([`s${i}`]);
  }
});

test.each<[sentence: string, deleted: readonly string[], put: readonly string[]]>([
  ["all that was seen is deleted, and others come on both sides", ["b", "d"], ["a", "c", "e", "g", "z"]],
  ["the next two objects are deleted, and the last one seen is changed", ["f", "h"], ["d"]],
])("if between two pages %s, the rest is shown once, in order", async (_sentence, deleted, put) => {
  const client = await start();
  // Listed two at a time: "b" and "d" have been seen when the writes happen, and "f" comes next.
  const before = ["b", "d", "f", "h", "k"];
  for (const slug of before) await create(client, notifier, slug);
  const first = await list(client, "page.max_size=2");
  for (const slug of deleted) await client.delete(`/notifiers/${slug}`);
  for (const slug of put) await client.put(`/notifiers/${slug}`, { notifier: notifier.valid, create_if_missing: true });
  const seen = [...first.slugs, ...(await walk(client, notifier.path, [2], first.next))];
  const throughout = before.filter((slug) => !deleted.includes(slug));
  expect(seen.filter((slug) => throughout.includes(slug))).toEqual(throughout);
  expect(seen, "in order, and nothing twice").toEqual([...new Set(seen)].sort());
});

describe("the filters of peers", () => {
  const put = (client: Client, slug: string, more: object) => create(client, monitor, slug, more);

  test("compare names that a kind has, by equality or by a part in any case", async () => {
    const client = await start();
    await put(client, "a", { name: "Checkout errors", bucket_slug: "one", collection: { slug: "shop" } });
    await put(client, "b", { name: "checkout latency", bucket_slug: "two", collection_slug: "shop" });
    await put(client, "c", { name: "Login", bucket_slug: "two", notification_policy_slug: "night" });
    const get = async (query: string) => (await list(client, query, monitor.path)).slugs;
    expect(await get("name_contains=checkout")).toEqual(["a", "b"]);
    expect(await get("name_contains=ERR&name_contains=log")).toEqual(["a", "c"]);
    expect(await get("name_contains=%25")).toEqual([]);
    expect(await get("bucket_slugs=two")).toEqual(["b", "c"]);
    expect(await get("bucket_slugs=two&bucket_slugs=one")).toEqual(["a", "b", "c"]);
    expect(await get("collection_slugs=shop")).toEqual(["a", "b"]);
    expect(await get("notification_policy_slugs=night&bucket_slugs=one")).toEqual([]);
    expect(await get("bucket_slugs=two&name_contains=check&slugs=b")).toEqual(["b"]);
    const first = await list(client, "bucket_slugs=two&page.max_size=1", monitor.path);
    expect(first.slugs).toEqual(["b"]);
    expect(await get(`bucket_slugs=two&page.token=${first.next}`)).toEqual(["c"]);
    expect((await list(client, `bucket_slugs=one&page.token=${first.next}`, monitor.path)).body.code).toBe(40004);

    for (const [slug, metric_name] of Object.entries({ x: "http_ratio", y: "db_ratio" }))
      await create(client, derivedMetric, slug, { metric_name });
    expect((await list(client, "metric_names=db_ratio", derivedMetric.path)).slugs).toEqual(["y"]);
    expect((await list(client, "metric_name_contains=RATIO", derivedMetric.path)).slugs).toEqual(["x", "y"]);
  });

  test("are not known to a service of the described operations", async () => {
    const client = await start({ operations: "described" });
    await create(client, notifier, "a");
    expect((await list(client, "name_contains=z")).slugs).toEqual(["a"]);
    const served = (await (await fetch(`${client.service.url}/openapi.json`)).json()) as Document;
    const parameters = served.paths["/api/v1/config/notifiers"]?.get?.parameters ?? [];
    expect(parameters.map(({ name }) => name)).toEqual(["page.max_size", "page.token", "slugs", "names"]);
  });
});

test("a query parameter that nobody knows is refused by a strict service, by name", async () => {
  const client = await start({ strict: true });
  await create(client, monitor, "m");
  const known =
    "page.max_size, page.token, slugs, bucket_slugs, collection_slugs, notification_policy_slugs, names, name_contains";
  const { status, body } = await list(client, "slug=m&slugs=m&slug=n&names%5B%5D=m", monitor.path);
  expect([status, body.code]).toEqual([400, 400008]);
  expect(body.errors).toEqual(
    ["slug", "names[]"].map((path) => ({ path, message: `unknown query parameter; known parameters: ${known}` })),
  );
  expect((await list(client, "slugs=m&name_contains=A&page.max_size=5", monitor.path)).slugs).toEqual(["m"]);
  expect((await client.get("/monitors/m?x=1")).body.errors).toEqual([
    { path: "x", message: "unknown query parameter; this operation has none" },
  ]);
  expect((await client.put("/monitors/m?dry_run=true", { monitor: monitor.valid })).status).toBe(400);
  expect((await (await start()).get("/monitors?x=1")).status).toBe(200);
});

test("a page has at most 1 MiB of objects", async () => {
  const client = await start();
  const big = (bytes: number) => ({ email: { to: "a@example.com", text: "x".repeat(bytes) } });
  for (const slug of ["a", "b", "c", "d", "e", "f"]) await create(client, notifier, slug, big(240_000));
  await create(client, notifier, "g");
  const pages: string[][] = [];
  for (let next: string | undefined = undefined; next !== "";) {
    const page: { slugs: string[]; next: string } = await list(client, next === undefined ? "" : `page.token=${next}`);
    pages.push(page.slugs);
    next = page.next;
  }
  expect(pages).toEqual([
    ["a", "b", "c", "d"],
    ["e", "f", "g"],
  ]);
});
