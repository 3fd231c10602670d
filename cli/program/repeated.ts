import type { Field } from "../../provider/schema/field";
import { holding } from "../../provider/schema/walk";
import { leaves } from "../../provider/values/leaves";
import { isObject } from "../../provider/wire/json";
import { ConfigSecret, type Item } from "./item";
import { lowerFirst, type Names } from "./names";

/** A shorter part is easier to read in the resource than as a constant, in characters of JSON. */
const shortestPart = 60;
/** A part that occurs less often becomes no constant. */
const fewestUses = 3;

/** A part of several arguments that becomes one constant. */
export interface Constant {
  readonly name: string;
  /** Its TypeScript type. */
  readonly type: string;
  readonly value: unknown;
  readonly field: Field;
}

interface Part {
  readonly value: unknown;
  readonly field: Field;
  readonly name: string;
  uses: number;
}

/** The parts that occur often enough to be constants, by `keyOf`. The largest part wins over those inside of it. */
export function repeatedParts(items: readonly Item[], names: Names): ReadonlyMap<string, Constant> {
  const all = new Map<string, Part>();
  const count = (field: Field, value: unknown, name: string) => {
    const key = keyOf(field, value);
    if (key === undefined) return;
    const part = all.get(key) ?? { field, value, name, uses: 0 };
    all.set(key, part);
    part.uses += 1;
  };
  for (const { kind, args } of items) everyPart(kind.root, args, (...part) => (count(...part), true));

  // A part inside of a larger one counts once for all uses of the larger one.
  const isRepeated = (part: Part | undefined) => part !== undefined && part.uses >= fewestUses;
  const uses = new Map<string, number>();
  const use = (field: Field, value: unknown): boolean => {
    const key = keyOf(field, value);
    if (key === undefined || !isRepeated(all.get(key))) return true;
    uses.set(key, (uses.get(key) ?? 0) + 1);
    return uses.get(key) === 1;
  };
  for (const { kind, args } of items) everyPart(kind.root, args, use);

  const chosen = [...all].filter(([key]) => (uses.get(key) ?? 0) >= fewestUses);
  return new Map(
    chosen.map(([key, { field, value, name }]) => [key, { name: names.free(name), type: typeOf(field), value, field }]),
  );
}

// By value, because each part is looked at several times.
const keys = new WeakMap<object, string | undefined>();

/** The same for equal values of the same type; undefined for what cannot be a constant. */
export function keyOf(field: Field, value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!keys.has(value)) {
    const text = JSON.stringify(value);
    const isPart = text.length >= shortestPart && !isOwn(field, value);
    keys.set(value, isPart ? `${typeOf(field)} ${text}` : undefined);
  }
  return keys.get(value);
}

const mayBeOwn = holding(({ options }) => options.secret !== undefined || options.refersTo !== undefined);

/** Whether a part holds a secret or a reference: these stand in the resource itself. */
const isOwn = (field: Field, part: unknown): boolean =>
  mayBeOwn(field) &&
  leaves(field, part).some(({ field: { options }, value }) => {
    return value instanceof ConfigSecret || options.refersTo !== undefined;
  });

/** Calls `visit` for every part below a value, outer ones first. If it returns false, the parts inside are left out. */
function everyPart(
  field: Field,
  value: unknown,
  visit: (field: Field, value: unknown, name: string) => boolean,
  name?: string,
): void {
  // The arguments as a whole are no part.
  if (name !== undefined && typeof value === "object" && !visit(field, value, name)) return;
  field.visit({
    scalar: () => undefined,
    map: () => undefined,
    list: ({ item }) => {
      if (Array.isArray(value)) for (const each of value) everyPart(item, each, visit, nameOf(item, name ?? ""));
    },
    object: ({ shape }) => {
      if (!isObject(value)) return;
      for (const { name: key, field: inner } of shape.members) {
        if (value[key] !== undefined) everyPart(inner, value[key], visit, nameOf(inner, key));
      }
    },
  });
}

const nameOf = (field: Field, key: string): string =>
  field.visit({ scalar: () => key, map: () => key, list: () => key, object: ({ shape }) => lowerFirst(shape.name) });

const typeOf = (field: Field): string =>
  field.visit({
    scalar: ({ type }) => (type === "integer" ? "number" : type),
    map: () => "Record<string, string>",
    list: ({ item }) => `${typeOf(item)}[]`,
    object: ({ shape }) => `obs.types.${shape.name}Args`,
  });
