export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy of `object` with every value replaced; `undefined` leaves the key out. */
export function mapEntries(object: JsonObject, change: (value: Json, key: string) => Json | undefined): JsonObject {
  const entries = Object.entries(object).map(([key, value]) => [key, change(value, key)] as const);
  // fromEntries, because an assignment would call the setter of "__proto__".
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

/** Extends a path by one step: `a.b[0]["odd key"]`. */
export function step(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  if (!/^[A-Za-z_][\w-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** The path of what `inner` names inside of `outer`. */
export function within(outer: string, inner: string): string {
  return outer === "" || inner === "" || inner.startsWith("[") ? outer + inner : `${outer}.${inner}`;
}

/** A value for a message: in double quotes, cut after 100 characters. */
export function quote(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}
