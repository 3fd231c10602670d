import { describe, expect, test } from "vitest";
import { masked } from "../witness/witnesses.js";
import {
  create,
  dataset,
  type KindSample,
  logAllocationConfig,
  monitor,
  notifier,
  problemsOf,
  slugKinds,
  start,
} from "./service.js";

const posted = slugKinds.filter(({ createdBy }) => createdBy === "POST");

describe.each(slugKinds)("every $kind", (sample) => {
  const { path, key, valid } = sample;

  test("is created, read, listed, replaced and deleted", async () => {
    const client = await start();
    const made = await create(client, sample, "one");
    expect(made.status).toBe(200);
    expect(made.body[key]).toMatchObject({ ...(masked(sample.kind, valid) as object), slug: "one" });
    expect((await client.get(`${path}/one`)).body).toEqual(made.body);
    const list = await client.get(path);
    expect(Object.values(list.body)).toEqual([[made.body[key]], { next_token: "" }]);

    const replaced = await client.put(`${path}/one`, { [key]: { ...valid, name: "Renamed" } });
    expect(replaced.status).toBe(200);
    expect(replaced.body[key].name).toBe("Renamed");
    expect(replaced.body[key].slug).toBe("one");
    expect(replaced.body[key].created_at).toBe(made.body[key].created_at);
    expect(replaced.body[key].updated_at > made.body[key].updated_at).toBe(true);

    const gone = await client.delete(`${path}/one`);
    expect([gone.status, gone.body]).toEqual([200, {}]);
    expect((await client.get(`${path}/one`)).body.code).toBe(40401);
    expect((await client.delete(`${path}/one`)).body.code).toBe(40401);
  });

  test("needs a name of at most 1,000 characters and a proper slug", async () => {
    const client = await start();
    const put = (slug: string, changes: object) =>
      client.put(`${path}/${encodeURIComponent(slug)}`, { [key]: { ...valid, ...changes }, create_if_missing: true });
    expect(problemsOf(await put("a", { name: "" }))).toEqual(["name: is required"]);
    expect((await put("a", { name: "😀".repeat(1_000) })).status).toBe(200);
    expect(problemsOf(await put("b", { name: "x".repeat(1_001) }))).toEqual([
      "name: expected 1 to 1000 characters that are not all blank",
    ]);
    expect((await put("A".repeat(255), {})).status).toBe(200);
    for (const slug of ["A".repeat(256), "a b", "a.b", "ä"]) {
      expect(problemsOf(await put(slug, {}))[0]).toMatch(
        /^slug: expected 1 to 255 letters, digits, "_" and "-", got ".*"$/,
      );
    }
  });

  test("takes the slug of the path where the body has none, and refuses another", async () => {
    const client = await start();
    await create(client, sample, "one");
    expect((await client.put(`${path}/one`, { [key]: { ...valid, slug: "" } })).body[key].slug).toBe("one");
    expect((await client.put(`${path}/one`, { [key]: { ...valid, slug: "one" } })).status).toBe(200);
    const other = await client.put(`${path}/one`, { [key]: { ...valid, slug: "two" } });
    expect(problemsOf(other)).toEqual(['slug: "two" differs from "one" of the path; a slug cannot change']);
  });

  test("is created by PUT only where create_if_missing says so", async () => {
    const client = await start();
    const body = { [key]: valid };
    for (const create_if_missing of [undefined, null, false]) {
      const answer = await client.put(`${path}/one`, { ...body, create_if_missing });
      expect([answer.status, answer.body.code]).toEqual([404, 40401]);
    }
    expect((await client.put(`${path}/one`, { ...body, create_if_missing: true })).status).toBe(200);
    expect((await client.put(`${path}/one`, { ...body, create_if_missing: true })).status).toBe(200);
  });

  test("tells upper from lower case in slugs", async () => {
    const client = await start();
    await create(client, sample, "one");
    expect((await create(client, sample, "One")).status).toBe(200);
    expect((await client.get(`${path}/ONE`)).status).toBe(404);
  });

  test("is checked and left alone by a dry run", async () => {
    const client = await start();
    const put = (changes: object, flags: object) =>
      client.put(`${path}/one`, { [key]: { ...valid, ...changes }, dry_run: true, ...flags });
    expect((await put({}, {})).status).toBe(404);
    expect((await put({ name: "" }, { create_if_missing: true })).status).toBe(400);
    const fine = await put({}, { create_if_missing: true });
    expect([fine.status, fine.body]).toEqual([200, {}]);
    expect((await client.get(`${path}/one`)).status).toBe(404);
    const { body } = await create(client, sample, "one");
    for (const flags of [{}, { create_if_missing: true }])
      expect((await put({ name: "Other" }, flags)).body).toEqual({});
    expect((await client.get(`${path}/one`)).body).toEqual(body);
  });
});

