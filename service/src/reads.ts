import { hash } from "node:crypto";
import { type Context, noSuchObject, singletonSlug } from "./context.js";
import { ApiError, Problems, refused } from "./errors.js";
import { type JsonObject, quote } from "./json.js";
import type { FilterParameter, Kind, Operation } from "./operations.js";
import { present } from "./sealing.js";
import type { ListQuery } from "./store/store.js";

const defaultSize = 100;
// Every object is compared with every part of a text; a slug is looked up.
const mostValues = { equals: 5_000, contains: 20 };
const longestPart = 200;
const largestPage = 1_000;
const digestLength = 22;

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

/** The filters and position of a list request. The position is the slug of the last item seen. */
type Page = Pick<ListQuery, "filters" | "after" | "limit">;

/** Reads the query parameters of a list; array parameters repeat, empty values are ignored. */
function pageFrom(query: URLSearchParams, kind: string, known: readonly FilterParameter[]): Page {
  const named = known
    .map((filter) => ({ ...filter, values: valuesOf(query, filter.name) }))
    .filter(({ values }) => values.length > 0);
  for (const { name, match, values } of named) refuseTooMuch(name, match, values);
  const filters = named.map(({ name: _, ...filter }) => filter);
  const token = query.get("page.token") ?? "";
  return {
    filters,
    limit: sizeFrom(query.get("page.max_size") ?? ""),
    after: token === "" ? "" : positionOf(token, kind, filters),
  };
}

/** The token of the page that follows `last`: a digest of the list and the position, and the position. */
function tokenFor(last: string, kind: string, filters: Page["filters"]): string {
  return hash("sha256", JSON.stringify([kind, filters, last]), "base64url").slice(0, digestLength) + last;
}

/** Rejects a filter that would keep all other requests waiting. */
function refuseTooMuch(path: string, match: FilterParameter["match"], values: readonly string[]): void {
  const most = mostValues[match];
  if (values.length > most) throw unaskable(path, `expected at most ${most} values, got ${values.length}`);
  if (match === "contains" && values.some(({ length }) => length > longestPart))
    throw unaskable(path, `expected values of at most ${longestPart} characters`);
}

const unaskable = (path: string, message: string) =>
  refused("invalid", "the list request is invalid", new Problems({ path, message }));

function valuesOf(query: URLSearchParams, name: string): readonly string[] {
  return [...new Set(query.getAll(name).filter((value) => value !== ""))].sort();
}

function sizeFrom(text: string): number {
  const size = Number(text);
  if (!/^\d*$/.test(text) || size > largestPage) {
    throw unaskable("page.max_size", `expected an integer from 0 to ${largestPage}, got ${quote(text)}`);
  }
  return size || defaultSize;
}

function positionOf(token: string, kind: string, filters: Page["filters"]): string {
  const last = token.slice(digestLength);
  if (tokenFor(last, kind, filters) === token) return last;
  throw new ApiError(
    "badPageToken",
    "page.token is damaged or belongs to a list with other filters; start again without a token",
  );
}
