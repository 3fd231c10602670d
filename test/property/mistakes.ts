import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { at, isObject, type Json, objectsIn, setAt } from "./equivalence.js";

export interface Mistake {
  readonly config: Json;
  /** Where it is wrong. */
  readonly path: Path;
}

/** Every mistake of one sort that can be made in a configuration. What else the service rejects: test/provider/rejections.test.ts. */
const mistakesIn: Readonly<Record<"wrong type" | "unknown key", (kind: Kind, config: Json) => Mistake[]>> = {
  "wrong type": ({ root }, config) =>
    wrongTypes(root, config, []).map(({ path, value, blame = path }) => ({
      config: setAt(config, path, value),
      path: blame,
    })),
  "unknown key": ({ root }, config) =>
    objectsIn(root, config).flatMap(({ value, path: around }) =>
      ["hue", `${Object.keys(value)[0] ?? "some"}X`, "constructor", "toString"].map((key) => {
        const path = [...around, key];
        return { config: setAt(config, path, "x"), path };
      }),
    ),
};

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
export const mistakeIn = (
  kind: Kind,
  config: Json,
  sort: keyof typeof mistakesIn,
  choice: number,
): Mistake | undefined => {
  const all = mistakesIn[sort](kind, config);
  return all[choice % all.length];
};
