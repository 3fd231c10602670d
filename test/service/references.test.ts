import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { objectColumns, objectDigest, type StoredObject } from "../../service/dist/store/rows.js";
import { create, dataset, folder, logAllocationConfig, start } from "./service.js";

const { path, key } = logAllocationConfig;
const config = (...slugs: readonly string[]) => ({
  [key]: { dataset_allocations: slugs.map((dataset_slug) => ({ dataset_slug })) },
});

test("a log allocation names every dataset that does not exist, by path, in a dry run too", async () => {
  const client = await start();
  await create(client, dataset, "logs");
  for (const dry_run of [true, false]) {
    const { status, body } = await client.post(path, { ...config("none", "logs", "nor this"), dry_run });
    expect(status).toBe(400);
    expect(body.code).toBe(40002);
    expect(body.errors).toEqual([
      { path: "dataset_allocations[0].dataset_slug", message: 'there is no dataset "none"' },
      { path: "dataset_allocations[2].dataset_slug", message: 'there is no dataset "nor this"' },
    ]);
  }
  expect((await client.get(path)).status).toBe(404);
});

test("a dataset in use cannot be deleted until it is taken out", async () => {
  const client = await start();
  for (const slug of ["a", "b"]) await create(client, dataset, slug);
  await client.post(path, config("a", "b"));
  const refused = await client.delete("/datasets/a");
  expect([refused.status, refused.body]).toEqual([
    400,
    { code: 40003, message: 'the dataset "a" is in use by the log allocation config; take it out there first' },
  ]);
  expect((await client.put("/datasets/a", { dataset: dataset.valid })).status).toBe(200);

  await client.put(path, config("b"));
  expect((await client.delete("/datasets/a")).status).toBe(200);
  expect((await client.delete("/datasets/b")).status).toBe(400);
  await client.delete(path);
  expect((await client.delete("/datasets/b")).status).toBe(200);
});

test("a dry run takes nothing into use", async () => {
  const client = await start();
  await create(client, dataset, "a");
  await client.post(path, { ...config("a"), dry_run: true });
  expect((await client.delete("/datasets/a")).status).toBe(200);
});

test("a dataset and its allocation never part, however writes race", async () => {
  const client = await start();
  for (let round = 0; round < 10; round++) {
    await create(client, dataset, "a");
    const [made, gone] = await Promise.all([client.post(path, config("a")), client.delete("/datasets/a")]);
    expect([made.status, gone.status].sort()).toEqual([200, 400]);
    await client.delete(path);
  }
});

test("an allocation may name more datasets than a statement of SQL takes values, by dry run and write alike", async () => {
  const database = join(folder(), "service.db");
  const token = "a-token-of-the-tests";
  const made = await start({ database, token });
  await create(made, dataset, "first");
  await made.service.close();
  const slugs = Array.from({ length: 8_192 }, (_, i) => `d${i}`);
  const db = new Database(database);
  // Each by a request would take a minute.
  const first = db.prepare("select * from objects").get([]) as StoredObject;
  const insert = db.prepare("insert into objects values (?, ?, ?, ?, ?, ?, ?)");
  db.transaction(() => {
    for (const slug of slugs) {
      const object = { ...first, slug };
      insert.run([...objectColumns.map((column) => object[column]), objectDigest(object)]);
    }
  })();
  db.close();

  const client = await start({ database, token });
  for (const dry_run of [true, false]) {
    expect((await client.post(path, { ...config(...slugs), dry_run })).status).toBe(200);
  }
  expect((await client.get(path)).body[key].dataset_allocations).toHaveLength(8_192);
  expect((await client.put(path, config(...slugs))).status).toBe(200);
  expect((await client.delete("/datasets/d8191")).status).toBe(400);

  const unknown = config(...Array.from({ length: 40_000 }, (_, i) => `u${i}`));
  for (const dry_run of [true, false]) {
    const answer = await client.put(path, { ...unknown, dry_run });
    expect([answer.status, answer.body.code]).toEqual([400, 40002]);
    expect(answer.body.message).toContain("; and 39995 more");
  }
});
