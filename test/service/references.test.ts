import { expect, test } from "vitest";
import { create, dataset, logAllocationConfig, start } from "./service.js";

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
  for (const slug of ["a", "b", "dry"]) await create(client, dataset, slug);
  await client.post(path, { ...config("dry"), dry_run: true });
  expect((await client.delete("/datasets/dry")).status).toBe(200);
  await client.post(path, config("a", "b"));
  const refused = await client.delete("/datasets/a");
  expect([refused.status, refused.body]).toEqual([
    400,
    { code: 40003, message: 'the dataset "a" is in use by the log allocation config; remove it there first' },
  ]);
  expect((await client.put("/datasets/a", { dataset: dataset.valid })).status).toBe(200);

  await client.put(path, config("b"));
  expect((await client.delete("/datasets/a")).status).toBe(200);
  expect((await client.delete("/datasets/b")).status).toBe(400);
  await client.delete(path);
  expect((await client.delete("/datasets/b")).status).toBe(200);
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
