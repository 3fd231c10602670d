import { isDeepStrictEqual } from "node:util";
import type { Field } from "../../dist/provider/schema/field.js";
import type { Path } from "../../dist/provider/schema/walk.js";

/** A configuration or a part of one, right or wrong. */
export type Json = Record<string, any>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isZero = (value: unknown) => value === undefined || value === null || !value;

/**
 * One form for all spellings of a meaning: zero scalars, empty arrays, empty maps and settings without values left out, keys
 * in order, items of unordered lists sorted, durations in minutes. Other objects stay, even empty ones; array items and map
 * values are data.
 */
export function canonical(field: Field, value: unknown): any {
  if (value === undefined || value === null) return undefined;
  return field.visit<unknown>({
    scalar: ({ options }) => (isZero(value) ? undefined : options.format === "duration" ? minutesOf(value) : value),
    list: ({ item, options }) => {
      if (!Array.isArray(value) || value.length === 0) return undefined;
      const each = value.map((one) => (isObject(one) ? canonical(item, one) : one === 0 ? 0 : one));
      return options.unordered ? each.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : each;
    },
    map: () => (isObject(value) && Object.keys(value).length > 0 ? sorted(Object.entries(value)) : undefined),
    object: ({ shape, options }) => {
      if (!isObject(value)) return value;
      const parts = Object.entries(shape.fields)
        .map(([name, inner]) => [name, canonical(inner, value[name])] as const)
        .filter(([, inner]) => inner !== undefined);
      return ["settings", "schedule"].includes(options.format ?? "") && parts.length === 0 ? undefined : sorted(parts);
    },
  });
}

const unitMinutes: Readonly<Record<string, number>> = { s: 1 / 60, m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 };

/** `1h30m` → 90; any other text as it is. */
export const minutesOf = (value: unknown): unknown =>
  typeof value === "string" && /^(\d+[smhdw])+$/.test(value)
    ? [...value.matchAll(/(\d+)([smhdw])/g)].reduce(
        (sum, [, n, unit = ""]) => sum + Number(n) * (unitMinutes[unit] ?? 0),
        0,
      )
    : value;

const sorted = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));

export const isEquivalent = (field: Field, a: unknown, b: unknown) =>
  isDeepStrictEqual(canonical(field, a), canonical(field, b));

/** The value with its secrets left out, or only those that `leaves` says. */
export function withoutSecrets(field: Field, value: any, leaves: (field: Field) => boolean = () => true): any {
  return field.visit<unknown>({
    scalar: (scalar) => (scalar.options.secret !== undefined && leaves(scalar) ? undefined : value),
    map: () => value,
    list: ({ item }) =>
      Array.isArray(value) ? value.map((each: unknown) => withoutSecrets(item, each, leaves)) : value,
    object: ({ shape }) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .map(([name, inner]) => {
                const known = shape.fields[name];
                return [name, known === undefined ? inner : withoutSecrets(known, inner, leaves)] as const;
              })
              .filter(([, inner]) => inner !== undefined),
          )
        : value,
  });
}

/** What stands at a place. */
export const at = (value: any, path: Path): any =>
  path.reduce<any>((here, step) => (here === null || here === undefined ? undefined : own(here, step)), value);

const own = (value: any, step: string | number) =>
  Object.prototype.hasOwnProperty.call(value, step) ? value[step] : undefined;

/** A copy with another value at a place; `undefined` takes it away. */
export function setAt(value: any, [step, ...rest]: Path, replacement: unknown): any {
  if (step === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((each, i) => (String(i) === String(step) ? setAt(each, rest, replacement) : each));
  // A key that is there keeps its place, so that only the value differs.
  const changed = { ...value, [step]: setAt(own(value ?? {}, step), rest, replacement) };
  return Object.fromEntries(Object.entries(changed).filter(([key, each]) => key !== step || each !== undefined));
}

/** Every object of the schema in a value, with its place; the value itself first. */
export function objectsIn(field: Field, value: unknown, path: Path = []): { value: Json; path: Path }[] {
  return field.visit<ReturnType<typeof objectsIn>>({
    scalar: () => [],
    map: () => [],
    list: ({ item }) => (Array.isArray(value) ? value.flatMap((each, i) => objectsIn(item, each, [...path, i])) : []),
    object: ({ shape }) =>
      isObject(value)
        ? [
            { value, path },
            ...Object.entries(shape.fields).flatMap(([name, inner]) =>
              value[name] === undefined ? [] : objectsIn(inner, value[name], [...path, name]),
            ),
          ]
        : [],
  });
}

/** The finest places where two values differ in meaning; an unordered list is one place, and one of another length. */
export function changedPaths(field: Field, a: any, b: any, path: Path = []): Path[] {
  if (isEquivalent(field, a, b)) return [];
  return field.visit<Path[]>({
    scalar: () => [path],
    list: ({ item, options }) => {
      const [left, right] = [a ?? [], b ?? []];
      if (options.unordered || left.length !== right.length) return [path];
      return left.flatMap((each: unknown, i: number) =>
        isObject(each) || isObject(right[i])
          ? changedPaths(item, each, right[i], [...path, i])
          : each === right[i]
            ? []
            : [[...path, i]],
      );
    },
    map: () => {
      const keys = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
      return [...keys].filter((key) => at(a, [key]) !== at(b, [key])).map((key) => [...path, key]);
    },
    object: ({ shape }) =>
      isObject(a) && isObject(b)
        ? Object.entries(shape.fields).flatMap(([name, inner]) =>
            changedPaths(inner, a[name], b[name], [...path, name]),
          )
        : [path],
  });
}

/** A place as a program would write it: `labels["a.b"][0]`. */
export function placeText(path: Path): string {
  return path
    .map((step, i) =>
      typeof step === "number"
        ? `[${step}]`
        : /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(step)
          ? `${i === 0 ? "" : "."}${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join("");
}

/** A value in which each object of the schema is made of its entries. */
function remade(field: Field, value: any, make: (fields: Readonly<Record<string, Field>>, object: Json) => Json): any {
  return field.visit<unknown>({
    scalar: () => value,
    map: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each: unknown) => remade(item, each, make)) : value),
    object: ({ shape }) => (isObject(value) ? make(shape.fields, value) : value),
  });
}

/** A configuration as it goes over the wire, mistakes and all: keys that the schema does not know stay. */
export const onWire = (field: Field, value: unknown): any =>
  remade(field, value, (fields, object) =>
    Object.fromEntries(
      Object.entries(object).map(([name, inner]) => {
        const known = at(fields, [name]) as Field | undefined;
        return known === undefined ? [name, inner] : [wireKey(name, known), onWire(known, inner)];
      }),
    ),
  );

/** The other way round, of an object that the service answered. */
export const offWire = (field: Field, value: unknown): any =>
  remade(field, value, (fields, object) =>
    Object.fromEntries(
      Object.entries(fields)
        .map(([name, inner]) => [name, offWire(inner, object[wireKey(name, inner)])] as const)
        .filter(([, inner]) => inner !== undefined && inner !== null),
    ),
  );

/** The name of a field on the wire. */
export const wireKey = (name: string, field: Field) =>
  field.options.wire ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
