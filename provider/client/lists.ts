import type { Kind, Operation } from "../schema/kind";
import { isObject, type JsonObject } from "../wire/json";
import { isMissingOperation, isRefusal } from "./answers";
import { addressDoubt, ApiError, UnexpectedAnswerError } from "./errors";
import type { HttpAnswer, Request } from "./failures";

/** The reference service's largest page. It is a preference: other services may give less. */
const pageSize = 1_000;

/** A filter may leave some pages empty. A list that never ends its tokens leaves all of them empty. */
const mostEmptyPages = 100;

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

/** Sends the requests for lists, page by page. */
export class Lists {
  /** @param record Gets to know whether an operation has succeeded, and when that request was sent, or is missing. */
  constructor(
    private readonly client: Requests,
    private readonly record: (operation: Operation, has: boolean, sentAt?: number) => void,
  ) {}

  /**
   * The pages of a list, to the end.
   * @param filter Query parameters, which the service may ignore.
   */
  async *pages(kind: Kind, filter: Filter = []): AsyncGenerator<Found[], void, undefined> {
    const seen = new Set<string>();
    let [token, empty] = ["", 0];
    do {
      const page = await this.page(kind, filter, token);
      empty = page.objects.length === 0 ? empty + 1 : 0;
      yield page.objects.map((object) => ({ ...page.answer, object }));
      token = page.nextToken;
      if (seen.has(token) || empty > mostEmptyPages) {
        const what = seen.has(token) ? "the same page token twice" : `${empty} empty pages in a row`;
        throw new UnexpectedAnswerError({
          what: `GET ${kind.operations.list?.path} answered with ${what}, so the list has no end`,
          hint: "Report this defect to the operators of the service",
        });
      }
      seen.add(token);
    } while (token !== "");
  }

  /** One page: the first one without a token. */
  async page(kind: Kind, filter: Filter = [], token = "", size = pageSize, until?: number) {
    const operation = kind.operations.list;
    if (operation === undefined || kind.wire.many === undefined) throw new Error(`${kind.name} cannot be listed`);
    const sentAt = performance.now();
    const query: Filter = [["page.max_size", String(size)], ...filterBy("page.token", token ? [token] : []), ...filter];
    const answer = await this.client.send({ operation, path: operation.path, query, until }).catch((error: unknown) => {
      if (isClosedList(error)) this.record(operation, false);
      if (token !== "" || !isRefusal(error) || error.isNotFound || isMissingOperation(error)) throw error;
      throw new ApiError({ ...error.facts, hint: mustAccept });
    });
    const objects = answer.body[kind.wire.many] ?? [];
    const page = answer.body.page === null ? {} : answer.body.page; // Null is no gateway's answer.
    if (!isObject(page) || !Array.isArray(objects) || !objects.every(isObject)) {
      const wanted = `the fields "${kind.wire.many}" (an array) and "page" (an object)`;
      const hint = kind.wire.many in answer.body ? noSuchList : addressDoubt(this.client.baseUrl);
      throw unexpected(operation.path, answer, wanted, hint);
    }
    // With a token in another form the list would look complete, and an object without a slug absent.
    const { next_token: next, ...others } = page;
    const hasOtherToken = Object.keys({ ...answer.body, ...others }).some((key) => /token/i.test(key));
    const isToken = !hasOtherToken && typeof (next ?? "") === "string";
    if (!isToken || !objects.every(({ slug }) => typeof slug === "string")) {
      const wanted = isToken ? `a "slug" in each of "${kind.wire.many}"` : 'a string "next_token" in "page"';
      throw unexpected(operation.path, answer, wanted, noSuchList);
    }
    this.record(operation, true, sentAt);
    return { answer, objects: objects as readonly JsonObject[], nextToken: String(next ?? "") };
  }
}

const mustAccept =
  `A service must accept a page.max_size of ${pageSize} and the filters slugs and names with any values, and may ignore them. ` +
  'To check the service, run "pulumi-observability doctor"';

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
const isClosedList = (error: unknown) =>
  error instanceof ApiError &&
  !error.isHtml &&
  (isMissingOperation(error) || (error.status === 403 && !error.operation.described));
