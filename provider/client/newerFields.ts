import { type Field, ListField, ObjectField, type Shape } from "../schema/field";
import type { Kind } from "../schema/kind";
import { formatPath, type Path } from "../schema/walk";
import { isEquivalent } from "../values/equal";
import { fromWire, fromWirePath, ifMatching } from "../wire/codec";
import { isObject, items, type JsonObject } from "../wire/json";
import { isRejection } from "./failures";
import { ApiError, ObservabilityError } from "./errors";

/**
 * An object to write with the existing object's fields that our schema does not know; the same object if there are none.
 * @throws {ObservabilityError} of code `conflict` if a field of a newer service would be erased.
 */
export function withNewerFields(kind: Kind, object: JsonObject, existing: JsonObject): JsonObject {
  const carried = ifMatching(() => carryNewerFields(kind.root, object, existing));
  if (carried === undefined) return object;
  if (carried.lost.length === 0) return carried.object;
  const places = carried.lost.map((path) => fromWirePath(kind.root, path)).join(", ");
  throw new ObservabilityError(
    "conflict",
    `the service has fields in ${places} that this version of pulumi-observability doesn't support, and this change ` +
      "would erase them. Install a newer version, or remove the fields in the service",
  );
}

/** Rejects as the PUT of an object with such fields: the service may have rejected them. */
export function ownFieldsDoubt(error: unknown): never {
  const mayBeOwn = isRejection(error) && !error.isNotFound && error.problems.length === 0;
  throw mayBeOwn ? new ApiError({ ...error.facts, hint: ownFields }) : error;
}

const ownFields =
  "The request contains fields that only the service knows, unchanged, because a PUT without them would erase them. If the " +
  'service rejects its own fields, the provider can\'t update its objects. To check the service, run "pulumi-observability doctor"';

/** The fields that the service sets itself on every object. */
const timestamps = ["created_at", "updated_at"];

/** An object to write, with the existing object's fields that our schema does not know. */
interface Carried {
  readonly object: JsonObject;
  /** The wire paths of list items whose newer fields have no certain place in the new object. */
  readonly lost: readonly string[];
}

/**
 * Keeps the fields of a newer service that this schema lacks: a PUT replaces the whole object and would erase them.
 * Items of a list correspond if they are equivalent, else by their index if both lists have the same length. In an unordered
 * list the index has no meaning: only a single remaining pair corresponds.
 * @param object The object to write, in wire spelling.
 * @param existing The service's object, in wire spelling.
 * @throws {WireShapeError} if the schema has an array, map or object and `existing` something else.
 */
export function carryNewerFields(root: ObjectField, object: JsonObject, existing: JsonObject): Carried {
  const lost: string[] = [];
  const actual = Object.fromEntries(Object.entries(existing).filter(([name]) => !timestamps.includes(name)));
  return { object: carry(root, object, actual, [], lost) as JsonObject, lost }; // carrying into an object gives an object
}

/** Whether a wire value has a field that the schema does not know. `null` counts as absent. */
function hasNewer(field: Field, actual: unknown): boolean {
  if (field instanceof ListField) return items(actual).some((each) => hasNewer(field.item, each));
  if (!(field instanceof ObjectField) || !isObject(actual)) return false;
  const { shape } = field;
  return newerIn(shape, actual).length > 0 || shape.members.some((each) => hasNewer(each.field, actual[each.wireName]));
}

const newerIn = ({ members }: Shape, actual: JsonObject) =>
  Object.entries(actual).filter(
    ([name, value]) => value !== null && !members.some(({ wireName }) => wireName === name),
  );

function carry(field: Field, desired: unknown, actual: unknown, path: Path, lost: string[]): unknown {
  if (!hasNewer(field, actual)) return desired;
  // If the program removes an object, its newer fields go too.
  if (field instanceof ObjectField && isObject(desired) && isObject(actual)) {
    const known = field.shape.members
      .filter(({ wireName }) => desired[wireName] !== undefined)
      .map(({ wireName: name, field: inner }) => [
        name,
        carry(inner, desired[name], actual[name], [...path, name], lost),
      ]);
    return Object.fromEntries([...newerIn(field.shape, actual), ...known]);
  }
  if (!(field instanceof ListField) || !Array.isArray(desired) || !Array.isArray(actual)) return desired;
  const { item, options } = field;
  const matches = matchesOf(item, desired, actual, options.unordered);
  // If every desired item has a match, the program has removed the other items.
  if (matches.includes(undefined)) {
    const open = [...actual.keys()].filter((i) => !matches.includes(i) && hasNewer(item, actual[i]));
    lost.push(...open.map((i) => formatPath([...path, i])));
  }
  return desired.map((each: unknown, i) => {
    const match = matches[i];
    return match === undefined ? each : carry(item, each, actual[match], [...path, i], lost);
  });
}

/** For each desired item, the index of the corresponding actual item, if that is certain. */
function matchesOf(
  item: Field,
  desired: readonly unknown[],
  actual: readonly unknown[],
  unordered = false,
): (number | undefined)[] {
  const free = new Set(actual.keys());
  const stored = actual.map((each) => fromWire(item, each));
  const matches = desired.map((each) => {
    const sent = fromWire(item, each);
    const equal = [...free].find((i) => isEquivalent(item, stored[i], sent));
    if (equal !== undefined) free.delete(equal);
    return equal;
  });
  if (desired.length !== actual.length) return matches;
  const [last, ...others] = free;
  if (unordered) return matches.map((match) => match ?? (others.length === 0 ? last : undefined));
  return matches.map((match, i) => match ?? (free.has(i) ? i : undefined));
}
