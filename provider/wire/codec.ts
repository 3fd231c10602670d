import { type Field, ListField, ObjectField, type Shape } from "../schema/field";
import { formatPath, type Path, type PathStep, shapesOf } from "../schema/walk";
import { isObject, type JsonObject, nounOf, parseJson, withoutAbsent } from "./json";

/** Converts arguments to the document's spelling. Keeps keys that users choose; leaves out `undefined`. */
export function toWire(field: ObjectField, value: JsonObject): JsonObject;
export function toWire(field: Field, value: unknown): unknown;
export function toWire(field: Field, value: unknown): unknown {
  return field.visit<unknown>({
    scalar: () => value,
    map: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each) => toWire(item, each)) : value),
    object: ({ shape }) =>
      isObject(value)
        ? Object.fromEntries(
            shape.members
              .filter(({ name }) => value[name] !== undefined)
              .map(({ name, wireName, field: inner }) => [wireName, toWire(inner, value[name])]),
          )
        : value,
  });
}

/**
 * Converts the service's answer to the arguments' spelling. Leaves out `null`, in arrays too, and keys that the schema
 * does not know, so that a newer service can be read.
 * @throws {WireShapeError} if the schema has an array, map or object and the answer something else.
 */
export function fromWire(field: ObjectField, value: JsonObject): JsonObject;
export function fromWire(field: Field, value: unknown, path?: Path): unknown;
export function fromWire(field: Field, value: unknown, path: Path = []): unknown {
  if (value === null || value === undefined) return undefined;
  return field.visit<unknown>({
    scalar: () => value,
    map: () => withoutAbsent(expectObject(value, path)),
    list: ({ item }) => {
      if (!Array.isArray(value)) throw new WireShapeError(path, "an array", value);
      return value.flatMap((each, i) => (each === null ? [] : [fromWire(item, each, [...path, i])]));
    },
    object: ({ shape }) => {
      const wire = expectObject(value, path);
      const args: Record<string, unknown> = {};
      // Most fields are absent, and lists have thousands of objects.
      for (const { name, wireName, field: inner } of shape.members) {
        const given = wire[wireName];
        if (given !== null && given !== undefined) args[name] = fromWire(inner, given, [...path, wireName]);
      }
      return args;
    },
  });
}

/** A part of an answer does not have the shape that the document gives it. */
export class WireShapeError extends Error {
  constructor(path: Path, expected: string, got: unknown) {
    super(`${formatPath(path)} is ${nounOf(got)}; the API spec has ${expected}`);
  }
}

/** What a reading of an answer returns; undefined if the answer does not match the API spec. */
export function ifMatching<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireShapeError) return undefined;
    throw error;
  }
}

/** Converts a wire path to the arguments' spelling: `series_conditions.overrides[0]` → `seriesConditions.overrides[0]`. */
export function fromWirePath(root: Field, path: string): string {
  // A key that is no name stands in quotes, as in JSON.
  const steps = (path.match(/"(?:[^"\\]|\\.)*"|[^.[\]]+/g) ?? []).map((step) =>
    step.startsWith('"') ? String(parseJson(step) ?? step) : step,
  );
  let field: Field | undefined = root;
  const named = steps.map((step): PathStep => {
    if (field instanceof ListField) {
      field = field.item;
      if (/^\d+$/.test(step)) return Number(step);
      if (step === "*") return step;
      // Some paths have no index: `overrides[].label_matchers`.
    }
    const member =
      field instanceof ObjectField ? field.shape.members.find((each) => each.wireName === step) : undefined;
    field = member?.field;
    return member?.name ?? step;
  });
  return formatPath(named);
}

/** Converts the field names in a service's words to the arguments' spelling: `label_query` → `labelQuery`. */
export function fromWireWords(root: Shape, words: string): string {
  const names = new Map(
    [root, ...shapesOf(root)].flatMap(({ members }) => members.map(({ name, wireName }) => [wireName, name])),
  );
  return words.replace(/\b[a-z]\w*_\w+\b/g, (word) => names.get(word) ?? word);
}

/** Some languages write an empty object as an empty array. */
function expectObject(value: unknown, path: Path): JsonObject {
  if (Array.isArray(value) && value.length === 0) return {};
  if (!isObject(value)) throw new WireShapeError(path, "an object", value);
  return value;
}
