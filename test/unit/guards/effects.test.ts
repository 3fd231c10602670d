import { expect, test } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import { effects } from "../../../dist/provider/schema/effect.js";
import { formatPath, scalarsWithEffects } from "../../../dist/provider/schema/walk.js";

const all = kinds.flatMap(({ name, root }) =>
  scalarsWithEffects(root).map(({ path, effect }) => [`${name}: ${formatPath(path)}`, effect] as const),
);

test("every field of every kind says what it decides for those who rely on being told", () => {
  const open = all.filter(([, effect]) => effect === undefined).map(([field]) => field);
  expect(open, `say it in the schema, as "effect": ${Object.keys(effects).join(", ")}`).toEqual([]);
});

test("every effect is that of some field", () => {
  const used = new Set(all.map(([, effect]) => effect));
  expect(Object.keys(effects).filter((each) => ![...used].some((effect) => effect === each))).toEqual([]);
});
