import type { Kind, Operation } from "../schema/kind";
import { isObject, type JsonObject } from "../wire/json";
import { AddressCheck } from "./addressCheck";
import { addressDoubt, UnexpectedAnswerError } from "./errors";
import { type Found, Pages, unexpected } from "./pages";
import { Reader } from "./reader";
import type { Repetition } from "./retry";
import type { Settings } from "./settings";
import { type HttpAnswer, type Request, Transport } from "./transport";

export interface WriteAnswer extends HttpAnswer {
  /** The written object, on the wire; undefined after a dry run, or if the answer does not contain it. */
  readonly object: JsonObject | undefined;
}

export interface WriteOptions {
  readonly dryRun: boolean;
}

export interface PutOptions extends WriteOptions {
  readonly createIfMissing: boolean;
}

/** Sends the API's operations, by each kind's table. Objects are in wire spelling. */
export class Client {
  readonly #transport: Transport;
  readonly address: AddressCheck;
  readonly reader: Reader;

  /**
   * @param note Shows the user an info line.
   * @param singlesFirst How many objects of a kind are looked up singly before pages are read.
   */
  constructor(settings: Settings, note?: (text: string) => void, singlesFirst?: number) {
    this.#transport = new Transport(settings, note);
    const pages = new Pages(this.#transport, (operation, askedAt) => this.address.confirm(operation, askedAt));
    this.address = new AddressCheck(pages, (...asked) => this.get(...asked));
    this.reader = new Reader(pages, this.address, (...asked) => this.get(...asked), singlesFirst);
  }

  get baseUrl(): string {
    return this.#transport.baseUrl;
  }

  /** Loads the HTTP client early, so that the first request need not wait for it. */
  prepare(): Promise<void> {
    return this.#transport.prepare();
  }

  /** Ends reads and dry runs, and starts no new request. Running writes still wait for their answers. */
  interrupt(): void {
    this.#transport.interrupt();
  }

  /** Attempts within the retry budget, for a write: the caller looks its object up before it sends the write again. */
  repetition(): Repetition {
    return this.#transport.repetition();
  }

  /** POST of a new object. The service rejects it if the slug is taken. Sent once, unless it is a dry run. */
  async post(kind: Kind, object: JsonObject, { dryRun }: WriteOptions): Promise<WriteAnswer> {
    const operation = kind.operations.create;
    const body = { dry_run: dryRun, [kind.wire.one]: object };
    return this.#sendObject(kind, { operation, path: operation.path, body });
  }

  /**
   * PUT of the whole object. Fails if no object has the slug, unless `createIfMissing` is set. Sent once, unless it is a
   * dry run.
   */
  async put(
    kind: Kind,
    slug: string,
    object: JsonObject,
    { dryRun, createIfMissing }: PutOptions,
  ): Promise<WriteAnswer> {
    const operation = kind.operations.update;
    const body = { create_if_missing: createIfMissing, dry_run: dryRun, [kind.wire.one]: object };
    return this.#sendObject(kind, { operation, path: pathOf(operation, slug), body });
  }

  /** GET of one object by its path; undefined if the answer has null in its place, which no gateway would know to send. */
  async get(kind: Kind, slug: string, operation = kind.operations.read, until?: number): Promise<Found | undefined> {
    const path = pathOf(operation, slug);
    const askedAt = performance.now();
    const answer = await this.#transport.send({ operation, path, until });
    const object = answer.body[kind.wire.one];
    const isShown = isObject(object) && (kind.isSingleton || Boolean(object.slug));
    if (!isShown && object !== null) {
      const expected = `the field "${kind.wire.one}"${kind.isSingleton ? "" : " with a slug"}`;
      throw unexpected(path, answer, expected, this.address.isConfirmed ? noForm : addressDoubt(this.baseUrl));
    }
    if (object !== null && !kind.isSingleton && object.slug !== slug) {
      throw new UnexpectedAnswerError({
        what: `GET ${path} answered with another object (slug ${JSON.stringify(object.slug)})`,
        hint: "A proxy or gateway may mix up answers. Run again",
      });
    }
    this.address.confirm(operation, askedAt);
    return object === null ? undefined : { ...answer, object };
  }

  /**
   * DELETE of one object by its path, sent once. What pages show of the other objects stays true.
   * @returns whether the answer has the service's own form, so that it confirms the delete.
   */
  async delete(kind: Kind, slug: string): Promise<boolean> {
    const operation = kind.operations.delete;
    this.reader.forgetObject(kind, slug);
    const { status, body, hasContent } = await this.#transport.send({ operation, path: pathOf(operation, slug) });
    // With 202 it is only accepted.
    return status !== 202 && hasContent && Object.keys(body).every((key) => key === kind.wire.one);
  }

  async #sendObject(kind: Kind, request: Request): Promise<WriteAnswer> {
    const answer = await (request.body?.dry_run === true ? this.#transport.send(request) : this.#write(request));
    const object = answer.body[kind.wire.one];
    return { ...answer, object: isObject(object) ? object : undefined };
  }

  /** Sends a write, and discards all pages that were read before it or during it. */
  async #write(request: Request): Promise<HttpAnswer> {
    this.reader.forget();
    try {
      return await this.#transport.send(request);
    } finally {
      this.reader.forget();
    }
  }
}

const noForm =
  "If this is how the service answers when there is no such object, this package can't work with it: a gateway may answer " +
  "so too. A missing object is a 404, or null in the object's place";

const pathOf = ({ path }: Operation, slug: string) => path.replace("{slug}", encodeURIComponent(slug));
