import type { Kind, Operation } from "../schema/kind";
import { isObject, type JsonObject } from "../wire/json";
import { addressDoubt, ApiError, UnexpectedAnswerError } from "./errors";
import { Listing } from "./listing";
import type { Settings } from "./settings";
import { type Answer, type Request, Transport } from "./transport";

/** The largest page the reference service gives; others may give less. */
const pageSize = 1_000;

export interface Written extends Answer {
  /** The object as it now stands, on the wire; nothing after a dry run, or where the service does not answer with it. */
  readonly object: JsonObject | undefined;
}

export interface Found extends Answer {
  readonly object: JsonObject;
}

export interface WriteOptions {
  readonly dryRun: boolean;
}

/** What proves that an address is the service's. */
export interface Proof {
  /** The kind at hand. */
  readonly kind: Kind;
  /** The slug of an object of it, if there may be one. */
  readonly slug?: string | undefined;
  /** A kind whose list every service has. */
  readonly other: Kind;
  /** When the proof must have been asked for, in milliseconds of `performance.now()`. */
  readonly since?: number | undefined;
  /** When it is given up, in milliseconds since the epoch; without one, each request has its own budget. */
  readonly until?: number | undefined;
}

/** The interface's operations, by the table of each kind. Objects are in wire spelling. */
export class Client {
  readonly #transport: Transport;
  readonly #succeeded = new Set<Operation>();
  // What was read since the last write, by kind.
  readonly #listings = new Map<Kind, Listing<Found>>();
  // When the newest answer was asked for that only the service itself could give: a page of a list, or an object.
  #provenAt = -Infinity;
  readonly #proofs = new Map<Kind, Promise<unknown>>();

  /** @param note Tells the user something. */
  constructor(settings: Settings, note?: (text: string) => void) {
    this.#transport = new Transport(settings, note);
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** Loads what sends requests, so that the first need not wait for it. */
  prepare(): Promise<void> {
    return this.#transport.prepare();
  }

  /** Ends what changes nothing and starts nothing new; writes under way go on to their answer. */
  interrupt(): void {
    this.#transport.interrupt();
  }

  /** Waits before another attempt, until the run is interrupted: then it throws what came of the last one. */
  pause(delayMs: number, error: unknown): Promise<void> {
    return this.#transport.pause(delayMs, error);
  }

  /** POST of a new object. Refused where its slug is taken. */
  async post(kind: Kind, object: JsonObject, { dryRun }: WriteOptions): Promise<Written> {
    const operation = kind.operations.create;
    return this.#write(kind, operation, operation.path, { dry_run: dryRun, [kind.wire.one]: object }, dryRun);
  }

  /** PUT of the whole object. Without `createIfMissing` an error where there is none under the slug. */
  async put(
    kind: Kind,
    slug: string,
    object: JsonObject,
    { dryRun, createIfMissing }: WriteOptions & { readonly createIfMissing: boolean },
  ): Promise<Written> {
    const operation = kind.operations.update;
    const body = { create_if_missing: createIfMissing, dry_run: dryRun, [kind.wire.one]: object };
    return this.#write(kind, operation, pathOf(operation, slug), body, true);
  }

  /** GET of one object by its path. */
  async get(kind: Kind, slug: string, operation = kind.operations.read, until?: number): Promise<Found> {
    const path = pathOf(operation, slug);
    const askedAt = performance.now();
    const answer = await this.#transport.send({ operation, path, repeatable: true, until });
    const object = answer.body[kind.wire.one];
    if (!isObject(object)) throw this.#unexpected(path, answer, `"${kind.wire.one}" is`);
    this.#prove(operation, askedAt);
    return { ...answer, object };
  }

  /**
   * Every object that one of the slugs names, from all pages. A service that ignores the filter is filtered here.
   * @throws {UnexpectedAnswerError} where an answer has no `page`: then absence would prove nothing.
   */
  async listBySlugs(kind: Kind, slugs: readonly string[]): Promise<Found[]> {
    const wanted = new Set<unknown>(slugs);
    const found: Found[] = [];
    const seen = new Set<string>();
    let token = "";
    do {
      const page = await this.#page(kind, slugs, token);
      const objects = page.objects.filter((object) => wanted.has(object.slug));
      found.push(...objects.map((object) => ({ ...page.answer, object })));
      token = page.nextToken;
      if (seen.has(token)) {
        throw new UnexpectedAnswerError(
          `GET ${kind.operations.list?.path} answered with the same page token twice, so its list has no end: this is a defect of the service`,
        );
      }
      seen.add(token);
    } while (token !== "" && found.length < wanted.size);
    return found;
  }

  /** The object under a slug, through the kind's list; many of them by whole pages of it. */
  async find(kind: Kind, slug: string): Promise<Found | undefined> {
    const listing = this.#listings.get(kind) ?? this.#newListing(kind);
    this.#listings.set(kind, listing);
    return listing.find(slug);
  }

  #newListing(kind: Kind): Listing<Found> {
    return new Listing<Found>({
      single: async (slug) => (await this.listBySlugs(kind, [slug]))[0],
      page: async (token) => {
        const { answer, objects, nextToken } = await this.#page(kind, [], token);
        return { items: objects.map((object) => [String(object.slug), { ...answer, object }]), nextToken };
      },
    });
  }

