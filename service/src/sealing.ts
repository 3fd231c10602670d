import type { Context } from "./context.js";
import { Problems, refused } from "./errors.js";
import type { JsonObject } from "./json.js";
import type { Kind } from "./operations.js";
import { mask, secretsIn } from "./secrets.js";
import type { StoredObject } from "./store/store.js";

/**
 * The resource for the store: encrypts secrets, and replaces a mask by the secret that `stored` has in its place.
 * Refuses a mask if nothing is stored there.
 */
export function seal(
  { key }: Context,
  kind: Kind,
  {
    slug,
    resource,
    stored,
  }: { readonly slug: string; readonly resource: JsonObject; readonly stored: StoredObject | undefined },
): JsonObject {
  const kept = stored === undefined ? new Map<string, string>() : secretsIn(bodyOf(stored), kind.mapSecrets);
  const problems = new Problems();
  const sealed = kind.mapSecrets(resource, (secret, path, isUrl) => {
    if (secret !== mask) return (isUrl ? sealedUrl : "") + key.seal(secret, placeOf(kind.name, slug, path));
    const known = kept.get(path);
    if (known === undefined) problems.add(path, `no value is stored that "${mask}" could keep; send the value`);
    return known ?? "";
  });
  if (problems.count > 0) throw refused("invalid", `the ${kind.title} is invalid`, problems);
  return sealed;
}

/** The resource for an answer: URLs in clear, other secrets masked, or in clear if `showSecrets` is set. */
export function present({ key, showSecrets }: Context, kind: Kind, stored: StoredObject): JsonObject {
  const { slug, created_at, updated_at } = stored;
  const shown = kind.mapSecrets(bodyOf(stored), (sealed, path, isUrl) => {
    if (isUrl && !sealed.startsWith(sealedUrl)) return sealed;
    if (!isUrl && !showSecrets) return mask;
    return key.open(isUrl ? sealed.slice(sealedUrl.length) : sealed, placeOf(kind.name, slug, path));
  });
  return { ...shown, created_at, updated_at };
}

// Tells a sealed URL from one in clear, as version 1 of the database had them.
const sealedUrl = "sealed:";

// A sealed secret opens only in its own place, so that nobody can swap rows in the database.
function placeOf(kind: string, slug: string, path: string): string {
  return `${kind}/${slug}/${path}`;
}

export function bodyOf({ body }: StoredObject): JsonObject {
  return JSON.parse(body) as JsonObject; // The cast holds: only results of `seal` are stored.
}
