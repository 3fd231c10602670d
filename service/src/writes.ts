import { type Context, nameOf, noSuchObject, singletonSlug } from "./context.js";
import { ApiError, Problems, refused } from "./errors.js";
import { type JsonObject, quote } from "./json.js";
import type { Kind } from "./operations.js";
import { candidate, isSlug, longestSlug, slugFrom } from "./rules/identity.js";
import type { Mention } from "./rules/rules.js";
import { present, seal } from "./sealing.js";
import type { StoredObject } from "./store/rows.js";
import type { Store } from "./store/store.js";

export interface Write {
  /** The resource, with types and rules already checked. */
  readonly resource: JsonObject;
  readonly dryRun: boolean;
}

// One query for many slugs costs as much as for one, and few objects share a name.
const slugsPerTry = 100;

// A dry run does every check of a write. The order is: body, existence, references, conflicts. Checks and write are one
// synchronous step: no other request comes between them.

export function create(context: Context, kind: Kind, { resource, dryRun }: Write): JsonObject {
  const { store } = context;
  const slug = slugFor(store, kind, resource);
  const named = kind.isSingleton ? resource : { ...resource, slug };
  const body = seal(context, kind, { slug, resource: named, stored: undefined });
  const mentions = existingMentions(context, kind, resource);
  if (store.has(kind.name, slug)) throw taken(kind, slug);
  if (dryRun) return {};
  const now = new Date().toISOString();
  return put(context, kind, { ...row(kind, slug, body), created_at: now, updated_at: now }, mentions);
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
  const body = seal(context, kind, { slug, resource, stored });
  const mentions = existingMentions(context, kind, resource);
  if (dryRun) return {};
  const updated_at = nowAfter(stored?.updated_at);
  const created_at = stored?.created_at ?? updated_at;
  return put(context, kind, { ...row(kind, slug, body), created_at, updated_at }, mentions);
}

export function remove({ store, titleOf }: Context, kind: Kind, slug = singletonSlug): JsonObject {
  const object = { kind: kind.name, slug };
  // Not read, so that a damaged one can be deleted.
  if (!store.has(kind.name, slug)) throw noSuchObject(kind, slug);
  const users = store
    .referrers(object)
    .map((user) => nameOf({ title: titleOf(user.kind), isSingleton: user.slug === singletonSlug }, user.slug));
  if (users.length > 0) throw inUse(nameOf(kind, slug), users);
  store.remove(object);
  return {};
}

function put(context: Context, kind: Kind, object: StoredObject, mentions: readonly Mention[]): JsonObject {
  context.store.put(object, mentions);
  return { [kind.one]: present(context, kind, object) };
}

function withSlug(kind: Kind, resource: JsonObject, slug: string): JsonObject {
  const own = resource.slug;
  if (typeof own === "string" && own !== "" && own !== slug) {
    throw invalidSlug(kind, `${quote(own)} differs from ${quote(slug)} of the path; a slug cannot change`);
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
    throw invalidSlug(kind, `the name ${quote(String(name))} has no character that a slug may hold; give a slug`);
  }
  const freeIn = (block: number) => {
    const tried = Array.from({ length: slugsPerTry }, (_, i) => candidate(wanted, block * slugsPerTry + i));
    const existing = store.existing(kind.name, tried);
    return tried.find((each) => !existing.has(each));
  };
  // Of 100,000 namesakes, looks at some blocks only: doubles until one has room, and goes back to the first that has.
  let [full, open] = [-1, 0];
  while (freeIn(open) === undefined) [full, open] = [open, 2 * open + 1];
  while (open - full > 1) {
    const middle = Math.floor((full + open) / 2);
    if (freeIn(middle) === undefined) full = middle;
    else open = middle;
  }
  return freeIn(open) ?? wanted;
}

/** The objects that the resource refers to. Refuses it if one does not exist. */
function existingMentions({ store, titleOf }: Context, kind: Kind, resource: JsonObject): readonly Mention[] {
  const mentions = kind.mentions(resource);
  const missing = new Problems();
  for (const target of new Set(mentions.map((mention) => mention.kind))) {
    const those = mentions.filter((mention) => mention.kind === target);
    const existing = store.existing(
      target,
      those.map(({ slug }) => slug),
    );
    for (const { path, slug } of those) {
      if (!existing.has(slug)) missing.add(path, `there is no ${titleOf(target)} ${quote(slug)}`);
    }
  }
  if (missing.count > 0) throw refused("unknownReference", `the ${kind.title} refers to what does not exist`, missing);
  return mentions;
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

function taken(kind: Kind, slug: string): ApiError {
  if (kind.isSingleton)
    return new ApiError("singletonExists", `there is a ${kind.title} already, and only one is allowed`);
  return new ApiError("slugTaken", `the slug ${quote(slug)} is taken by another ${kind.title}`);
}

function inUse(what: string, users: readonly string[]): ApiError {
  return new ApiError("inUse", `the ${what} is in use by the ${users.slice(0, 5).join(", ")}; take it out there first`);
}
