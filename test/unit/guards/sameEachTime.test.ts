import fc from "fast-check";
import { expect, it } from "vitest";
import { seed } from "../../support/figures.js";
import { placeOf, sourcesIn } from "./repository.js";

const draws = /\bMath\.random|\brandom(?:Bytes|Int|UUID)|\bgetRandom(?=Values)/g;

it("one seed decides all that tests draw, and no test draws by itself", () => {
  expect(fc.readConfigureGlobal()).toMatchObject({ seed });
  const drawing = sourcesIn("test").flatMap((source) =>
    [...source.text.matchAll(draws)].map(({ index }) => placeOf(source, index)),
  );
  expect(drawing).toEqual([]);
});
