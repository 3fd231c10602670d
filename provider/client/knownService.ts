import { isDeepStrictEqual } from "node:util";
import { kinds } from "../kinds/index.gen";
import type { Kind, Operation } from "../schema/kind";
import { isObject, type JsonObject } from "../wire/json";
import { addressDoubt, ApiError, UnexpectedAnswerError } from "./errors";
import { isMissingOperation, isRejection } from "./failures";
import { type Filter, filterBy, type Found, isClosedList, noSuchList, type Requests, unexpected } from "./lists";

/** The reference service's largest page. It is a preference: other services may give less. */
const pageSize = 1_000;

/** A filter may leave some pages empty. A list that never ends its tokens leaves all of them empty. */
const mostEmptyPages = 100;

const mustAccept =
  `A service must accept a page.max_size of ${pageSize} and the filters slugs and names with any values, and may ignore them. ` +
  'To check the service, run "pulumi-observability doctor"';

/** A kind whose list every service has: reading it verifies the URL. */
export const listedKind = ((found = kinds.find(({ verifiesAddress }) => verifiesAddress)): Kind => {
  if (found === undefined) throw new Error("no kind's list verifies the URL");
  return found;
})();

/** What a list does with a filter; `incomplete`: it leaves out an object that matches, as with another encoding. */
export type Filtering = "honored" | "ignored" | "incomplete";

/** An object as read by itself, and as on a page of its kind's list. */
export type BothWays<Item> = readonly [single: Item, listed: Item];

/** How to verify that the URL is the service's. */
interface Verification {
  /** The kind of the current object. */
  readonly kind: Kind;
  /** The slug of an object of that kind, if one may exist. */
  readonly slug?: string | undefined;
  /** Older verifications do not count, in milliseconds of `performance.now()`. */
  readonly since?: number | undefined;
  /** The deadline in milliseconds of `performance.now()`; without one, each request has its own budget. */
  readonly until?: number | undefined;
}

/**
 * What a service can do for a token, beyond the API spec, except for dry runs. Each fact is decided once, for the whole run.
 * A question that fails has no answer yet.
 */
export class KnownService {
  // An answer in the right form shows that an operation is usable: nothing but the service can give one.
  readonly #usable = new Map<Operation, boolean>();
  readonly #filtering = new Map<Kind, Promise<Filtering>>();
  readonly #wholeLists = new Map<Kind, Promise<boolean>>();
  readonly #askedLists = new Map<Kind, Promise<unknown>>();
  /** When the newest read was sent that has succeeded, in milliseconds of `performance.now()`. */
  provedAt = -Infinity;

  constructor(private readonly client: Requests) {}

  /** Whether the operation has succeeded; false if the service lacks it, or if the token can't use it. */
  isUsable(operation: Operation): boolean | undefined {
    return this.#usable.get(operation);
  }

  /** @param sentAt When the request was sent that has succeeded. */
  record(operation: Operation, isUsable: boolean, sentAt = -Infinity): void {
    if (!this.#usable.has(operation)) this.#usable.set(operation, isUsable);
    this.provedAt = Math.max(this.provedAt, sentAt);
  }

