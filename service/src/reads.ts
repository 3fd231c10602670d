import { type Context, noSuchObject, singletonSlug } from "./context.js";
import type { JsonObject } from "./json.js";
import type { Kind } from "./operations.js";
import { pageFrom, tokenFor } from "./pagination.js";
import { present } from "./sealing.js";

export async function read(context: Context, kind: Kind, slug = singletonSlug): Promise<JsonObject> {
  const stored = await context.store.find(kind.name, slug);
  if (stored === undefined) throw noSuchObject(kind, slug);
  return { [kind.one]: present(context, kind, stored) };
}

/** One page; `page.next_token` is empty on the last one. */
export async function list(context: Context, kind: Kind, many: string, query: URLSearchParams): Promise<JsonObject> {
  const page = pageFrom(query, kind.name, context.key);
  const { slugs, names, after, size } = page;
  // One item more than requested shows whether another page follows.
  const found = await context.store.list({ kind: kind.name, slugs, names, after, limit: size + 1 });
  const shown = found.slice(0, size);
  const last = found.length > size ? shown.at(-1) : undefined;
  return {
    [many]: shown.map((stored) => present(context, kind, stored)),
    page: { next_token: last === undefined ? "" : tokenFor(last.slug, kind.name, page, context.key) },
  };
}
