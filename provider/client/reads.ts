import type { Kind, Operation } from "../schema/kind";
import { isObject, type JsonObject } from "../wire/json";
import { isMissingOperation, isRefusal } from "./answers";
import { addressDoubt, ApiError, UnexpectedAnswerError } from "./errors";
import type { HttpAnswer, Transport } from "./transport";

/** The reference service's largest page; other services may give less. */
const pageSize = 1_000;

/** A filter may leave some pages empty. A list that never ends its tokens leaves all of them empty. */
const mostEmptyPages = 100;

export interface Found extends HttpAnswer {
  readonly object: JsonObject;
}

/** Which objects of a list are wanted: those that match every filter given. */
export interface Filters {
  readonly slugs?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
}

/** Sends the API's reads: one object by its path, and lists page by page. */
export class Reads {
  // Those that the service has answered in the right form, which nothing but the service itself can do.
  readonly #succeeded = new Set<Operation>();
  /** When the newest read was sent that has succeeded, in milliseconds of `performance.now()`. */
  succeededAt = -Infinity;
  // Lists that are not in the API spec, and that this service lacks or this token can't read.
  readonly #closed = new Set<Operation>();
  // The kinds whose list has answered a filter with the object.
  readonly #filtered = new Set<Kind>();
  readonly #filterTrials = new Map<Kind, Promise<boolean>>();
  /** The largest page to ask for; 0 leaves it to the service. */
  #largest = pageSize;

  constructor(private readonly transport: Transport) {}

  /** Whether the operation has succeeded in this process, with an answer of the right form. */
  hasSucceeded(operation: Operation): boolean {
    return this.#succeeded.has(operation);
  }

