import type { Field } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import {
  canonical,
  changedPaths,
  isObject,
  isZero,
  type Json,
  offWire,
  placeText,
  isEquivalent,
  withoutSecrets,
} from "../property/equivalence.js";
import type { Standing, Twin } from "./service.js";
import type { Recorded } from "./state.js";

/** What may be compared of the secrets: a masked value, and one whose last write is in doubt, tell nothing. */
export type Seen = "all" | "all but masked values" | "all but secrets";

export function seenOf(field: Field, value: unknown, seen: Seen): any {
  if (seen === "all") return value;
  const isHidden = ({ options }: Field) => seen === "all but secrets" || (options as Json).secret === "value";
  return withoutSecrets(field, value, isHidden);
}

/** The arguments among a resource's properties. */
export const argumentsIn = ({ args }: Kind, properties: Json): Json =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => Object.hasOwn(args.fields, name)));

/** If an object does not say what the recorded outputs say: where and how. */
export async function disagreement(
  { kind, id, outputs, options }: Recorded,
  { wire }: Standing,
  twin: Twin,
  seen: Seen,
): Promise<string | undefined> {
  const made = await twin.madeOf(kind, id, argumentsIn(kind, outputs));
  // Left without its secrets by a refresh, a receiver may be one that no service would accept.
  if (made === undefined) return undefined;
  const [expected, live] = [made, offWire(kind.root, wire)].map((each: unknown) =>
    without(withoutFilledIn(kind.root, seenOf(kind.root, each, seen)) as Json, options.ignoreChanges),
  );
  if (isEquivalent(kind.root, expected, live)) return undefined;
  const places = changedPaths(kind.root, expected, live).map(placeText);
  return `${places.join(", ")}: ${JSON.stringify(canonical(kind.root, expected))} is ${JSON.stringify(canonical(kind.root, live))}`;
}

/** Arguments without those whose changes are ignored: these stay as the service has them. */
export const without = (args: Json, ignored: readonly string[]): Json =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !ignored.includes(name)));

/** A value without what the schema says that the service fills in. */
export function withoutFilledIn(field: Field, value: any): any {
  if (isFilledIn(field, value)) return undefined;
  return field.visit<unknown>({
    scalar: () => value,
    map: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each: unknown) => withoutFilledIn(item, each)) : value),
    object: ({ shape }) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(shape.fields)
              .map(([name, inner]) => [name, withoutFilledIn(inner, value[name])] as const)
              .filter(([, inner]) => inner !== undefined),
          )
        : value,
  });
}

export const isFilledIn = (field: Field, value: unknown) =>
  field.options.defaultValue !== undefined && isEquivalent(field, field.options.defaultValue, value);

const isMasked = (value: unknown) => isZero(value) || value === "**REDACTED**";

/**
 * Whether an existing object says what is declared, and nothing more but what the service fills in. A declared secret
 * that the service masks may be the same.
 */
export function isIdentical(field: Field, desired: any, live: any): boolean {
  const isEmpty = isZero(desired) || (Array.isArray(desired) && desired.length === 0);
  if (isEmpty && isFilledIn(field, live)) return true;
  return field.visit<boolean>({
    scalar: ({ options }) =>
      (options.secret === "value" && !isZero(desired) && isMasked(live)) || isEquivalent(field, desired, live),
    map: () => isEquivalent(field, desired, live),
    list: ({ item }) => {
      const [left, right]: [unknown[], unknown[]] = [desired ?? [], live ?? []];
      if (isEquivalent(field, desired, live)) return true;
      return (
        left.length === right.length &&
        left.every((each, i) => (isObject(each) ? isIdentical(item, each, right[i]) : each === right[i]))
      );
    },
    object: ({ shape }) =>
      isObject(desired) && isObject(live)
        ? Object.entries(shape.fields).every(([name, inner]) => isIdentical(inner, desired[name], live[name]))
        : desired === live,
  });
}
