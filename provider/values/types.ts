import { z } from "zod";
import { type Field, ObjectField, type ScalarField, type Shape } from "../schema/field";
import type { SettingValues } from "../schema/settings";
import { fieldIn, formatPath, type Path, valueAt } from "../schema/walk";
import { type JsonObject, nounOf } from "../wire/json";
import { meant } from "../base/nearest";
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
export function structureProblems(root: Shape, value: unknown): string[] {
  const result = schemaOf(root).safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => explained(root, value, issue));
}

const schemas = new WeakMap<Shape, z.ZodType>();

/** The zod schema of types and known keys; it contains no rule of the service. */
function schemaOf(shape: Shape): z.ZodType {
  const schema =
    schemas.get(shape) ??
    z.strictObject(
      Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, fieldSchema(field).optional()])),
      { error: (issue) => (issue.code === "unrecognized_keys" ? undefined : "expected an object") },
    );
  schemas.set(shape, schema);
  return schema;
}

const fieldSchema = (field: Field): z.ZodType =>
  field.visit<z.ZodType>({
    scalar: (scalar) => scalarTypes[scalar.type]({ error: `expected ${scalar.noun}` }),
    list: ({ item }) => z.array(fieldSchema(item), { error: "expected an array" }),
    map: () => z.record(z.string(), z.string({ error: "expected a string" }), { error: "expected a map of strings" }),
    object: ({ shape }) => schemaOf(shape),
  });

const scalarTypes = { string: z.string, boolean: z.boolean, number: z.number, integer: z.int } satisfies Record<
  ScalarField["type"],
  unknown
>;

function explained(root: Shape, value: unknown, issue: z.core.$ZodIssue): string[] {
  const path = issue.path.filter((step) => typeof step !== "symbol");
  const found = valueAt(value, path);
  // An unknown value is checked later, when it is known.
  if (found === unknown) return [];
  if (issue.code === "unrecognized_keys") {
    const shape = shapeAt(root, path);
    const known = Object.keys(shape?.fields ?? {});
    const closeTo = (key: string) =>
      shape !== undefined && Object.hasOwn(shape.instead, key) ? shape.instead[key] : meant(key, known);
    // An object's fields are listed once.
    const first = issue.keys.find((key) => closeTo(key) === undefined);
    return issue.keys.map((key) => {
      const hint = closeTo(key) ?? (key === first ? `Known fields: ${known.join(", ")}` : undefined);
      return `${formatPath([...path, key])}: unknown field${hint === undefined ? "" : `. ${hint}`}`;
    });
  }
  return [`${formatPath(path)}: ${issue.message}, got ${gotOf(found, issue.message)}`];
}

/** The noun of a wrong value, such as `a string`; for a number, what is wrong with it. */
function gotOf(found: unknown, message: string): string {
  if (typeof found !== "number") return nounOf(found);
  if (!Number.isFinite(found)) return String(found);
  if (message !== "expected a whole number") return nounOf(found);
  return Number.isInteger(found) ? "a number that is too large" : "a number with a fraction";
}

function shapeAt(root: Shape, path: Path): Shape | undefined {
  const field = path.reduce<Field | undefined>((here, step) => here && fieldIn(here, step), new ObjectField(root, ""));
  return field instanceof ObjectField ? field.shape : undefined;
}
