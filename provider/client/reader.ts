import type { Kind } from "../schema/kind";
import type { JsonObject } from "../wire/json";
import { isMissingOperation, serviceCodes } from "./failures";
import { ApiError, UnexpectedAnswerError } from "./errors";
import { Listing } from "./listing";
import { askOnce, type Filtering, type KnownService } from "./knownService";
import { chunked, type Filter, type Found, noSuchList, type Requests } from "./lists";

/** Which objects of a list are wanted: those that match every filter given. */
export interface Filters {
  readonly slugs?: readonly string[] | undefined;
  readonly names?: readonly string[] | undefined;
}

/** Reads objects by the kind's list, or by whole pages of it; by their paths, what these do not show. */
export class Reader {
  // What was read since the last write, by kind: pages, and the slug of the list's first object, if it has one.
  readonly #listings = new Map<Kind, Listing<Found>>();
  readonly #firsts = new Map<Kind, Promise<string | undefined>>();

  constructor(
    private readonly client: Requests,
    private readonly service: KnownService,
  ) {}

  /** The pages of the kind's whole list, with whole objects instead of summaries. */
  async *pages(kind: Kind): AsyncGenerator<readonly Found[], void, undefined> {
    for await (const page of this.service.pages(kind)) yield await this.#whole(kind, page);
  }

  /** Every object that matches all filters, each once; an empty filter matches nothing. */
  async list(kind: Kind, filters: Filters = {}): Promise<readonly Found[]> {
    return this.#whole(kind, await this.#listed(kind, filters));
  }

  /**
   * The same as the list shows them. Filters here too: a service may ignore the filter. If an answer has other objects, it may
   * also be one to another request. Then the whole list decides.
   * @throws {UnexpectedAnswerError} if an answer has no `page`: absence would be uncertain.
   */
  async #listed(kind: Kind, { slugs, names }: Filters): Promise<readonly Found[]> {
    // One filter is enough for the service, in as many requests as its length takes.
    const [filter, key, values] =
      slugs === undefined ? (["names", "name", names] as const) : (["slugs", "slug", slugs] as const);
    const wanted = { slugs: slugs && new Set<unknown>(slugs), names: names && new Set<unknown>(names) };
    const found = new Map<unknown, Found>();
    const shown = new Set<unknown>([""]);
    const read = async (query: Filter) => {
      for await (const page of this.service.pages(kind, query)) {
        for (const each of page) {
          const { slug, name } = each.object;
          if ((wanted.slugs?.has(slug) ?? true) && (wanted.names?.has(name) ?? true)) found.set(slug, each);
          shown.add(each.object[key]);
        }
        // No other object has one of the slugs.
        if (wanted.slugs?.size === found.size) return;
      }
    };
    const isFiltered = async () => {
      const known = await this.service.knownFiltering(kind);
      if (values === undefined || (known ?? "honored") !== "honored") return false;
      for (const chunk of chunked(filter, values)) await read(chunk);
      if (values.every((value) => shown.has(value))) return true;
      // Only then a filter that has found nothing proves absence.
      if ((known ?? (await this.#filtering(kind))) !== "honored") return false;
      const asked = new Set<unknown>(["", ...values]);
      return [...shown].every((value) => asked.has(value));
    };
    if (!(await isFiltered())) await read([]);
    return [...found.values()];
  }

  /** What the list does with filters. An empty one has nothing to leave out. */
  async #filtering(kind: Kind): Promise<Filtering> {
    const slug = await askOnce(this.#firsts, kind, async () => {
      for await (const [first] of this.service.pages(kind)) if (first !== undefined) return String(first.object.slug);
      return undefined;
    });
    return slug === undefined ? "honored" : this.service.filtering(kind, slug);
  }

  /** The objects by themselves if the list shows only parts of them, which would look like edits. */
  async #whole(kind: Kind, listed: readonly Found[]): Promise<readonly Found[]> {
    const doubtful = listed.find(({ object }) => isSummary(kind, object));
    if (doubtful === undefined) return listed;
    const single = ({ object }: Found) =>
      this.client.get(kind, String(object.slug)).catch((error: unknown) => {
        // It was deleted since, or the read lags.
        if (error instanceof ApiError && error.serviceCode === serviceCodes.noSuchObject) return undefined;
        throw error;
      });
    const pairs = async () => {
      const found = await single(doubtful).catch((error: unknown) => {
        if (!isMissingOperation(error)) throw error;
        throw new UnexpectedAnswerError({
          what: `the list of ${kind.manyTitle} shows only summaries, and this service has no other operation that shows ${kind.manyTitle}`,
          hint: noSuchList,
        });
      });
      return found === undefined ? [] : [[found, doubtful] as const];
    };
    if (await this.service.listsWhole(kind, pairs)) return listed;
    return (await Promise.all(listed.map(single))).filter((found) => found !== undefined);
  }

  /**
   * The object under a slug, in the way that its kind and the service have.
   * @param mayUsePages Whether whole pages of the kind's list may answer, once many objects are looked up.
   * @throws as `Client.get`, if the kind is read by its path.
   */
  async read(kind: Kind, slug: string, mayUsePages: boolean): Promise<Found | undefined> {
    const isListed = await this.service.readsByList(kind);
    const usesPages = mayUsePages && this.service.isListable(kind);
    const found = await (usesPages ? this.#listingOf(kind).read(slug) : this.#single(kind, slug));
    return isListed && found !== undefined ? (await this.#whole(kind, [found]))[0] : found;
  }

  /** Whether the kind's whole list lacks the slug; false also if that is not known. See `Listing.lacks`. */
  async lacks(kind: Kind, slug: string): Promise<boolean> {
    return this.service.isListable(kind) && this.#listingOf(kind).lacks(slug);
  }

  /**
   * As `read`, by the list, for a service that may lack the GET: if the list has the object, the service lacks the GET.
   * @returns "no list" if the service lacks the list too, which costs one request per kind.
   */
  async readInstead(kind: Kind, slug: string): Promise<Found | undefined | "no list"> {
    const { list } = kind.operations;
    // The GET will report the error.
    if (list !== undefined && this.service.isUsable(list) === undefined)
      await this.service.askList(kind).catch(() => undefined);
    if (list === undefined || this.service.isUsable(list) !== true) return "no list";
    const [found] = await this.list(kind, { slugs: [slug] });
    if (found !== undefined) this.service.record(kind.family.get, false);
    return found;
  }

  async #single(kind: Kind, slug: string): Promise<Found | undefined> {
    if (!(await this.service.readsByList(kind))) return this.client.get(kind, slug);
    return (await this.#listed(kind, { slugs: [slug] }))[0];
  }

  #listingOf(kind: Kind): Listing<Found> {
    const listing =
      this.#listings.get(kind) ??
      new Listing<Found>({
        single: (slug) => this.#single(kind, slug),
        page: async (token) => {
          const { answer, objects, nextToken } = await this.service.page(kind, [], token);
          return { items: objects.map((object) => [String(object.slug), { ...answer, object }]), nextToken };
        },
        isWhole: async (pairs) => (await this.service.readsByList(kind)) || this.service.listsWhole(kind, pairs),
      });
    this.#listings.set(kind, listing);
    return listing;
  }

  /** Discards what was read: this process writes something. */
  forget(): void {
    this.#listings.clear();
    this.#firsts.clear();
  }
}

/** Whether an object has nothing but what lists of names have: a list may leave out the rest. */
const isSummary = ({ contents, isSingleton }: Kind, object: JsonObject) =>
  !isSingleton && contents.every(({ wireName }) => object[wireName] === undefined || object[wireName] === null);
