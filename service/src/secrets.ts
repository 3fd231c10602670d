import { mapParts, type Schema } from "./document.js";
import { type Json, type JsonObject, step } from "./json.js";

/** The mask instead of a secret in answers. If a client sends it back, the stored secret stays. */
export const mask = "**REDACTED**";

/** Copies a resource and replaces every secret that is not empty. A secret URL is answered in plain text. */
export type MapSecrets = (
  resource: JsonObject,
  change: (secret: string, path: string, isUrl: boolean) => string,
) => JsonObject;

/** Finds the fields that the document marks with `x-secret` or `x-secret-url`, at any depth, in arrays and maps too. */
export const mapSecretsOf =
  (schema: Schema, resolve: (schema: Schema) => Schema): MapSecrets =>
  (resource, change) => {
    const visit = (at: Schema, value: Json, path: string): Json => {
      const schema = resolve(at);
      const { "x-secret": isSecret, "x-secret-url": isUrl = false } = schema;
      if (typeof value === "string") return (isSecret || isUrl) && value ? change(value, path, isUrl) : value;
      return mapParts(schema, value, (inner, part, key) => (inner ? visit(inner, part, step(path, key)) : part));
    };
    return visit(schema, resource, "") as JsonObject; // Visiting an object returns an object.
  };

/** Every secret of `resource` that is not empty, by its path. */
export function secretsIn(resource: JsonObject, map: MapSecrets): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  map(resource, (secret, path) => {
    found.set(path, secret);
    return secret;
  });
  return found;
}
