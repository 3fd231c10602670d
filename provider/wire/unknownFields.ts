import { isDeepStrictEqual } from "node:util";
import type { Field, ObjectField, Shape } from "../schema/field";
import { formatPath, type Path } from "../schema/walk";
import { fromWire, toWire } from "./codec";
import { isObject, type JsonObject } from "./json";

/** The fields that the service sets itself on every object. */
const timestamps = ["created_at", "updated_at"];

/** An object to write, with the existing object's fields that our schema does not know. */
export interface Carried {
  readonly object: JsonObject;
  /** The wire paths of list items whose unknown fields have no certain place in the new object. */
  readonly lost: readonly string[];
}

/**
 * Keeps the fields of a newer service that this schema lacks: a PUT replaces the whole object and would erase them.
 * Items of a list correspond if they are equal, else by their index if both lists have the same length. In an unordered
 * list an index tells nothing: there, only the last two that are left correspond.
 * @param object The object to write, in wire spelling.
 * @param existing The service's object, in wire spelling.
 * @throws {WireShapeError} if the schema has an array, map or object and `existing` something else.
 */
export function carryUnknownFields(root: ObjectField, object: JsonObject, existing: JsonObject): Carried {
  const lost: string[] = [];
  const live = Object.fromEntries(Object.entries(existing).filter(([name]) => !timestamps.includes(name)));
  return { object: carry(root, object, live, [], lost) as JsonObject, lost }; // carrying into an object gives an object
}

/** The part of a wire value that the schema knows. */
const knownPart = (field: Field, live: unknown) => toWire(field, fromWire(field, live));

/** Whether a wire value has a field that the schema does not know. `null` counts as absent. */
const hasUnknown = (field: Field, live: unknown): boolean =>
  field.visit({
    scalar: () => false,
    map: () => false,
    list: ({ item }) => Array.isArray(live) && live.some((each) => hasUnknown(item, each)),
    object: ({ shape }) =>
      isObject(live) &&
      (unknownOf(shape, live).length > 0 ||
        shape.members.some(({ wireName, field: inner }) => hasUnknown(inner, live[wireName]))),
  });

const unknownOf = ({ members }: Shape, live: JsonObject) =>
  Object.entries(live).filter(([name, value]) => value !== null && !members.some(({ wireName }) => wireName === name));

function carry(field: Field, wanted: unknown, live: unknown, path: Path, lost: string[]): unknown {
  if (!hasUnknown(field, live)) return wanted;
  return field.visit<unknown>({
    scalar: () => wanted,
    map: () => wanted,
    object: ({ shape }) => {
      // If the program removes an object, its unknown fields go too.
      if (!isObject(wanted) || !isObject(live)) return wanted;
      const known = shape.members
        .filter(({ wireName }) => wanted[wireName] !== undefined)
        .map(({ wireName: name, field: inner }) => [
          name,
          carry(inner, wanted[name], live[name], [...path, name], lost),
        ]);
      return Object.fromEntries([...unknownOf(shape, live), ...known]);
    },
    list: ({ item, options }) => {
      if (!Array.isArray(wanted) || !Array.isArray(live)) return wanted;
      const partners = partnersOf(item, wanted, live, options.unordered);
      // If every wanted item has a partner, the program has removed the other items.
      if (partners.includes(undefined)) {
        const open = [...live.keys()].filter((i) => !partners.includes(i) && hasUnknown(item, live[i]));
        lost.push(...open.map((i) => formatPath([...path, i])));
      }
      return wanted.map((each: unknown, i) => {
        const partner = partners[i];
        return partner === undefined ? each : carry(item, each, live[partner], [...path, i], lost);
      });
    },
  });
}

/** For each wanted item, the index of the corresponding live item, if that is certain. */
function partnersOf(
  item: Field,
  wanted: readonly unknown[],
  live: readonly unknown[],
  unordered = false,
): (number | undefined)[] {
  const free = new Set(live.keys());
  const partners = wanted.map((each) => {
    const equal = [...free].find((i) => isDeepStrictEqual(knownPart(item, live[i]), each));
    if (equal !== undefined) free.delete(equal);
    return equal;
  });
  if (wanted.length !== live.length) return partners;
  const [last, ...others] = free;
  if (unordered) return partners.map((partner) => partner ?? (others.length === 0 ? last : undefined));
  return partners.map((partner, i) => partner ?? (free.has(i) ? i : undefined));
}
