import { type Field, ObjectField, type ScalarField, type Shape } from "../schema/field";
import type { SettingValues } from "../schema/settings";
import { formatPath, type Path } from "../schema/walk";
import { isObject, type JsonObject, nounOf } from "../wire/json";
import { nearest } from "../base/nearest";
import { doubtsIn, type Undoubted } from "./doubts";
import { outputTexts } from "./outputTexts";
import { unknown } from "./unknown";

type Checks = Pick<SettingValues, "knownValues" | "unknownValues"> & Pick<Undoubted, "marks">;

/** Why the provider rejects arguments, without asking the service: wrong types, texts of outputs and, if they fail, doubts. */
export function problemsOf(
  root: ObjectField,
  args: JsonObject,
  { knownValues, unknownValues, marks }: Checks,
): string[] {
  const doubts = unknownValues === "warn" ? [] : doubtsIn(root, args, { marks, knownValues });
  return [
    ...structureProblems(root.shape, args),
    ...outputTexts(args, knownValues),
    ...doubts.map(({ why, places }) => `${places}: ${why}`),
  ];
}

/** Every wrong type and unknown key, by path. Never quotes values: they may be secrets. */
export const structureProblems = (root: Shape, value: unknown) => problemsIn(new ObjectField(root, ""), value, []);

const isOfType: Readonly<Record<ScalarField["type"], (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: Number.isFinite,
  integer: Number.isSafeInteger,
};

function problemsIn(field: Field, value: unknown, path: Path): string[] {
  // An unknown value is checked later, when it is known.
  if (value === unknown) return [];
  const wrong = (expected: string) => [`${formatPath(path)}: expected ${expected}, got ${gotOf(value, expected)}`];
  return field.visit<string[]>({
    scalar: ({ type, noun }) => (isOfType[type](value) ? [] : wrong(noun)),
    list: ({ item }) =>
      Array.isArray(value) ? value.flatMap((each, i) => problemsIn(item, each, [...path, i])) : wrong("an array"),
    map: ({ item }) =>
      isObject(value)
        ? Object.entries(value).flatMap(([key, each]) => problemsIn(item, each, [...path, key]))
        : wrong("a map of strings"),
    object: ({ shape }) => {
      if (!isObject(value)) return wrong("an object");
      const given = Object.entries(shape.fields).filter(([name]) => value[name] !== undefined);
      return [
        ...given.flatMap(([name, inner]) => problemsIn(inner, value[name], [...path, name])),
        ...unknownFields(shape, value, path),
      ];
    },
  });
}

function unknownFields({ fields, instead }: Shape, value: JsonObject, path: Path): string[] {
  const known = Object.keys(fields);
  const keys = Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
  const closeTo = (key: string) => (Object.hasOwn(instead, key) ? instead[key] : nearestText(key, known));
  // An object's fields are listed once.
  const first = keys.find((key) => closeTo(key) === undefined);
  return keys.map((key) => {
    const hint = closeTo(key) ?? (key === first ? `Known fields: ${known.join(", ")}` : undefined);
    return `${formatPath([...path, key])}: unknown field${hint === undefined ? "" : `. ${hint}`}`;
  });
}

function nearestText(key: string, known: readonly string[]): string | undefined {
  const close = nearest(key, known);
  return close === undefined ? undefined : `Did you mean "${close}"?`;
}

/** The noun of a wrong value, such as `a string`; for a number, what is wrong with it. */
function gotOf(found: unknown, expected: string): string {
  if (typeof found !== "number") return nounOf(found);
  if (!Number.isFinite(found)) return String(found);
  if (expected !== "a whole number") return nounOf(found);
  return Number.isInteger(found) ? "a number that is too large" : "a number with a fraction";
}
