import { type Context, noSuchObject, singletonSlug } from "./context.js";
import type { JsonObject } from "./json.js";
import type { Kind, Operation } from "./operations.js";
import { pageFrom, tokenFor } from "./pagination.js";
import { present } from "./sealing.js";

export function read(context: Context, kind: Kind, slug = singletonSlug): JsonObject {
  const stored = context.store.find(kind.name, slug);
  if (stored === undefined) throw noSuchObject(kind, slug);
  return { [kind.one]: present(context, kind, stored) };
}

/** One page; `page.next_token` is empty on the last one. */
export function list(context: Context, { kind, filters }: Operation, query: URLSearchParams): JsonObject {
  const page = pageFrom(query, kind.name, filters);
  const { objects, more } = context.store.list({ kind: kind.name, ...page });
  const last = more ? objects.at(-1) : undefined;
  return {
    [kind.many]: objects.map((stored) => present(context, kind, stored)),
    page: { next_token: last === undefined ? "" : tokenFor(last.slug, kind.name, page.filters) },
  };
}
