import type { Field } from "../../provider/schema/field";
import { isZero, sameMeaning } from "../../provider/values/equal";
import { isObject } from "../../provider/wire/json";

/**
 * The value with every default written out that the schema knows. An object that is left out stays so: its defaults
 * hold only inside of it.
 */
export function withDefaults(field: Field, value: unknown): unknown {
  const { defaultValue } = field.options;
  if (defaultValue !== undefined && (isZero(value) || (Array.isArray(value) && value.length === 0)))
    return defaultValue;
  return field.visit<unknown>({
    scalar: () => value,
    map: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each) => withDefaults(item, each)) : value),
    object: ({ shape }) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(shape.fields)
              .map(([name, inner]) => [name, withDefaults(inner, value[name])])
              .filter(([, each]) => each !== undefined),
          )
        : value,
  });
}

/** Whether two declarations mean the same: also if one leaves out a default that the other says. */
export const meansTheSame = (field: Field, a: unknown, b: unknown) =>
  sameMeaning(field, withDefaults(field, a), withDefaults(field, b));
