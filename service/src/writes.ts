import { type Context, nameOf, noSuchObject, singletonSlug } from "./context.js";
import { ApiError, Problems, refused } from "./errors.js";
import { type JsonObject, quote } from "./json.js";
import type { Kind } from "./operations.js";
import { candidate, isSlug, longestSlug, slugFrom } from "./rules/identity.js";
import { bodyOf, present, seal } from "./sealing.js";
import type { Store, StoredObject } from "./store/store.js";

export interface Write {
  /** The resource, with types and rules already checked. */
  readonly resource: JsonObject;
  readonly dryRun: boolean;
}

// A dry run does every check of a write. The order is: body, existence, references, conflicts. Checks and write are one
// synchronous step: no other request comes between them.

export function create(context: Context, kind: Kind, { resource, dryRun }: Write): JsonObject {
  const { store } = context;
  const slug = slugFor(store, kind, resource);
  const named = kind.isSingleton ? resource : { ...resource, slug };
  const body = seal(context, kind, named, undefined);
  refuseDangling(context, kind, resource);
  if (store.find(kind.name, slug) !== undefined)
    throw kind.isSingleton
      ? new ApiError("singletonExists", `there is a ${kind.title} already, and only one is allowed`)
      : new ApiError("slugTaken", `the slug ${quote(slug)} is taken by another ${kind.title}`);
  if (dryRun) return {};
  const now = new Date().toISOString();
  return put(context, kind, { ...row(kind, slug, body), created_at: now, updated_at: now });
}

export interface Update extends Write {
  readonly slug: string | undefined;
  readonly createIfMissing: boolean;
}

/** Replaces the whole object. Keeps only `created_at`, and secrets whose mask was sent. */
export function update(context: Context, kind: Kind, request: Update): JsonObject {
  const { slug = singletonSlug, dryRun, createIfMissing } = request;
  const resource = kind.isSingleton ? request.resource : withSlug(kind, request.resource, slug);
  const stored = context.store.find(kind.name, slug);
  if (stored === undefined && !createIfMissing) throw noSuchObject(kind, slug, "; create_if_missing creates it");
  const body = seal(context, kind, resource, stored);
  refuseDangling(context, kind, resource);
  if (dryRun) return {};
  const updated_at = nowAfter(stored?.updated_at);
  const created_at = stored?.created_at ?? updated_at;
  return put(context, kind, { ...row(kind, slug, body), created_at, updated_at });
}

export function remove(context: Context, kind: Kind, slug = singletonSlug): JsonObject {
  const { store } = context;
  if (store.find(kind.name, slug) === undefined) throw noSuchObject(kind, slug);
  const users = usersOf(context, kind, slug);
  if (users.length > 0) {
    const some = users.slice(0, 5).join(", ");
    throw new ApiError("inUse", `the ${nameOf(kind, slug)} is in use by the ${some}; remove it there first`);
  }
  store.remove(kind.name, slug);
  return {};
}

function put(context: Context, kind: Kind, object: StoredObject): JsonObject {
  context.store.put(object);
  return { [kind.one]: present(context, kind, object) };
}

function withSlug(kind: Kind, resource: JsonObject, slug: string): JsonObject {
  const own = resource.slug;
  if (typeof own === "string" && own !== "" && own !== slug) {
    throw invalidSlug(kind, `${quote(own)} differs from ${quote(slug)} in the path; a slug can't change`);
  }
  if (!isSlug(slug)) {
    throw invalidSlug(kind, `expected 1 to ${longestSlug} letters, digits, "_" and "-", got ${quote(slug)}`);
  }
  return { ...resource, slug };
}

function slugFor(store: Store, kind: Kind, { slug, name }: JsonObject): string {
  if (kind.isSingleton) return singletonSlug;
  if (typeof slug === "string" && slug !== "") return slug;
  const wanted = slugFrom(String(name));
  if (wanted === "") {
    throw invalidSlug(kind, `the name ${quote(String(name))} has no character that a slug can contain; set a slug`);
  }
  for (let n = 0; ; n++) {
    const tried = candidate(wanted, n);
    if (store.find(kind.name, tried) === undefined) return tried;
  }
}

/** Rejects a resource that refers to an object that does not exist. */
function refuseDangling({ store, kinds }: Context, kind: Kind, resource: JsonObject): void {
  const missing = new Problems();
  for (const { path, kind: name, slug } of kind.mentions?.(resource) ?? []) {
    const title = kinds.find((each) => each.name === name)?.title ?? name;
    if (store.find(name, slug) === undefined) missing.add(path, `there is no ${title} ${quote(slug)}`);
  }
  if (missing.count > 0)
    throw refused("unknownReference", `the ${kind.title} refers to an object that does not exist`, missing);
}

/** The names of the objects that refer to this one. */
function usersOf({ store, kinds }: Context, { name }: Kind, slug: string): readonly string[] {
  return kinds.flatMap((kind) => {
    const { mentions } = kind;
    if (mentions === undefined) return [];
    const refers = (user: StoredObject) => mentions(bodyOf(user)).some((to) => to.kind === name && to.slug === slug);
    return store
      .all(kind.name)
      .filter(refers)
      .map((user) => nameOf(kind, user.slug));
  });
}

function row(kind: Kind, slug: string, body: JsonObject): Pick<StoredObject, "kind" | "slug" | "name" | "body"> {
  return { kind: kind.name, slug, name: kind.isSingleton ? "" : String(body.name), body: JSON.stringify(body) };
}

/** The current time, but always later than `before`, even if the clock has not moved or has moved back. */
function nowAfter(before: string | undefined): string {
  const earliest = before === undefined ? 0 : Date.parse(before) + 1;
  return new Date(Math.max(Date.now(), earliest)).toISOString();
}

function invalidSlug(kind: Kind, message: string): ApiError {
  return refused("invalid", `the ${kind.title} is invalid`, new Problems({ path: "slug", message }));
}
