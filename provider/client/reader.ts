import { isDeepStrictEqual } from "node:util";
import type { Kind } from "../schema/kind";
import { isComparable } from "../base/sameTime";
import type { JsonObject } from "../wire/json";
import type { AddressCheck } from "./addressCheck";
import { isMissingOperation } from "./answers";
import { UnexpectedAnswerError } from "./errors";
import { Listing } from "./listing";
import { type Filters, type Found, noSuchList, type Reads } from "./reads";

/** Which pages of a kind's list may answer: all that were read since this process wrote something, or none. */
export type PagesUse = "all" | "none";

/** Reads objects in the ways that this service has: by their paths, by the kind's list, or by whole pages of it. */
export class Reader {
  // The pages read since the last write, by kind.
  readonly #listings = new Map<Kind, Listing<Found>>();
  // What was learned of kinds that this service doesn't show in the described way: by the list alone, or, because the list
  // has only summaries, by their paths.
  readonly #learned = new Map<Kind, "list" | "path">();
  readonly #listTrials = new Map<Kind, Promise<boolean>>();

  /** @param singlesFirst How many objects of a kind are looked up singly before pages are read. */
  constructor(
    private readonly reads: Reads,
    private readonly address: AddressCheck,
    private readonly singlesFirst: number | undefined,
  ) {}

  /** As `Reads.pages`. */
  async *pages(kind: Kind): AsyncGenerator<Found[], void, undefined> {
    for await (const page of this.reads.pages(kind)) yield await this.#unabridged(kind, page);
  }

  /** As `Reads.list`. */
  async list(kind: Kind, filters?: Filters): Promise<Found[]> {
    return this.#unabridged(kind, await this.reads.list(kind, filters));
  }

  /** The objects themselves if a list shows only summaries, which would look like edits. */
  async #unabridged(kind: Kind, listed: readonly Found[]): Promise<Found[]> {
    const unabridged = async (found: Found) => {
      if (!isSummary(kind, found.object)) return found;
      const single = await this.reads.get(kind, String(found.object.slug)).catch((error: unknown) => {
        if (!isMissingOperation(error)) throw error;
        throw new UnexpectedAnswerError({
          what: `the list of ${kind.manyTitle} shows only summaries, and this service has no other operation that shows ${kind.manyTitle}`,
          hint: noSuchList,
        });
      });
      if (single === undefined || isSummary(kind, single.object)) return single;
      this.#learned.set(kind, "path");
      this.#listings.delete(kind);
      return single;
    };
    return (await Promise.all(listed.map(unabridged))).filter((found) => found !== undefined);
  }

  /**
   * The object under a slug; undefined if the kind is read by its list, and the list does not have it. Reads whole pages
   * of the kind's list if many objects are looked up.
   * @throws as `Reads.get`, if the kind is read by its path.
   */
  async read(kind: Kind, slug: string, pages: PagesUse): Promise<Found | undefined> {
    const isSingle = pages === "none" || !this.reads.isListable(kind);
    const found = isSingle ? this.#single(kind, slug) : this.#listingOf(kind).read(slug);
    return this.#identified(kind, slug, await found);
  }

  /**
   * The whole object of an answer, whose creation time distinguishes it from a later object with its slug.
   * @throws {UnexpectedAnswerError} if the time has a form that can't be compared: it must not count as no time.
   */
  async #identified(kind: Kind, slug: string, answered: Found | undefined): Promise<Found | undefined> {
    const found = answered && (await this.#unabridged(kind, [answered]))[0];
    const time = found?.object.created_at;
    if (isComparable(time)) return found;
    throw new UnexpectedAnswerError({
      what: `the service shows created_at as ${JSON.stringify(time).slice(0, 100)}, not as a string, in ${kind.title} ${JSON.stringify(slug)}`,
      hint:
        "A proxy or gateway may change the service's answers. Nothing is written or deleted, because without the time the object " +
        "can't be distinguished from a later one with its slug",
    });
  }

  /** Whether the kind's whole list lacks the slug; false also if that is not known. See `Listing.lacks`. */
  async lacks(kind: Kind, slug: string): Promise<boolean> {
    return this.reads.isListable(kind) && this.#listingOf(kind).lacks(slug);
  }

  /** Whether this service shows one object of the kind by the list: the described way, or the only one that it has. */
  readsByList(kind: Kind): boolean {
    return (this.#learned.get(kind) ?? (kind.readsByList ? "list" : "path")) === "list";
  }

  /**
   * The object under a slug by the kind's list, for a service that may lack the described way; undefined if the list does
   * not have it. If the list has it, the list shows all objects of the kind from then on.
   * @returns "no list" if the service lacks the list too, which costs one request per run and kind.
   */
  async readFromList(kind: Kind, slug: string): Promise<Found | undefined | "no list"> {
    const isListed = this.#listTrials.get(kind) ?? this.#tryList(kind);
    this.#listTrials.set(kind, isListed);
    if (!(await isListed)) return "no list";
    const found = await this.#identified(kind, slug, await this.reads.getFromList(kind, slug));
    if (found !== undefined && !this.#learned.has(kind)) this.#learned.set(kind, "list");
    return found;
  }

  async #tryList(kind: Kind): Promise<boolean> {
    if (!this.reads.isListable(kind)) return false;
    return this.address.askList(kind).then(
      () => true,
      () => false, // The described way will report the error.
    );
  }

  async #single(kind: Kind, slug: string): Promise<Found | undefined> {
    return this.readsByList(kind) ? this.reads.getFromList(kind, slug) : this.reads.get(kind, slug);
  }

  #listingOf(kind: Kind): Listing<Found> {
    const listing =
      this.#listings.get(kind) ??
      new Listing<Found>(
        {
          single: (slug) => this.#single(kind, slug),
          page: async (token) => {
            const { answer, objects, nextToken } = await this.reads.page(kind, [], token);
            return { items: objects.map((object) => [String(object.slug), { ...answer, object }]), nextToken };
          },
          ...(this.readsByList(kind) ? {} : { isSame }),
        },
        this.singlesFirst,
      );
    this.#listings.set(kind, listing);
    return listing;
  }

  /** Discards what was read: this process writes something. */
  forget(): void {
    this.#listings.clear();
    this.reads.forgetTrials();
  }
}

/** Whether two answers show an object alike; undefined if it may have been written in between. */
const isSame = (one: Found, other: Found) => {
  const times = [one, other].map(({ object }) => object.updated_at);
  if (times.every((time) => time !== undefined) && times[0] !== times[1]) return undefined;
  return isDeepStrictEqual(one.object, other.object);
};

/** Whether an object has nothing but what lists of names have: a list may leave out the rest. */
const isSummary = ({ contents, isSingleton }: Kind, object: JsonObject) =>
  !isSingleton && contents.every(({ wireName }) => object[wireName] === undefined || object[wireName] === null);
