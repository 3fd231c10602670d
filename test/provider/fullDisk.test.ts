import { basename } from "node:path";
import { expect, test } from "vitest";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { argsWith, caseOf, changed } from "../support/cases.js";
import { ownFolder } from "../support/folders.js";
import { startHost } from "../support/host.js";
import { live, ownService, token } from "../support/service.js";

const monitor = caseOf("Monitor");
/** The slug decides how long a claim is: of this one, its first claim fits into a block, and the second one does not. */
const long = "a-long-slug-123";

test("what was written is recorded though the disk is full then; nothing is written if it was full before", async () => {
  const service = await ownService();
  const config = { baseUrl: service.url, apiToken: token };
  const operation = basename(ownFolder());
  const host = await startHost(config, operation, {}, 1);
  const create = (slug: string) => host.create("Monitor", argsWith(monitor, slug));
  const { outputs } = await create(long);
  expect(outputs).toMatchObject({ slug: long, createdAt: (await live(service, "Monitor", long))?.created_at });
  // What was cut off of a claim is in nobody's way.
  await create("a");
  const claims = Claims.of(operation).all();
  expect(claims.map(({ objectKey, step }) => `${objectKey} ${step}`)).toEqual([
    `Monitor/${long} begun`,
    "Monitor/a begun",
  ]);
  await expect(create("b")).rejects.toThrow(/can't be written \((EFBIG|ENOSPC)\)\. Set TMPDIR/);
  expect(await live(service, "Monitor", "b")).toBeUndefined();

  const next = await startHost(config, undefined, {}, 1);
  const { inputs } = await next.check(
    "Monitor",
    argsWith(monitor, long),
    changed(argsWith(monitor, long), monitor.changes.name ?? {}),
  );
  expect(await next.update("Monitor", long, outputs, inputs)).toMatchObject(monitor.changes.name ?? {});
  await next.delete("Monitor", "a", argsWith(monitor, "a"));
  expect(await live(service, "Monitor", "a")).toBeUndefined();
});
