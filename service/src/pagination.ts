import { ApiError, Problems, refused } from "./errors.js";
import { quote } from "./json.js";
import type { ServiceKey } from "./key.js";

const defaultSize = 100;
export const largestPage = 1_000;
// 128 bits: nobody can guess a token, and it stays short in a URL.
const signatureBytes = 16;

/** The filters and position of a list request. The position is the slug of the last item seen. */
export interface Page {
  readonly slugs: readonly string[];
  readonly names: readonly string[];
  readonly after: string | undefined;
  readonly size: number;
}

/** Reads the query parameters of a list; array parameters repeat, empty values are ignored. */
export function pageFrom(query: URLSearchParams, kind: string, key: ServiceKey): Page {
  const slugs = filter(query, "slugs");
  const names = filter(query, "names");
  const token = query.get("page.token") ?? "";
  return {
    slugs,
    names,
    size: sizeFrom(query.get("page.max_size") ?? ""),
    after: token === "" ? undefined : positionOf(token, { kind, slugs, names }, key),
  };
}

/** The token of the page that follows `last`. */
export function tokenFor(last: string, kind: string, { slugs, names }: Page, key: ServiceKey): string {
  return encode(last, { kind, slugs, names }, key);
}

function filter(query: URLSearchParams, name: string): readonly string[] {
  return [...new Set(query.getAll(name).filter((value) => value !== ""))].sort();
}

function sizeFrom(text: string): number {
  const size = Number(text);
  if (!/^\d*$/.test(text) || size > largestPage) {
    const message = `expected an integer from 0 to ${largestPage}, got ${quote(text)}`;
    throw refused("invalid", "the list cannot be asked for", new Problems({ path: "page.max_size", message }));
  }
  return size || defaultSize;
}

interface Filters {
  readonly kind: string;
  readonly slugs: readonly string[];
  readonly names: readonly string[];
}

function encode(last: string, { kind, slugs, names }: Filters, key: ServiceKey): string {
  const signature = key.sign(JSON.stringify([kind, slugs, names, last])).subarray(0, signatureBytes);
  return Buffer.concat([signature, Buffer.from(last)]).toString("base64url");
}

function positionOf(token: string, filters: Filters, key: ServiceKey): string {
  const last = Buffer.from(token, "base64url").subarray(signatureBytes).toString();
  // Compared as text, because several base64 texts decode to the same bytes.
  if (encode(last, filters, key) === token) return last;
  throw new ApiError(
    "badPageToken",
    "page.token is damaged or belongs to a list with other filters; start again without it",
  );
}
