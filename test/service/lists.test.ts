import { describe, expect, test } from "vitest";
import type { Document } from "../../service/src/document.js";
import { type Client, create, derivedMetric, type KindSample, monitor, notifier, slugKinds, start } from "./service.js";

const names = (count: number) => Array.from({ length: count }, (_, i) => `n${String(i).padStart(4, "0")}`);

async function fill(client: Client, slugs: readonly string[], sample: KindSample = notifier): Promise<void> {
  await Promise.all(slugs.map((slug) => create(client, sample, slug, { name: `Name of ${slug.slice(0, 2)}` })));
}

async function list(client: Client, query = "", path = "/notifiers") {
  const { status, body } = await client.get(`${path}?${query}`);
  const items = Object.values(body).find(Array.isArray) ?? [];
  return { status, body, slugs: items.map(({ slug }: { slug: string }) => slug), next: body.page?.next_token };
}

describe.each(slugKinds)("a list of $kind", (sample) => {
  test("filters by slugs and names, and pages", async () => {
    const client = await start();
    await fill(client, ["a1", "a2", "b1"], sample);
    const get = (query: string) => list(client, query, sample.path);
    expect((await get("")).slugs).toEqual(["a1", "a2", "b1"]);
    expect((await get("slugs=b1&slugs=a2")).slugs).toEqual(["a2", "b1"]);
    expect((await get("names=Name+of+b1")).slugs).toEqual(["b1"]);
    const first = await get("page.max_size=2");
    expect(first.slugs).toEqual(["a1", "a2"]);
    expect((await get(`page.max_size=2&page.token=${first.next}`)).slugs).toEqual(["b1"]);
  });
});

test("a list is in the binary order of the slugs", async () => {
  const client = await start();
  await fill(client, ["b", "a", "B", "_", "-", "1", "10", "2", "a-b", "a_b", "aB"]);
  expect((await list(client)).slugs).toEqual(["-", "1", "10", "2", "B", "_", "a", "a-b", "aB", "a_b", "b"]);
});

test("an empty list holds its key and a page without a token", async () => {
  const client = await start();
  expect((await list(client)).body).toEqual({ notifiers: [], page: { next_token: "" } });
});

describe("filters", () => {
  test("repeat; a comma is data, an empty value is ignored, duplicates are harmless, both together mean both", async () => {
    const client = await start();
    await fill(client, ["a1", "a2", "b1", "b2"]);
    const get = async (query: string) => (await list(client, query)).slugs;
    expect(await get("slugs=a1&slugs=a1&slugs=b1")).toEqual(["a1", "b1"]);
    expect(await get("slugs=a1,b1")).toEqual([]);
    expect(await get("slugs=")).toEqual(["a1", "a2", "b1", "b2"]);
    expect(await get("slugs=&slugs=b1&names=")).toEqual(["b1"]);
    expect(await get("slugs=a1&slugs=b1&names=Name%20of%20b1")).toEqual(["b1"]);
    expect(await get("slugs=none")).toEqual([]);
    expect(await get("slugs=A1")).toEqual([]);
    expect(await get("names=name+of+a1")).toEqual([]);
    expect(await get("slugs%5B%5D=a1")).toEqual(["a1", "a2", "b1", "b2"]);
  });

  test("find names as they are, whatever they hold", async () => {
    const client = await start();
    const odd = ["a,b", "100% & more", "Ünï 😀", "q'\"--", "tab\tend", "a\u0000b", " a "];
    for (const [i, name] of odd.entries()) await create(client, notifier, `s${i}`, { name });
    for (const [i, name] of odd.entries()) {
      expect((await list(client, `names=${encodeURIComponent(name)}`)).slugs).toEqual([`s${i}`]);
    }
  });

  test("take a thousand slugs at once", async () => {
    const client = await start();
    await fill(client, ["n0001", "n0999"]);
    const query = names(1_000)
      .map((slug) => `slugs=${slug}`)
      .join("&");
    expect((await list(client, query)).slugs).toEqual(["n0001", "n0999"]);
  });
});

describe("page.max_size", () => {
  test("is 100 if it is 0 or absent", async () => {
    const client = await start();
    await fill(client, names(1_002));
    const size = async (query: string) => (await list(client, query)).slugs.length;
    expect(await size("")).toBe(100);
    expect(await size("page.max_size=")).toBe(100);
    expect(await size("page.max_size=0")).toBe(100);
    expect(await size("page.max_size=1")).toBe(1);
    expect(await size("page.max_size=1000")).toBe(1_000);
  });

  test("is refused if it is negative, not an integer or over 1,000", async () => {
    const client = await start();
    for (const text of ["-1", "1.5", "ten", "1e3", "%20", "+1", "1001", "9223372036854775807"]) {
      const { status, body } = await list(client, `page.max_size=${text}`);
      expect(status).toBe(400);
      expect(body.code).toBe(400008);
      expect(body.errors[0].path).toBe("page.max_size");
    }
  });
});

