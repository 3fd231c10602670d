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
  sameMeaning,
  withoutSecrets,
} from "../property/meaning.js";
import type { Recorded } from "./engine.js";
import type { Standing, Twin } from "./service.js";

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

/**
 * Where an object does not say what the recorded inputs say; nothing where it does.
 * @param isExact The object is what the service made of just these inputs; else it may hold more than they say.
 */
export async function disagreement(
  { kind, id, inputs }: Recorded,
  { wire }: Standing,
  twin: Twin,
  { seen, isExact }: { readonly seen: Seen; readonly isExact: boolean },
): Promise<string | undefined> {
  const live: unknown = seenOf(kind.root, offWire(kind.root, wire), seen);
  const wanted = argumentsIn(kind, inputs);
  if (!isExact)
    return saysAll(kind.root, seenOf(kind.root, wanted, seen), live, "left out") ? undefined : "it says less";
  const made = await twin.madeOf(kind, id, wanted);
  // Left without its secrets by a refresh, a receiver may be one that no service would accept.
  if (made === undefined) return undefined;
  const expected: unknown = seenOf(kind.root, made, seen);
  if (sameMeaning(kind.root, expected, live)) return undefined;
  const places = changedPaths(kind.root, expected, live).map(placeText);
  return `${places.join(", ")}: ${JSON.stringify(canonical(kind.root, expected))} is ${JSON.stringify(canonical(kind.root, live))}`;
}

/**
 * Whether every leaf that is wanted stands there, and the arrays and maps that are wanted hold nothing more.
 * @param zeros Whether a zero scalar, an empty array and an empty map are wanted, or are as good as left out: the
 * interface calls them the same, and a service fills in where they stand.
 */
export function saysAll(field: Field, wanted: any, live: any, zeros: "wanted" | "left out"): boolean {
  if (wanted === undefined) return true;
  if (zeros === "left out" && canonical(field, wanted) === undefined) return true;
  return field.visit<boolean>({
    // Empty in a secret's place, it may be there all the same.
    scalar: ({ options }) => sameMeaning(field, wanted, live) || (options.secret === "value" && isZero(live)),
    map: () => sameMeaning(field, wanted, live),
    list: ({ item }) => {
      const [left, right]: [unknown[], unknown[]] = [wanted ?? [], live ?? []];
      return (
        left.length === right.length &&
        left.every((each, i) => (isObject(each) ? saysAll(item, each, right[i], zeros) : each === right[i]))
      );
    },
    object: ({ shape }) =>
      isObject(wanted) &&
      isObject(live) &&
      Object.entries(shape.fields).every(([name, inner]) => saysAll(inner, wanted[name], live[name], zeros)),
  });
}
