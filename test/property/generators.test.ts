import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import { scalarsOf } from "../../dist/provider/schema/walk.js";
import { configurationOf } from "./configurations.js";
import { isZero, type Json } from "./equivalence.js";

// That the service accepts what is generated is seen in differences.test.ts.
test.each(kinds.map((kind) => [kind.name, kind] as const))("%s has every field in some configuration", (_, kind) => {
  const paths = scalarsOf(kind.root).map(({ path }) => path.join("."));
  const missed = new Set(paths.filter((path) => path !== "slug"));
  for (let seed = 1; seed <= 40 && missed.size > 0; seed++) {
    for (const sample of fc.sample(configurationOf(kind), { numRuns: 50, seed })) {
      for (const path of missed)
        if (valuesAt(sample, path.split(".")).some((each) => !isZero(each))) missed.delete(path);
    }
  }
  expect([...missed]).toEqual([]);
});

function valuesAt(value: any, [step, ...rest]: readonly string[]): unknown[] {
  if (value === undefined) return [];
  if (step === undefined) return [value];
  return step === "*"
    ? Object.values(value as Json).flatMap((each) => valuesAt(each, rest))
    : valuesAt((value as Json)[step], rest);
}
