import { type Field, ListField, ScalarField } from "../schema/field";
import type { Path, PathStep } from "../schema/walk";
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
  if (field instanceof ScalarField) found.push({ path, field, value });
  else
    for (const { step, field: inner, value: each } of partsOf(field, value))
      collect(found, inner, each, [...path, step]);
}

/** A part of a value: of an object's fields, a map's entries or a list's items. */
interface Part {
  readonly step: PathStep;
  readonly field: Field;
  readonly value: unknown;
}

/** The parts that a value has, in the order of the fields. */
export const partsOf = (field: Field, value: unknown): readonly Part[] =>
  field.visit<readonly Part[]>({
    scalar: () => [],
    map: ({ item }) => Object.entries(entries(value)).map(([step, each]) => ({ step, field: item, value: each })),
    list: ({ item }) => items(value).map((each, step) => ({ step, field: item, value: each })),
    object: ({ shape }) => {
      const parts: Part[] = [];
      if (!isObject(value)) return parts;
      // Most fields are absent.
      for (const { name: step, field: inner } of shape.members) {
        if (value[step] !== undefined) parts.push({ step, field: inner, value: value[step] });
      }
      return parts;
    },
  });

/** The value with each of its parts as a function makes it. What the schema does not know stays. */
export function withParts(field: Field, value: unknown, of: (inner: Field, each: unknown) => unknown): unknown {
  if (!isObject(value) && !Array.isArray(value)) return value;
  const parts = partsOf(field, value).map((part) => [part.step, of(part.field, part.value)] as const);
  return assembled(field, Array.isArray(value) ? parts : [...Object.entries(value), ...parts]);
}

/** A list, map or object of parts, without those that are undefined. Of a step's parts the last one counts. */
export function assembled(field: Field, parts: readonly (readonly [PathStep, unknown])[]): object {
  const present = [...new Map(parts)].filter(([, part]) => part !== undefined);
  return field instanceof ListField ? present.map(([, part]) => part) : Object.fromEntries(present);
}
