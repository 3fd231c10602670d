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
export function leaves(field: Field, value: unknown): readonly Leaf[] {
  const found: Leaf[] = [];
  collect(found, field, value, []);
  return found;
}

function collect(found: Leaf[], field: Field, value: unknown, path: Path): void {
  if (value === undefined || value === null) return;
  field.visit({
    scalar: (scalar) => {
      found.push({ path, field: scalar, value });
    },
    map: ({ item }) =>
      Object.entries(entries(value)).forEach(([key, each]) => collect(found, item, each, [...path, key])),
    list: ({ item }) => items(value).forEach((each, i) => collect(found, item, each, [...path, i])),
    object: ({ shape }) => {
      if (!isObject(value)) return;
      // Most fields are absent.
      for (const { name, field: inner } of shape.members) {
        if (value[name] !== undefined) collect(found, inner, value[name], [...path, name]);
      }
    },
  });
}