  /**
   * Asks for what only the service itself can answer with, unless it has done so since: the kind's own list, then one of
   * its objects, because a token may have no rights beyond the kind; then another kind's list.
   */
  async proveAddress({ kind, slug, other, since = 0, until }: Proof): Promise<void> {
    while (this.#provenAt < since) {
      await firstShown([
        ...(kind.isSingleton ? [] : [() => this.#proveByList(kind, until)]),
        // Not shared: what a service says of one object is not told of another, whose secrets alone are struck.
        ...(slug === undefined ? [] : [() => this.get(kind, slug, kind.family.get, until)]),
        ...(kind === other ? [] : [() => this.#proveByList(other, until)]),
      ]);
    }
  }

  #proveByList(kind: Kind, until: number | undefined): Promise<unknown> {
    const proof = this.#proofs.get(kind) ?? this.#page(kind, [], "", 1, until).finally(() => this.#proofs.delete(kind));
    this.#proofs.set(kind, proof);
    return proof;
  }

  /** DELETE of one object by its path. */
  async delete(kind: Kind, slug: string): Promise<void> {
    const operation = kind.operations.delete;
    await this.#change({ operation, path: pathOf(operation, slug), repeatable: true });
  }

  /** True once a read has succeeded in this process with an answer of the right form. */
  hasRead(operation: Operation): boolean {
    return this.#succeeded.has(operation);
  }

  /** Names what came by its keys alone: values may be secrets. */
  #unexpected(path: string, { body }: Answer, expected: string): UnexpectedAnswerError {
    const came = Object.keys(body).join(", ").slice(0, 80);
    return new UnexpectedAnswerError(
      `GET ${path} answered {${came}} where ${expected} expected: ${addressDoubt(this.baseUrl)}`,
    );
  }

  #prove(operation: Operation, askedAt: number): void {
    this.#succeeded.add(operation);
    this.#provenAt = Math.max(this.#provenAt, askedAt);
  }

  async #write(
    kind: Kind,
    operation: Operation,
    path: string,
    body: JsonObject,
    repeatable: boolean,
  ): Promise<Written> {
    const request = { operation, path, body, repeatable };
    const answer = await (body.dry_run === true ? this.#transport.send(request) : this.#change(request));
    const object = answer.body[kind.wire.one];
    return { ...answer, object: isObject(object) ? object : undefined };
  }

  /** A request after which nothing counts that was read before it, or while it was under way. */
  async #change(request: Request): Promise<Answer> {
    this.#listings.clear();
    try {
      return await this.#transport.send(request);
    } finally {
      this.#listings.clear();
    }
  }

  async #page(kind: Kind, slugs: readonly string[], token: string, size = pageSize, until?: number) {
    const operation = kind.operations.list;
    if (operation === undefined || kind.wire.many === undefined) throw new Error(`${kind.name} cannot be listed`);
    const askedAt = performance.now();
    const answer = await this.#transport.send({
      operation,
      path: operation.path,
      query: [
        ["page.max_size", String(size)],
        ...(token === "" ? [] : ([["page.token", token]] as const)),
        ...slugs.map((slug) => ["slugs", slug] as const),
      ],
      repeatable: true,
      until,
    });
    const objects = answer.body[kind.wire.many] ?? [];
    const { page } = answer.body;
    if (!isObject(page) || !Array.isArray(objects) || !objects.every(isObject)) {
      throw this.#unexpected(operation.path, answer, `an array "${kind.wire.many}" and an object "page" are`);
    }
    this.#prove(operation, askedAt);
    const nextToken = typeof page.next_token === "string" ? page.next_token : "";
    return { answer, objects: objects as readonly JsonObject[], nextToken };
  }
}

const pathOf = ({ path }: Operation, slug: string) => path.replace("{slug}", encodeURIComponent(slug));

/** Asks one question after another, until one is not closed to this token, or missing at this service. */
async function firstShown([ask, ...others]: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  try {
    return await ask?.();
  } catch (error) {
    const isClosed = error instanceof ApiError && [403, 404, 405, 501].includes(error.status);
    if (others.length === 0 || !(isClosed || error instanceof UnexpectedAnswerError)) throw error;
    return firstShown(others);
  }
}
