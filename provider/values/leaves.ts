import type { Field, ScalarField } from "../schema/field";
import type { Path } from "../schema/walk";
import { entries, isObject, items } from "../wire/json";

/** A scalar that a value has, and its place. */
export interface Leaf {
  readonly path: Path;
  readonly field: ScalarField;
  readonly value: unknown;
}

/** Every scalar that the value has, in the order of the fields. Leaves out what is absent. */
export function leaves(field: Field, value: unknown, path: Path = []): readonly Leaf[] {
  if (value === undefined || value === null) return [];
  return field.visit<readonly Leaf[]>({
    scalar: (scalar) => [{ path, field: scalar, value }],
    map: ({ item }) => Object.entries(entries(value)).flatMap(([key, each]) => leaves(item, each, [...path, key])),
    list: ({ item }) => items(value).flatMap((each, i) => leaves(item, each, [...path, i])),
    object: ({ shape }) =>
      isObject(value)
        ? Object.entries(shape.fields).flatMap(([name, inner]) =>
            value[name] === undefined ? [] : leaves(inner, value[name], [...path, name]),
          )
        : [],
  });
}
