import type { Field, ObjectField, Shape } from "../schema/field";
import { formatPath, type Path, shapesOf } from "../schema/walk";
import { isObject, type JsonObject, nounOf } from "./json";

/** Arguments in the document's spelling. Keys that users choose stay as they are; `undefined` is left out. */
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

/** A whole object in the document's spelling. */
export function objectToWire(root: ObjectField, args: JsonObject): JsonObject {
  return toWire(root, args) as JsonObject; // an object's wire form is an object
}

/** A whole object that the service answered, in the arguments' spelling. */
export function objectFromWire(root: ObjectField, wire: JsonObject): JsonObject {
  return fromWire(root, wire) as JsonObject; // as above
}

/**
 * What the service answered, in the arguments' spelling. `null` is absent, in arrays too; keys that the schema
 * does not know are left out, so that a newer service can be read.
 * @throws {WireShapeError} where an array, map or object is something else.
 */
export function fromWire(field: Field, value: unknown, path: Path = []): unknown {
  if (value === null || value === undefined) return undefined;
  return field.visit<unknown>({
    scalar: () => value,
    map: () => withoutNulls(expectObject(value, path)),
    list: ({ item }) => {
      if (!Array.isArray(value)) throw new WireShapeError(path, "an array", value);
      return value.flatMap((each, i) => (each === null ? [] : [fromWire(item, each, [...path, i])]));
    },
    object: ({ shape }) => {
      const wire = expectObject(value, path);
      return withoutNulls(
        Object.fromEntries(
          shape.members.map(({ name, wireName, field: inner }) => [
            name,
            fromWire(inner, wire[wireName], [...path, wireName]),
          ]),
        ),
      );
    },
  });
}

/** Part of an answer has another shape than the document gives it. */
export class WireShapeError extends Error {
  constructor(path: Path, expected: string, got: unknown) {
    super(`${formatPath(path)} is ${nounOf(got)} where the interface has ${expected}`);
  }
}

/** A wire path in the arguments' spelling: `series_conditions.overrides[0]` → `seriesConditions.overrides[0]`. */
export function fromWirePath(root: Field, path: string): string {
  const steps = path.match(/[^.[\]]+/g) ?? [];
  let field: Field | undefined = root;
  const named = steps.map((step): string | number => {
    const here: Field | undefined = field;
    field = undefined;
    return (
      here?.visit<string | number>({
        scalar: () => step,
        map: () => step,
        list: ({ item }) => {
          field = item;
          return Number(step);
        },
        object: ({ shape }) => {
          const found = shape.members.find(({ wireName }) => wireName === step);
          field = found?.field;
          return found?.name ?? step;
        },
      }) ?? step
    );
  });
  return formatPath(named);
}

/** A service's words about an object, its fields named in the arguments' spelling: `label_query` → `labelQuery`. */
export function fromWireWords(root: Shape, words: string): string {
  const names = new Map(
    [root, ...shapesOf(root)].flatMap(({ members }) => members.map(({ name, wireName }) => [wireName, name])),
  );
  return words.replace(/\b[a-z]\w*_\w+\b/g, (word) => names.get(word) ?? word);
}

function expectObject(value: unknown, path: Path): JsonObject {
  if (!isObject(value)) throw new WireShapeError(path, "an object", value);
  return value;
}

const withoutNulls = (value: JsonObject) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));
