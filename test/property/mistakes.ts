import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { at, isObject, type Json, objectsIn, setAt } from "./equivalence.js";
import { identityMistakes, rulesOf } from "./rules.js";

export const sorts = ["wrong type", "unknown key", "broken rule"] as const;

export interface Mistake {
  readonly sort: (typeof sorts)[number];
  /** What is wrong, shortly. */
  readonly says: string;
  readonly config: Json;
  /** Where it is wrong. */
  readonly path: Path;
}

/** Every mistake of one sort that can be made in a configuration. */
export function mistakesIn(kind: Kind, config: Json, sort: Mistake["sort"]): Mistake[] {
  const make = (path: Path, value: unknown, says: string, blame: Path = path): Mistake => ({
    sort,
    says,
    config: setAt(config, path, value) as Json,
    path: blame,
  });
  switch (sort) {
    case "wrong type":
      return wrongTypes(kind.root, config, []).map(({ path, value, blame }) => make(path, value, "wrong type", blame));
    case "unknown key":
      return objectsIn(kind.root, config).flatMap(({ value, path }) =>
        ["hue", `${Object.keys(value)[0] ?? "some"}X`, "constructor", "toString"].map((key) =>
          make([...path, key], "x", "unknown key"),
        ),
      );
    case "broken rule":
      return [
        ...objectsIn(kind.root, config).flatMap(({ shape, value, path }) =>
          rulesOf(shape).flatMap((each) =>
            each.broken(value).map((wrong) => make(path, wrong.value, each.says, [...path, ...wrong.at])),
          ),
        ),
        ...(kind.isSingleton ? [] : identityMistakes).map(({ field, value }) => make([field], value, `bad ${field}`)),
      ];
  }
}

interface Wrong {
  readonly path: Path;
  readonly value: unknown;
  /** The wrong place, if that is not the changed one. */
  readonly blame?: Path;
}

/** For every field of every object, values of other types; for arrays and maps, also in their items. */
function wrongTypes(field: Field, value: any, path: Path): Wrong[] {
  const wrong = (...values: readonly unknown[]) => values.map((each) => ({ path, value: each }));
  return field.visit<Wrong[]>({
    scalar: ({ type }) =>
      wrong(
        ...{ string: [7, true, ["x"], { a: "b" }], boolean: ["true", 1], number: ["7", true], integer: ["7", 1.5] }[
          type
        ],
      ),
    list: ({ item }) => [
      ...wrong("x", { a: "b" }),
      { path, value: [null], blame: [...path, 0] },
      ...((value ?? []) as unknown[]).flatMap((each, i) => wrongTypes(item, each, [...path, i])),
    ],
    map: () => [
      ...wrong("x", ["x"]),
      ...Object.keys((value ?? {}) as Json).map((key) => ({ path: [...path, key], value: 7 })),
    ],
    object: ({ shape }) => [
      ...(path.length === 0 ? [] : wrong("x", 7, ["x"])),
      ...(isObject(value)
        ? Object.entries(shape.fields).flatMap(([name, inner]) => wrongTypes(inner, at(value, [name]), [...path, name]))
        : []),
    ],
  });
}

/** A mistake of each sort alike, if the configuration has room for it. */
export const mistakeIn = (kind: Kind, config: Json, sort: Mistake["sort"], choice: number): Mistake | undefined => {
  const all = mistakesIn(kind, config, sort);
  return all[choice % all.length];
};
