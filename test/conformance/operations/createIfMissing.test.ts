import { beforeAll, describe, expect, test } from "vitest";
import { ask, ownService } from "../../support/service.js";
import { codes, type Json, kindNamed, otherFields, rows } from "./interface.js";
import { asAnswered, everything, objectOf, pathOf, place, placeExampleDataset, remove, standing } from "./requests.js";

const service = await ownService();
beforeAll(() => placeExampleDataset(service));

const slug = "its-object";

describe.each(rows(({ method }) => method === "PUT"))("%s (%s)", (_name, _profile, operation) => {
  const kind = kindNamed(operation.kind);
  const object = objectOf(kind, slug);

  test.each<[flags: Json, before: "an object" | "no object", outcome: "written" | "valid" | "refused"]>([
    [{ create_if_missing: true, dry_run: false }, "an object", "written"],
    [{ create_if_missing: true, dry_run: false }, "no object", "written"],
    [{ create_if_missing: false, dry_run: false }, "an object", "written"],
    [{ create_if_missing: false, dry_run: false }, "no object", "refused"],
    [{ create_if_missing: true, dry_run: true }, "an object", "valid"],
    [{ create_if_missing: true, dry_run: true }, "no object", "valid"],
    [{ create_if_missing: false, dry_run: true }, "an object", "valid"],
    [{ create_if_missing: false, dry_run: true }, "no object", "refused"],
    // An absent flag is false.
    [{}, "an object", "written"],
    [{}, "no object", "refused"],
    [{ dry_run: true }, "no object", "refused"],
    [{ create_if_missing: true }, "no object", "written"],
  ])("with %j where there is %s: %s", async (flags, before, outcome) => {
    await (before === "an object" ? place(service, kind, slug, otherFields(kind)) : remove(service, kind, slug));
    const untouched = await everything(service, kind);

    const { status, body } = await ask(service, "PUT", pathOf(operation, slug), { ...flags, [kind.one]: object });

    if (outcome === "written") {
      expect([status, body]).toEqual([200, { [kind.one]: asAnswered(kind, object) }]);
      expect(await standing(service, kind, slug)).toEqual(asAnswered(kind, object));
      return;
    }
    if (outcome === "valid") expect([status, body]).toEqual([200, {}]);
    else expect([status, body]).toEqual([404, { code: codes.noSuchObject, message: expect.any(String) }]);
    expect(await everything(service, kind)).toEqual(untouched);
  });
});
