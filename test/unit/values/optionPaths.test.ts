import { describe, expect, test } from "vitest";
import { kinds } from "../../../dist/provider/kinds/index.gen.js";
import type { Field } from "../../../dist/provider/schema/field.js";
import { formatPath, type Path } from "../../../dist/provider/schema/walk.js";
import { kindNamed } from "../../../dist/provider/lifecycle/session.js";
import { pathRemedy } from "../../../dist/provider/values/optionPaths.js";

/** The path of every field, as a program spells it and as the API does. */
const pathsIn = (field: Field, own: Path = [], wire: Path = []): (readonly string[])[] => [
  ...(own.length === 0 ? [] : [[own, wire].map((path) => formatPath(path).replaceAll('["*"]', "[*]"))]),
  ...field.visit<ReturnType<typeof pathsIn>>({
    scalar: () => [],
    map: ({ item }) => pathsIn(item, [...own, "a.b"], [...wire, "a.b"]),
    list: ({ item }) => ["*", 0].flatMap((step) => pathsIn(item, [...own, step], [...wire, step])),
    object: ({ shape }) =>
      shape.members.flatMap(({ name, wireName, field: inner }) => pathsIn(inner, [...own, name], [...wire, wireName])),
  }),
];

describe.each(kinds.map((kind) => [kind.name, kind.root] as const))("a path into a %s", (_, root) => {
  test("is right as the program spells it, and suggested if the API spells it so", () => {
    for (const [own = "", wire = ""] of pathsIn(root)) {
      expect(pathRemedy(root, own), own).toBeUndefined();
      if (own !== wire) expect(pathRemedy(root, wire), wire).toBe(`Did you mean "${own}"?`);
    }
    for (const output of ["id", "createdAt", "*"]) expect(pathRemedy(root, output)).toBeUndefined();
  });

  test("is its name if the option takes only those", () => {
    for (const [own = ""] of pathsIn(root)) {
      const [name] = /^\w+/.exec(own) ?? [];
      expect(pathRemedy(root, own, true), own).toBe(own === name ? undefined : `Use "${name}"`);
    }
  });
});

test.each([
  ["monitorName", 'Did you mean "name"?'],
  ["labelQuerry", 'Did you mean "labelQuery"?'],
  ["seriesConditions.overrides.labelMatchers", 'Did you mean "seriesConditions.overrides[*].labelMatchers"?'],
  ["seriesConditions.rules", "Known fields of seriesConditions: defaults, overrides"],
  ["labelQuery.text", 'Use "labelQuery"'],
  ["seriesConditions.*.critical", undefined],
])("the remedy for %s is %s", (path, remedy) => {
  expect(pathRemedy(kindNamed("Monitor").root, path)).toBe(remedy);
});
