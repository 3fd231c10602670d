import type { Context } from "./context.js";
import { Problems, refused } from "./errors.js";
import type { JsonObject } from "./json.js";
import type { Kind } from "./operations.js";
import { mask, secretsIn } from "./secrets.js";
import type { StoredObject } from "./store/store.js";

/**
 * The resource for the store: encrypts secrets, and replaces a mask by the secret that `stored` has there.
 * Rejects a mask if nothing is stored there.
 */
export function seal({ key }: Context, kind: Kind, resource: JsonObject, stored: StoredObject | undefined): JsonObject {
  const kept = stored === undefined ? new Map<string, string>() : secretsIn(bodyOf(stored), kind.mapSecrets);
  const problems = new Problems();
  const sealed = kind.mapSecrets(resource, (secret, path) => {
    if (secret !== mask) return key.seal(secret);
    const known = kept.get(path);
    if (known === undefined) problems.add(path, `no value is stored for the mask "${mask}"; send the value`);
    return known ?? "";
  });
  if (problems.count > 0) throw refused("invalid", `the ${kind.title} is invalid`, problems);
  return sealed;
}

/** The resource for an answer: URLs in plain text, other secrets masked, or in plain text if `showSecrets` is set. */
export function present({ key, showSecrets }: Context, kind: Kind, stored: StoredObject): JsonObject {
  const { created_at, updated_at } = stored;
  const shown = kind.mapSecrets(bodyOf(stored), (sealed, _path, isUrl) =>
    isUrl || showSecrets ? key.open(sealed) : mask,
  );
  return { ...shown, created_at, updated_at };
}

export function bodyOf({ body }: StoredObject): JsonObject {
  return JSON.parse(body) as JsonObject; // The cast is safe: only results of `seal` are stored.
}