describe("page tokens", () => {
  const walk = async (client: Client, sizes: readonly number[], query = "") => {
    const seen: string[] = [];
    let token = "";
    for (let i = 0; i === 0 || token !== ""; i++) {
      const page = await list(client, `page.max_size=${sizes[i % sizes.length]}&page.token=${token}&${query}`);
      seen.push(...page.slugs);
      token = page.next;
    }
    return seen;
  };

  test("lead through everything, whatever the size of each page", async () => {
    const client = await start();
    const slugs = names(57);
    await fill(client, slugs);
    expect(await walk(client, [10])).toEqual(slugs);
    expect(await walk(client, [1, 7, 1_000])).toEqual(slugs);
    expect(await walk(client, [57])).toEqual(slugs);
    expect(
      await walk(
        client,
        [2],
        slugs
          .slice(3, 9)
          .map((slug) => `slugs=${slug}`)
          .join("&"),
      ),
    ).toEqual(slugs.slice(3, 9));
  });

  test("neither skip nor repeat what stood throughout, whatever is written in between", async () => {
    const client = await start();
    const slugs = names(20);
    await fill(client, slugs);
    const first = await list(client, "page.max_size=10");
    await client.delete("/notifiers/n0009");
    await client.delete("/notifiers/n0015");
    await fill(client, ["a", "n0009x", "n0012x", "z"]);
    const rest = await list(client, `page.token=${first.next}`);
    const kept = slugs.filter((slug) => !["n0009", "n0015"].includes(slug));
    expect([...first.slugs, ...rest.slugs].filter((slug) => kept.includes(slug))).toEqual(kept);
  });

  test("belong to their filters and their kind, in any order of the filters", async () => {
    const client = await start();
    await fill(client, ["a", "b", "c"]);
    const { next } = await list(client, "page.max_size=1&slugs=a&slugs=b&names=");
    expect((await list(client, `page.token=${next}&slugs=b&slugs=a&slugs=b`)).slugs).toEqual(["b"]);
    for (const query of ["", "slugs=a", "slugs=a&slugs=b&names=x"]) {
      const { status, body } = await list(client, `page.token=${next}&${query}`);
      expect([status, body.code]).toEqual([400, 40004]);
    }
    const other = await list(client, `page.token=${next}&slugs=a&slugs=b`, "/derived-metrics");
    expect(other.body.code).toBe(40004);
  });

  test("are refused where they are damaged", async () => {
    const client = await start();
    await fill(client, ["a", "b", "c"]);
    const { next } = await list(client, "page.max_size=1");
    const damaged = [...next].map((letter, i) => next.slice(0, i) + (letter === "A" ? "B" : "A") + next.slice(i + 1));
    for (const token of ["x", "%00", `${next}A`, `${next}=`, next.slice(1), ...damaged]) {
      expect((await list(client, `page.token=${token}`)).body.code).toBe(40004);
    }
  });
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
    await fill(client, ["a"]);
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
    ["slug", "names[]"].map((path) => ({ path, message: `unknown query parameter; known are ${known}` })),
  );
  expect((await list(client, "slugs=m&name_contains=A&page.max_size=5", monitor.path)).slugs).toEqual(["m"]);
  expect((await client.get("/monitors/m?x=1")).body.errors).toEqual([
    { path: "x", message: "unknown query parameter; none is known here" },
  ]);
  expect((await client.put("/monitors/m?dry_run=true", { monitor: monitor.valid })).status).toBe(400);
  expect((await (await start()).get("/monitors?x=1")).status).toBe(200);
});

test("a page is bounded by bytes too, and holds at least one object", async () => {
  const client = await start();
  const big = (bytes: number) => ({ email: { to: "a@example.com", text: "x".repeat(bytes) } });
  for (const slug of ["a", "b", "c", "d"]) await create(client, notifier, slug, big(900_000));
  await create(client, notifier, "e");
  const pages: string[][] = [];
  for (let next: string | undefined = undefined; next !== "";) {
    const page: { slugs: string[]; next: string } = await list(client, next === undefined ? "" : `page.token=${next}`);
    pages.push(page.slugs);
    next = page.next;
  }
  expect(pages).toEqual([["a"], ["b"], ["c"], ["d", "e"]]);
});