  #recordSuccess(operation: Operation, askedAt: number): void {
    this.#succeeded.add(operation);
    this.succeededAt = Math.max(this.succeededAt, askedAt);
  }

  /** GET of one object by its path; undefined if the answer has null in its place, which no gateway would know to send. */
  async get(kind: Kind, slug: string, until?: number): Promise<Found | undefined> {
    const operation = kind.family.get;
    const path = pathOf(operation, slug);
    const askedAt = performance.now();
    const answer = await this.transport.send({ operation, path, until });
    const object = answer.body[kind.wire.one];
    const isShown = isObject(object) && (kind.isSingleton || Boolean(object.slug));
    if (!isShown && object !== null) {
      const expected = `the field "${kind.wire.one}"${kind.isSingleton ? "" : " (an object with a slug)"}`;
      const hint = this.#succeeded.size > 0 ? noForm : addressDoubt(this.transport.baseUrl);
      throw unexpected(path, answer, expected, hint);
    }
    if (object !== null && !kind.isSingleton && object.slug !== slug) {
      throw new UnexpectedAnswerError({
        what: `GET ${path} answered with another object (slug ${JSON.stringify(object.slug)})`,
        hint: "A proxy or gateway may mix up answers. Run again",
      });
    }
    this.#recordSuccess(operation, askedAt);
    return object === null ? undefined : { ...answer, object };
  }

  isListable({ operations: { list } }: Kind): boolean {
    return list !== undefined && !this.#closed.has(list);
  }

  /**
   * The object with the slug, from all pages; undefined if the list does not have it. An answer with other objects may be
   * one to another request, or the service may ignore the filter: then the whole list decides.
   * @throws {UnexpectedAnswerError} if an answer has no `page`: absence would be uncertain.
   */
  async getFromList(kind: Kind, slug: string): Promise<Found | undefined> {
    if ((await this.#filterTrials.get(kind)) === true) return this.#getUnfiltered(kind, slug);
    const shown = await this.#searchList(kind, slug, filterOf("slugs", [slug])).catch((error: unknown) => {
      if (!isRejectedQuery(error)) throw error;
      return "others" as const;
    });
    if (shown === "others") return this.#getUnfiltered(kind, slug);
    if (shown !== "nothing") this.#filtered.add(kind);
    else if (!this.#filtered.has(kind) && (await this.#hasBrokenFilter(kind))) return this.#getUnfiltered(kind, slug);
    return shown === "nothing" ? undefined : shown;
  }

  async #getUnfiltered(kind: Kind, slug: string): Promise<Found | undefined> {
    const shown = await this.#searchList(kind, slug, []);
    return typeof shown === "string" ? undefined : shown;
  }

  /** The object in a list; without it, whether the list is empty or has others. */
  async #searchList(kind: Kind, slug: string, filter: Filter): Promise<Found | "nothing" | "others"> {
    let others: "nothing" | "others" = "nothing";
    for await (const page of this.pages(kind, filter)) {
      const found = page.find(({ object }) => object.slug === slug);
      if (found !== undefined) return found;
      if (page.length > 0) others = "others";
    }
    return others;
  }

  /** Whether a kind's list leaves out an object that matches the filter, as with another encoding. */
  async #hasBrokenFilter(kind: Kind): Promise<boolean> {
    const trial = this.#filterTrials.get(kind) ?? this.#tryFilter(kind);
    this.#filterTrials.set(kind, trial);
    return trial.catch((error: unknown) => {
      this.#filterTrials.delete(kind);
      throw error;
    });
  }

  /** Forgets the trials: a list that was empty may have an object now, which a trial needs. */
  forgetTrials(): void {
    this.#filterTrials.clear();
  }

  async #tryFilter(kind: Kind): Promise<boolean> {
    for await (const [first] of this.pages(kind)) {
      if (first === undefined) continue;
      const { slug } = first.object;
      const { objects } = await this.page(kind, filterOf("slugs", [String(slug)])).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
        return { objects: [] };
      });
      if (!objects.some((object) => object.slug === slug)) return true;
      this.#filtered.add(kind);
      return false;
    }
    return false; // Without an object there is nothing to leave out.
  }

  /**
   * Every object that matches all filters, each once, from all pages. Filters here too, because a service may ignore
   * the filter; an empty filter matches nothing.
   * @throws {UnexpectedAnswerError} as `getFromList`.
   */
  async list(kind: Kind, { slugs, names }: Filters = {}): Promise<Found[]> {
    const wantedSlugs = slugs && new Set<unknown>(slugs);
    const wantedNames = names && new Set<unknown>(names);
    const isWanted = ({ object: { slug, name } }: Found) =>
      (wantedSlugs?.has(slug) ?? true) && (wantedNames?.has(name) ?? true);
    const found = new Map<unknown, Found>();
    const read = async (filter: Filter) => {
      const shown = new Set<unknown>();
      for await (const page of this.pages(kind, filter))
        for (const each of page) {
          if (isWanted(each)) found.set(each.object.slug, each);
          shown.add(slugs === undefined ? each.object.name : each.object.slug);
        }
      return shown;
    };
    // One filter is enough for the service, in as many requests as its length takes.
    const requests =
      slugs !== undefined ? chunked("slugs", slugs) : names !== undefined ? chunked("names", names) : [[]];
    try {
      for (const filter of requests) {
        const shown = await read(filter);
        const missing = filter.filter(([, value]) => !shown.has(value));
        // Two that are shown prove that the service understands such a filter.
        if (missing.length === 0 || filter.length - missing.length > 1) continue;
        if (!this.#filtered.has(kind) && (await this.#hasBrokenFilter(kind))) await read([]);
        else if (filter.length > 1) await Promise.all(missing.map((each) => read([each])));
      }
    } catch (error) {
      if (requests[0]?.length === 0 || !isRejectedQuery(error)) throw error;
      await read([]);
    }
    return [...found.values()];
  }

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
  async page(kind: Kind, filter: Filter = [], token = "", size = this.#largest, until?: number) {
    const operation = kind.operations.list;
    if (operation === undefined || kind.wire.many === undefined) throw new Error(`${kind.name} cannot be listed`);
    const askedAt = performance.now();
    const send = (maxSize: number) => {
      const query: Filter = [
        ["page.max_size", String(maxSize)],
        ...filterOf("page.token", token ? [token] : []),
        ...filter,
      ];
      return this.transport.send({ operation, path: operation.path, query, until });
    };
    const answer = await send(size).catch(async (error: unknown) => {
      if (isClosedList(error)) this.#closed.add(operation);
      if (size === 0 || !isRejectedQuery(error)) throw error;
      // The service may reject so large a page.
      const accepted = await send(0).catch(() => {
        throw error;
      });
      this.#largest = 0;
      return accepted;
    });
    const objects = answer.body[kind.wire.many] ?? [];
    const page = answer.body.page === null ? {} : answer.body.page; // Null is no gateway's answer.
    if (!isObject(page) || !Array.isArray(objects) || !objects.every(isObject)) {
      const wanted = `the fields "${kind.wire.many}" (an array) and "page" (an object)`;
      const hint = kind.wire.many in answer.body ? noSuchList : addressDoubt(this.transport.baseUrl);
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
    this.#recordSuccess(operation, askedAt);
    return { answer, objects: objects as readonly JsonObject[], nextToken: String(next ?? "") };
  }
}

const noForm =
  "If this is how the service answers when there is no such object, this package can't work with it: a gateway may answer " +
  "so too. A missing object is a 404, or null in the object's place";

export const pathOf = ({ path }: Operation, slug: string) => path.replace("{slug}", encodeURIComponent(slug));

export const noSuchList = "This package can't work with such a list";

/** An error that names only the keys of the answer: values may be secrets. */
function unexpected(path: string, { body }: HttpAnswer, expected: string, hint: string): UnexpectedAnswerError {
  const keys = Object.keys(body).map((key) => JSON.stringify(key));
  const fields = `${keys.length === 1 ? "field" : "fields"} ${keys.join(", ").slice(0, 80)}`;
  const came = keys.length === 0 ? "an empty JSON object" : `a JSON object that contains only the ${fields}`;
  const what = `GET ${path} answered with ${came}. The answer must have ${expected}`;
  return new UnexpectedAnswerError({ what, hint });
}

/** The query parameters that limit a list. */
type Filter = readonly (readonly [name: string, value: string])[];

const filterOf = (name: string, values: readonly string[]): Filter => values.map((value) => [name, value]);

/** Well below the longest URL that servers accept. A single value may be longer. */
const longestFilter = 4_000;

/** A filter in pieces that each fit into one request. Leaves out empty values: services ignore them. */
function chunked(name: string, values: readonly string[]): Filter[] {
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
  return chunks.map((chunk) => filterOf(name, chunk));
}

/** Some services reject so large a page, some a filter whose value no object has, and some every filter. */
const isRejectedQuery = (error: unknown) => isRefusal(error) && !isMissingOperation(error);

/** A list that the service lacks or that the token may not read. An HTML page decides nothing: it comes from a gateway. */
const isClosedList = (error: unknown) =>
  error instanceof ApiError &&
  !error.isHtml &&
  (isMissingOperation(error) || (error.status === 403 && !error.operation.described));
