import { beforeAll, describe, expect, test } from "vitest";
import { ownService } from "../../support/service.js";
import { lists } from "./interface.js";
import { list, placeAll, walk } from "./requests.js";

const service = await ownService();
const slugs = Array.from({ length: 1_001 }, (_, i) => `object-${String(i).padStart(4, "0")}`);

// One kind stands for all: the limit is the service's, and a thousand objects take their time.
describe.each(lists.slice(0, 1))("1,001 objects of %s", (_name, _profile, kind) => {
  beforeAll(() =>
    placeAll(
      service,
      kind,
      slugs.map((slug) => [slug, {}]),
    ),
  );

  test.each<[size: string, count: number]>([
    ["", 100],
    ["0", 100],
    ["1", 1],
    ["999", 999],
    ["1000", 1_000],
  ])('page.max_size "%s" gives %i of them and a token', async (size, count) => {
    const page = await list(service, kind, `page.max_size=${size}`);
    expect([page.status, page.slugs]).toEqual([200, slugs.slice(0, count)]);
    expect(page.next).not.toBe("");
  });

  test.each([[[0]], [[1000]], [[1, 0, 1000]]])("pages of %j lead through all", async (sizes) => {
    expect(await walk(service, kind, sizes)).toEqual(slugs);
  });
});
