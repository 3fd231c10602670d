import { beforeAll, describe, expect, test } from "vitest";
import { ownService } from "../../support/service.js";
import { codes, type ListedKind, listedKinds, lists } from "./interface.js";
import { list, placeAll, walk } from "./requests.js";

/** What stands at the service, of every kind, in the order in which it is listed. */
const shelf: readonly (readonly [slug: string, name: string])[] = [
  ["-dash", "Blue, dark"],
  ["10", "Red"],
  ["2", "Blue"],
  ["Banana", "Yellow"],
  ["_low", "Red"],
  ["apple", "Yellow"],
  ["banana", " dark"],
  ...Array.from({ length: 100 }, (_, i) => [`z-${String(i).padStart(3, "0")}`, "Filler"] as const),
];
const slugs = shelf.map(([slug]) => slug);
const hundred = slugs.slice(0, 100);

const service = await ownService();

const fill = (kind: ListedKind) =>
  placeAll(
    service,
    kind,
    shelf.toReversed().map(([slug, name]) => [slug, { name }]),
  );
beforeAll(async () => {
  for (const kind of listedKinds) await fill(kind);
});

describe.each(lists)("the list of %s (%s)", (_name, _profile, kind) => {
  const ask = (query: string) => list(service, kind, query);

  describe("filters:", () => {
    test.each<[sentence: string, query: string, found: readonly string[]]>([
      ["none finds everything", "", hundred],
      ["one slug finds its object", "slugs=apple", ["apple"]],
      ["several slugs find theirs, in the list's order", "slugs=apple&slugs=2&slugs=10", ["10", "2", "apple"]],
      ["a slug twice finds its object once", "slugs=apple&slugs=apple", ["apple"]],
      ["an unknown slug finds nothing", "slugs=nowhere", []],
      ["an unknown slug takes nothing from a known one", "slugs=nowhere&slugs=apple", ["apple"]],
      ["a slug is told from one in another case", "slugs=banana", ["banana"]],
      ["the beginning of a slug finds nothing", "slugs=appl", []],
      ["an empty slug is ignored", "slugs=", hundred],
      ["an empty slug beside another is ignored", "slugs=&slugs=apple", ["apple"]],
      ["a comma belongs to the slug", "slugs=10,2", []],
      ["a comma belongs to the slug, encoded too", "slugs=10%2C2", []],
      ["one name finds all that have it", "names=Red", ["10", "_low"]],
      ["several names find theirs", "names=Red&names=Yellow", ["10", "Banana", "_low", "apple"]],
      ["a name twice finds its objects once", "names=Red&names=Red", ["10", "_low"]],
      ["an unknown name finds nothing", "names=Nowhere", []],
      ["a name is told from one in another case", "names=red", []],
      ["an empty name is ignored", "names=", hundred],
      ["a comma belongs to the name", "names=Blue,%20dark", ["-dash"]],
      ["a comma does not part names", "names=Blue,Red", []],
      ["slug and name find what has both", "slugs=10&slugs=2&names=Red", ["10"]],
      ["slug and name that nothing has both find nothing", "slugs=2&names=Red", []],
      [
        "slugs and names, several of each, find what has one of each",
        "slugs=10&slugs=2&slugs=apple&names=Red&names=Blue",
        ["10", "2"],
      ],
      ["an empty name beside a slug is ignored", "slugs=10&names=", ["10"]],
    ])("%s", async (_sentence, query, found) => {
      const { status, slugs } = await ask(query);
      expect([status, slugs]).toEqual([200, found]);
    });
  });

  describe("page.max_size", () => {
    test.each<[size: string, query: string, count: number]>([
      ["absent", "", 100],
      ["empty", "page.max_size=", 100],
      ["0", "page.max_size=0", 100],
      ["1", "page.max_size=1", 1],
      ["106, one less than there are,", "page.max_size=106", 106],
      ["107, as many as there are,", "page.max_size=107", 107],
      ["1000", "page.max_size=1000", 107],
    ])("%s gives the first of the list, and a token where more follow", async (_size, query, count) => {
      const page = await ask(query);
      expect([page.status, page.slugs]).toEqual([200, slugs.slice(0, count)]);
      expect(page.body).toHaveProperty("page");
      expect(page.next === "").toBe(count === slugs.length);
    });

    test.each(["-1", "ten", "1.5", "1e3", "0x10", "1001", "9223372036854775807"])("%s is refused", async (size) => {
      const { status, body } = await ask(`page.max_size=${size}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: codes.invalid, errors: [{ path: "page.max_size" }] });
    });
  });

  describe("page.token", () => {
    test("empty means the first page", async () => {
      expect(await ask("page.max_size=3&page.token=")).toEqual(await ask("page.max_size=3"));
    });

    test("the same twice gives the same page", async () => {
      const { next } = await ask("page.max_size=3");
      const again = () => ask(`page.max_size=3&page.token=${next}`);
      expect(await again()).toEqual(await again());
    });

    test.each<[sentence: string, sizes: readonly number[]]>([
      ["of the default size", [0]],
      ["of one size that parts the list evenly", [107]],
      ["of one size that leaves a rest", [10]],
      ["of sizes that grow", [1, 2, 50, 1000]],
      ["of sizes that shrink", [60, 40, 5, 1]],
    ])("leads through pages %s to everything once, in order", async (_sentence, sizes) => {
      expect(await walk(service, kind, sizes)).toEqual(slugs);
    });

    test.each<[sentence: string, damaged: (token: string) => string]>([
      ["is not one", () => "x"],
      ["is a slug", () => "apple"],
      ["is a number", () => "2"],
      ["holds a zero byte", () => "%00"],
      ["has another first letter", (token) => (token.startsWith("A") ? "B" : "A") + token.slice(1)],
      ["has another last letter", (token) => token.slice(0, -1) + (token.endsWith("A") ? "B" : "A")],
      ["has a letter less", (token) => token.slice(0, -1)],
      ["has a letter more", (token) => `${token}A`],
      ["stands there twice over", (token) => token + token],
    ])("that %s is refused", async (_sentence, damaged) => {
      const { next } = await ask("page.max_size=3");
      const { status, body } = await ask(`page.max_size=3&page.token=${damaged(next)}`);
      expect([status, body.code]).toEqual([400, codes.badPageToken]);
    });

    test.each(lists.filter(([name]) => name !== kind.name))(
      "of the list of %s is refused",
      async (_name, _profile, other) => {
        const { next } = await list(service, other, "page.max_size=3");
        expect(next).not.toBe("");
        const { status, body } = await ask(`page.max_size=3&page.token=${next}`);
        expect([status, body.code]).toEqual([400, codes.badPageToken]);
      },
    );

    test.each<[filters: string, others: string]>([
      ["", "slugs=10"],
      ["", "names=Red"],
      ["slugs=10&slugs=2", ""],
      ["slugs=10&slugs=2", "slugs=10"],
      ["slugs=10&slugs=2", "slugs=10&slugs=2&slugs=apple"],
      ["slugs=10&slugs=2", "slugs=10&slugs=2&names=Red"],
      ["slugs=10&slugs=2", "slugs=10,2"],
      ["slugs=10&slugs=2", "names=10&names=2"],
      ["names=Red", "names=Yellow"],
      ["names=Red", "slugs=Red"],
    ])('of a list with "%s" is refused with "%s"', async (filters, others) => {
      const { next } = await ask(`page.max_size=1&${filters}`);
      expect(next).not.toBe("");
      const { status, body } = await ask(`page.max_size=1&page.token=${next}&${others}`);
      expect([status, body.code]).toEqual([400, codes.badPageToken]);
    });

    test.each<[filters: string, same: string, second: string]>([
      ["", "slugs=&names=", "10"],
      ["slugs=10&slugs=2", "slugs=2&slugs=10", "2"],
      ["slugs=10&slugs=2", "slugs=10&slugs=2&slugs=10&slugs=", "2"],
      ["names=Red&names=Yellow", "names=Yellow&names=Red", "Banana"],
    ])('of a list with "%s" is taken with "%s", which means the same', async (filters, same, second) => {
      const { next } = await ask(`page.max_size=1&${filters}`);
      const { status, slugs } = await ask(`page.max_size=1&page.token=${next}&${same}`);
      expect([status, slugs]).toEqual([200, [second]]);
    });
  });
});
