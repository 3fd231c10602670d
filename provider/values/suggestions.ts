import type { Field } from "../schema/field";
import { formatPath, type Path } from "../schema/walk";
import { isObject, items } from "../wire/json";
import { nearest } from "./nearest";

/** A third of the letters, at most 2: a newer service's value is hardly taken for a typo. None in words like "GT". */
const fewLetters = ({ length }: string) => Math.min(2, Math.floor(length / 3));

/**
 * A warning for every value that is almost one of those seen in practice. Enumerations are open, so a value unlike all
 * of them counts as a new one.
 * @param secrets The paths of values that the program marks as secret: these get no warning.
 */
export function unusualValues(root: Field, value: unknown, secrets: readonly Path[] = []): string[] {
  const isSecret = (path: Path) => secrets.some((secret) => secret.every((step, i) => step === path[i]));
  const enter = (field: Field, value: unknown, path: Path): string[] =>
    field.visit<string[]>({
      scalar: ({ options: { suggestions = [] } }) => {
        if (typeof value !== "string" || suggestions.includes(value) || isSecret(path)) return [];
        const near = nearest(value, suggestions, fewLetters);
        return near === undefined
          ? []
          : [`${formatPath(path)} "${value}" is not a known value: did you mean "${near}"?`];
      },
      map: () => [],
      list: ({ item }) => items(value).flatMap((each, i) => enter(item, each, [...path, i])),
      object: ({ shape }) =>
        isObject(value)
          ? Object.entries(shape.fields).flatMap(([name, inner]) => enter(inner, value[name], [...path, name]))
          : [],
    });
  return enter(root, value, []);
}
