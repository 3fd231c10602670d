import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/json";
import { isMissingOperation } from "./failures";
import { ApiError, UnexpectedAnswerError } from "./errors";
import type { HttpAnswer, Request } from "./answers";

/** An object that the service shows. */
export interface Found extends HttpAnswer {
  readonly object: JsonObject;
}

/** The client, as far as reading by lists needs it. */
export interface Requests {
  readonly baseUrl: string;
  send(request: Request): Promise<HttpAnswer>;
  get(kind: Kind, slug: string, until?: number): Promise<Found | undefined>;
}

export const noSuchList = "This package can't work with such a list";

/** An error that names only the keys of the answer: values may be secrets. */
export function unexpected(path: string, { body }: HttpAnswer, expected: string, hint: string): UnexpectedAnswerError {
  const keys = Object.keys(body).map((key) => JSON.stringify(key));
  const fields = `${keys.length === 1 ? "field" : "fields"} ${keys.join(", ").slice(0, 80)}`;
  const came = keys.length === 0 ? "an empty JSON object" : `a JSON object that contains only the ${fields}`;
  const what = `GET ${path} answered with ${came}. The answer must have ${expected}`;
  return new UnexpectedAnswerError({ what, hint });
}

/** The query parameters that limit a list. */
export type Filter = readonly (readonly [name: string, value: string])[];

export const filterBy = (name: string, values: readonly string[]): Filter => values.map((value) => [name, value]);

/** Well below the longest URL that servers accept. A single value may be longer. */
const longestFilter = 4_000;

/** A filter in pieces that each fit into one request. Leaves out empty values: services ignore them. */
export function chunked(name: string, values: readonly string[]): Filter[] {
  const chunks: string[][] = [];
  let room = 0;
  for (const value of new Set(values)) {
    if (value === "") continue;
    const length = name.length + encodeURIComponent(value).length + 2;
    if (length > room) {
      chunks.push([]);
      room = longestFilter;
    }
    chunks.at(-1)?.push(value);
    room -= length;
  }
  return chunks.map((chunk) => filterBy(name, chunk));
}

/** A list that the service lacks or that the token may not read. An HTML page decides nothing: it comes from a gateway. */
export const isClosedList = (error: unknown) =>
  error instanceof ApiError &&
  !error.isHtml &&
  (isMissingOperation(error) || (error.status === 403 && !error.operation.described));
