import { describe, expect, test } from "vitest";
import {
  type Client,
  create,
  dataset,
  logAllocationConfig,
  monitor,
  notifier,
  problemsOf,
  slugKinds,
  start,
} from "./service.js";

// That each kind is created, read, replaced and deleted: test/provider/verbs.test.ts. Listed: test/provider/lists.test.ts.
describe("the slug", () => {
  test("is that of the path where the body has none, and no other", async () => {
    const client = await start();
    const put = (slug: string, changes = {}) =>
      client.put(`/monitors/${encodeURIComponent(slug)}`, {
        monitor: { ...monitor.valid, ...changes },
        create_if_missing: true,
      });
    expect((await put("one", { slug: "" })).body.monitor.slug).toBe("one");
    expect((await put("one", { slug: "one" })).status).toBe(200);
    expect(problemsOf(await put("one", { slug: "two" }))).toEqual([
      `slug: "two" differs from "one" in the path; a slug can't change`,
    ]);
    expect((await put("A".repeat(255))).status).toBe(200);
    for (const slug of ["A".repeat(256), "a b", "a.b", "ä"])
      expect(problemsOf(await put(slug))[0]).toMatch(
        /^slug: expected 1 to 255 letters, digits, "_" and "-", got ".*"$/,
      );
  });

  test("is of one case and one kind", async () => {
    const client = await start();
    for (const [sample, slug] of [
      [dataset, "one"],
      [dataset, "One"],
      [notifier, "one"],
    ] as const)
      expect((await create(client, sample, slug)).status).toBe(200);
    expect((await client.get(`${dataset.path}/ONE`)).status).toBe(404);
  });

  test("is made from the name by a POST without one", async () => {
    const client = await start();
    const post = (name: string) => client.post("/notifiers", { notifier: { ...notifier.valid, name } });
    const slugs = [];
    for (const name of ["Pager: EU (night)", "pager eu night", "Pager-EU-Night!", "42_x"])
      slugs.push((await post(name)).body.notifier.slug);
    expect(slugs).toEqual(["pager-eu-night", "pager-eu-night-1", "pager-eu-night-2", "42_x"]);
    const long = await Promise.all([1, 2].map(() => post("x".repeat(400))));
    expect(long.map(({ body }) => body.notifier.slug.length)).toEqual([255, 255]);
  });

  test("is given to exactly one of many who ask for it at once", async () => {
    const client = await start();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(client, dataset, "d")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...new Array(19).fill(409)]);
  });

  test("that is taken is refused by POST, in a dry run too, and nothing changes", async () => {
    const client = await start();
    const { body } = await create(client, notifier, "one");
    for (const dry_run of [true, false]) {
      const again = await client.post("/notifiers", {
        notifier: { ...notifier.valid, slug: "one", name: "B" },
        dry_run,
      });
      expect([again.status, again.body]).toEqual([
        409,
        { code: 40901, message: 'the slug "one" is taken by another notifier' },
      ]);
    }
    expect((await client.get("/notifiers/one")).body).toEqual(body);
  });
});

test("a name has at most 1,000 characters", async () => {
  const client = await start();
  expect((await create(client, notifier, "a", { name: "😀".repeat(1_000) })).status).toBe(200);
  expect(problemsOf(await create(client, notifier, "b", { name: "x".repeat(1_001) }))).toEqual([
    "name: expected 1 to 1000 characters that are not all blank",
  ]);
});

test("a PUT creates only where create_if_missing says so", async () => {
  const client = await start();
  for (const create_if_missing of [undefined, null, false]) {
    const answer = await client.put("/monitors/one", { monitor: monitor.valid, create_if_missing });
    expect([answer.status, answer.body.code]).toEqual([404, 40401]);
  }
  for (let i = 0; i < 2; i++) expect((await create(client, monitor, "one")).status).toBe(200);
});

test.each<[method: string, write: (client: Client, fields: object, flags?: object) => ReturnType<Client["put"]>]>([
  ["PUT", (client, fields, flags) => client.put("/notifiers/one", { notifier: fields, dry_run: true, ...flags })],
  ["POST", (client, fields) => client.post("/notifiers", { notifier: { ...fields, slug: "one" }, dry_run: true })],
])("a dry run of a %s is checked, and changes nothing", async (method, write) => {
  const client = await start();
  const flags = { create_if_missing: true };
  if (method === "PUT") expect((await write(client, notifier.valid)).status).toBe(404);
  expect((await write(client, { ...notifier.valid, name: "" }, flags)).status).toBe(400);
  const fine = await write(client, notifier.valid, flags);
  expect([fine.status, fine.body]).toEqual([200, {}]);
  expect((await client.get("/notifiers")).body.notifiers).toEqual([]);
  const { body } = await create(client, notifier, "one");
  if (method === "PUT") expect((await write(client, { ...notifier.valid, name: "Other" })).body).toEqual({});
  expect((await client.get("/notifiers/one")).body).toEqual(body);
});

test("every kind is created by POST too, unless only the described operations are served", async () => {
  const [all, described] = [await start(), await start({ operations: "described" })];
  for (const { path, key, valid, createdBy } of slugKinds) {
    const { status, body } = await all.post(path, { [key]: valid });
    expect([status, body[key]?.name]).toEqual([200, valid.name]);
    if (createdBy === "PUT") expect([404, 405]).toContain((await described.post(path, { [key]: valid })).status);
  }
});

test("updated_at moves with a PUT that changes nothing", async () => {
  const client = await start();
  const times = [];
  for (let i = 0; i < 6; i++) times.push((await create(client, monitor, "m")).body.monitor.updated_at);
  expect(new Set(times).size).toBe(6);
  expect([...times].sort()).toEqual(times);
});

test("the log allocation config exists once", async () => {
  const client = await start();
  const { path, key, valid } = logAllocationConfig;
  expect((await client.get(path)).body).toEqual({ code: 40401, message: "there is no log allocation config" });
  for (const dry_run of [false, true]) expect((await client.put(path, { [key]: valid, dry_run })).status).toBe(404);
  expect((await client.put(path, { [key]: valid, dry_run: true, create_if_missing: true })).body).toEqual({});
  expect((await client.post(path, { [key]: valid, dry_run: true })).body).toEqual({});
  const made = await client.post(path, { [key]: valid });
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

test("the body is checked before existence, existence before references, references before conflicts", async () => {
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
