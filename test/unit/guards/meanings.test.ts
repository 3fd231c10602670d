import { expect, test } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { meanings } from "../../../dist/provider/schema/meaning.js";
import { formatPath, meantScalars } from "../../../dist/provider/schema/walk.js";

const all = kinds.flatMap(({ name, root }) =>
  meantScalars(root).map(({ path, meaning }) => [`${name}: ${formatPath(path)}`, meaning] as const),
);

test("every field of every kind says what it decides for those who rely on being told", () => {
  const open = all.filter(([, meaning]) => meaning === undefined).map(([field]) => field);
  expect(open, `say it in the schema, as "meaning": ${Object.keys(meanings).join(", ")}`).toEqual([]);
});

test("every meaning is one of some field", () => {
  const used = new Set(all.map(([, meaning]) => meaning));
  expect(Object.keys(meanings).filter((each) => ![...used].some((meaning) => meaning === each))).toEqual([]);
});