  /**
   * Makes sure that the URL is the service's, because only then its "not found" and "done" count: requests something that only the service itself can answer, a page of a list
   * or an object, again while the newest success is older than `since`. Tries the kind's list, then the object, because a
   * token may have no rights beyond the kind, then the list that every service has.
   */
  async verify({ kind, slug, since = 0, until }: Verification): Promise<void> {
    while (this.provedAt < since) {
      await firstShown([
        ...(this.isListable(kind) ? [() => this.askList(kind, until)] : []),
        // Not shared between objects: an error may quote this object's secrets, and only its own caller redacts those.
        ...(slug === undefined ? [] : [() => this.client.get(kind, slug, until)]),
        ...(kind === listedKind && this.isListable(kind) ? [] : [() => this.askList(listedKind, until).catch(asCheck)]),
      ]);
    }
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
  async page(kind: Kind, filter: Filter = [], token = "", size = pageSize, until?: number) {
    const operation = kind.operations.list;
    if (operation === undefined || kind.wire.many === undefined) throw new Error(`${kind.name} cannot be listed`);
    const sentAt = performance.now();
    const query: Filter = [["page.max_size", String(size)], ...filterBy("page.token", token ? [token] : []), ...filter];
    const answer = await this.client.send({ operation, path: operation.path, query, until }).catch((error: unknown) => {
      if (isClosedList(error)) this.record(operation, false);
      if (token !== "" || !isRejection(error) || error.isNotFound || isMissingOperation(error)) throw error;
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

  /** Reads a page with one object, once for all that wait for it. */
  askList(kind: Kind, until?: number): Promise<unknown> {
    const running =
      this.#askedLists.get(kind) ?? this.page(kind, [], "", 1, until).finally(() => this.#askedLists.delete(kind));
    this.#askedLists.set(kind, running);
    return running;
  }

  isListable({ operations: { list } }: Kind): boolean {
    return list !== undefined && this.isUsable(list) !== false;
  }

  /**
   * Whether one object of the kind is read by the list: the described way, unless the list shows only parts of objects, or
   * the only way that the service has.
   */
  async readsByList(kind: Kind): Promise<boolean> {
    if (kind.readsByList) return (await this.#wholeLists.get(kind)) !== false;
    return this.isUsable(kind.family.get) === false;
  }

  /** The answer of `filtering`, once it was asked. */
  knownFiltering(kind: Kind): Promise<Filtering> | undefined {
    return this.#filtering.get(kind);
  }

  /**
   * What the kind's list does with filters: asks for several slugs.
   * @param slug The slug of an object in the list.
   */
  filtering(kind: Kind, slug: string): Promise<Filtering> {
    return askOnce(this.#filtering, kind, async () => {
      const slugs = [`${slug}-1`, slug, `${slug}-2`];
      let isShown = false;
      for await (const page of this.pages(kind, filterBy("slugs", slugs))) {
        const shown = page.map(({ object }) => String(object.slug));
        if (!shown.every((each) => slugs.includes(each))) return "ignored";
        isShown ||= shown.includes(slug);
      }
      return isShown ? "honored" : "incomplete";
    });
  }

  /**
   * Whether the kind's list shows objects whole: one that leaves out fields would hide edits and invent others.
   * @param pairs What to compare. An object that was written in between shows nothing.
   */
  listsWhole(kind: Kind, pairs: () => Promise<readonly BothWays<Found>[]>): Promise<boolean> {
    return askOnce(this.#wholeLists, kind, async () => {
      const same = (await pairs()).map(([single, listed]) => isSame(single, listed));
      return same.includes(true) && !same.includes(false);
    });
  }
}

/** Asks once for all that wait for the answer, and for all that follow. An error is no answer. */
export async function askOnce<T>(answers: Map<Kind, Promise<T>>, kind: Kind, ask: () => Promise<T>): Promise<T> {
  const answer = answers.get(kind) ?? ask();
  answers.set(kind, answer);
  return answer.catch((error: unknown) => {
    answers.delete(kind);
    throw error;
  });
}

/** Whether two answers show an object alike; undefined if it may have been written in between. */
const isSame = ({ object: one }: Found, { object: other }: Found) => {
  const times = [one.updated_at, other.updated_at];
  if (times.every((time) => time !== undefined) && times[0] !== times[1]) return undefined;
  return isDeepStrictEqual(one, other);
};

/** Names the reason of a request for objects of another kind. */
function asCheck(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new ApiError({ ...error.facts, request: `the check of baseUrl failed: ${error.facts.request}` });
}

/** Sends one request after another until one is neither forbidden for this token nor missing at this service. */
async function firstShown(questions: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  let closed: unknown = new Error("there is nothing to ask");
  for (const ask of questions) {
    try {
      return await ask();
    } catch (error) {
      const isClosed = error instanceof ApiError && [403, 404, 405, 410, 501].includes(error.status);
      if (!isClosed && !(error instanceof UnexpectedAnswerError)) throw error;
      closed = error;
    }
  }
  throw closed;
}
