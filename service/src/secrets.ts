import type { Schema } from "./document.js";
import { isObject, type Json, type JsonObject, step } from "./json.js";

/** The mask instead of a secret in answers. If a client sends it back, the stored secret stays. */
export const mask = "**REDACTED**";

/** Copies a resource and replaces every secret that is not empty. A secret URL is answered in plain text. */
export type MapSecrets = (
  resource: JsonObject,
  change: (secret: string, path: string, isUrl: boolean) => string,
) => JsonObject;

/** Finds the fields that the document marks with `x-secret` or `x-secret-url`, at any depth, in arrays and maps too. */
export function mapSecretsOf(schema: Schema, resolve: (schema: Schema) => Schema): MapSecrets {
  const merged = new WeakMap<Schema, Schema>();
  const schemaAt = (at: Schema): Schema => {
    const known = merged.get(at) ?? { ...resolve(at), ...at };
    merged.set(at, known);
    return known;
  };
  return (resource, change) => {
    const visit = (at: Schema, value: Json, path: string): Json => {
      const schema = schemaAt(at);
      const { properties, additionalProperties: values, items, "x-secret-url": isUrl = false } = schema;
      if (typeof value === "string") return (schema["x-secret"] || isUrl) && value ? change(value, path, isUrl) : value;
      if (Array.isArray(value)) {
        return items === undefined ? value : value.map((item: Json, i) => visit(items, item, step(path, i)));
      }
      if (!isObject(value)) return value;
      const entries = Object.entries(value).map(([key, each]) => {
        const known = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : values;
        return [key, typeof known === "object" ? visit(known, each, step(path, key)) : each];
      });
      // fromEntries, because an assignment would call the setter of "__proto__".
      return Object.fromEntries(entries) as JsonObject;
    };
    return visit(schema, resource, "") as JsonObject; // Visiting an object returns an object.
  };
}

/** Every secret of `resource` that is not empty, by its path. */
export function secretsIn(resource: JsonObject, map: MapSecrets): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  map(resource, (secret, path) => {
    found.set(path, secret);
    return secret;
  });
  return found;
}