describe.each(posted)("a POST of a $kind", (sample: KindSample) => {
  const { path, key, valid } = sample;
  const post = (client: Awaited<ReturnType<typeof start>>, changes: object, flags = {}) =>
    client.post(path, { [key]: { ...valid, ...changes }, ...flags });

  test("makes the slug from the name", async () => {
    const client = await start();
    const slugs = [];
    for (const name of ["Pager: EU (night)", "pager eu night", "Pager-EU-Night!", "42_x"]) {
      slugs.push((await post(client, { name })).body[key].slug);
    }
    expect(slugs).toEqual(["pager-eu-night", "pager-eu-night-1", "pager-eu-night-2", "42_x"]);
    const long = await Promise.all([1, 2].map(() => post(client, { name: "x".repeat(400) })));
    expect(long.map(({ body }) => body[key].slug.length)).toEqual([255, 255]);
    expect(problemsOf(await post(client, { name: "日本" }))).toEqual([
      'slug: the name "日本" has no character that a slug may hold; give a slug',
    ]);
  });

  test("refuses a taken slug, in a dry run too, and changes nothing", async () => {
    const client = await start();
    const { body } = await post(client, { slug: "one" });
    for (const dry_run of [true, false]) {
      const again = await post(client, { slug: "one", name: "Other" }, { dry_run });
      expect(again.status).toBe(409);
      expect(again.body).toMatchObject({
        code: 40901,
        message: expect.stringMatching(/^the slug "one" is taken by another /),
      });
    }
    expect((await client.get(`${path}/one`)).body).toEqual(body);
  });

  test("is left alone by a dry run", async () => {
    const client = await start();
    expect((await post(client, { slug: "one" }, { dry_run: true })).body).toEqual({});
    expect((await post(client, { name: "" }, { dry_run: true })).status).toBe(400);
    expect((await client.get(path)).body[Object.keys((await client.get(path)).body)[0] ?? ""]).toEqual([]);
  });
});

test("every kind is created by POST too, unless only the described operations are served", async () => {
  const [all, described] = [await start(), await start({ operations: "described" })];
  for (const { path, key, valid } of slugKinds) {
    const { status, body } = await all.post(path, { [key]: valid });
    expect([status, body[key]?.name]).toEqual([200, valid.name]);
    expect((await all.post(path, { [key]: { ...valid, slug: body[key].slug } })).body.code).toBe(40901);
  }
  for (const { path, key, valid } of slugKinds.filter(({ createdBy }) => createdBy === "PUT"))
    expect([404, 405]).toContain((await described.post(path, { [key]: valid })).status);
});

test("PUT replaces the whole object", async () => {
  const client = await start();
  await create(client, monitor, "m", { labels: { a: "b" }, bucket_slug: "x" });
  await client.put("/monitors/m", { monitor: monitor.valid });
  const { body } = await client.get("/monitors/m");
  expect(Object.keys(body.monitor).sort()).toEqual(
    [...Object.keys(monitor.valid), "slug", "created_at", "updated_at"].sort(),
  );
});

test("updated_at moves with a PUT that changes nothing", async () => {
  const client = await start();
  const times = [(await create(client, monitor, "m")).body.monitor.updated_at];
  for (let i = 0; i < 5; i++)
    times.push((await client.put("/monitors/m", { monitor: monitor.valid })).body.monitor.updated_at);
  expect(new Set(times).size).toBe(6);
  expect([...times].sort()).toEqual(times);
});

test("of many who create one slug at once, exactly one succeeds", async () => {
  const client = await start();
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(client, dataset, "d")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...new Array(19).fill(409)]);
});

test("one slug may stand in several kinds", async () => {
  const client = await start();
  expect((await create(client, dataset, "x")).status).toBe(200);
  expect((await create(client, notifier, "x")).status).toBe(200);
});

describe("the log allocation config", () => {
  const { path, key, valid } = logAllocationConfig;

  test("exists once", async () => {
    const client = await start();
    expect((await client.get(path)).body).toEqual({ code: 40401, message: "there is no log allocation config" });
    for (const flags of [{}, { dry_run: true }])
      expect((await client.put(path, { [key]: valid, ...flags })).status).toBe(404);
    expect((await client.put(path, { [key]: valid, dry_run: true, create_if_missing: true })).body).toEqual({});
    expect((await client.post(path, { [key]: valid, dry_run: true })).body).toEqual({});
    const made = await client.post(path, { [key]: valid });
    expect((await client.get(path)).body).toEqual(made.body);
    expect(Object.keys(made.body[key])).toEqual(["default_dataset", "created_at", "updated_at"]);
    for (const dry_run of [true, false]) {
      const again = await client.post(path, { [key]: valid, dry_run });
      expect([again.status, again.body.code]).toEqual([409, 40902]);
    }
    expect((await client.put(path, { [key]: {}, dry_run: true })).body).toEqual({});
    expect((await client.get(path)).body).toEqual(made.body);
    expect((await client.put(path, { [key]: {} })).body[key].default_dataset).toBe(undefined);
    expect((await client.delete(path)).body).toEqual({});
    expect((await client.delete(path)).body.code).toBe(40401);
    expect((await client.put(path, { [key]: valid, create_if_missing: true })).status).toBe(200);
  });
});

describe("checks run in one order", () => {
  test("the body before existence, existence before references, references before conflicts", async () => {
    const client = await start();
    const { path, key } = logAllocationConfig;
    const dangling = { dataset_allocations: [{ dataset_slug: "none" }] };
    const code = async (answer: ReturnType<typeof client.put>) => (await answer).body.code;
    expect(await code(client.put("/monitors/none", { monitor: {} }))).toBe(400008);
    expect(await code(client.put(path, { [key]: dangling }))).toBe(40401);
    await client.post(path, { [key]: {} });
    expect(await code(client.put(path, { [key]: dangling }))).toBe(40002);
    expect(await code(client.post(path, { [key]: dangling }))).toBe(40002);
    expect(await code(client.post(path, { [key]: {} }))).toBe(40902);
  });
});
