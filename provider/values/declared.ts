import type { Field, ScalarField } from "../schema/field";
import type { Path } from "../schema/walk";
import { isObject, items } from "../wire/json";
import { isEquivalent } from "./equal";

/**
 * A value without the defaults that the service fills in. Everything else stays, even zeros: the program shows what the
 * service has.
 * @param secretPart What stands for a secret; the service may mask it.
 */
export function declaredPart(
  field: Field,
  live: unknown,
  secretPart: (field: ScalarField, live: unknown, path: Path) => unknown,
  path: Path = [],
): unknown {
  const { defaultValue: filledIn } = field.options;
  if (filledIn !== undefined && isEquivalent(field, live, filledIn)) return undefined;
  return field.visit<unknown>({
    scalar: (scalar) => (scalar.options.secret === undefined ? live : secretPart(scalar, live, path)),
    map: () => live,
    list: ({ item }) =>
      items(live).map((each, i) => (isObject(each) ? declaredPart(item, each, secretPart, [...path, i]) : each)),
    object: ({ shape }) => {
      if (!isObject(live)) return undefined;
      const parts: Record<string, unknown> = {};
      for (const { name, field: inner } of shape.members) {
        // A service may omit secrets, but no other declared value.
        if (isAbsent(live[name]) && inner.options.secret === undefined) continue;
        const part = declaredPart(inner, live[name], secretPart, [...path, name]);
        if (part !== undefined) parts[name] = part;
      }
      return parts;
    },
  });
}

const isAbsent = (value: unknown) => value === undefined || value === null;
