import type { Kind } from "../schema/kind";
import { isObject, type JsonObject } from "../wire/json";
import { Reader } from "./reader";
import { pathOf } from "./reads";
import { KnownService } from "./knownService";
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

/** Sends the API's writes, by each kind's table, and gives the classes that read. Objects are in wire spelling. */
export class Client {
  readonly transport: Transport;
  readonly service: KnownService;
  readonly reader: Reader;

  /**
   * @param note Shows the user an info line.
   * @param singlesFirst How many objects of a kind are looked up singly before pages are read.
   */
  constructor(settings: Settings, note?: (text: string) => void, singlesFirst?: number) {
    this.transport = new Transport(settings, note);
    this.service = new KnownService(this.transport);
    this.reader = new Reader(this.service, singlesFirst);
  }

  get baseUrl(): string {
    return this.transport.baseUrl;
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

  /**
   * DELETE of one object by its path, sent once.
   * @returns whether the answer has the service's own form, so that it confirms the delete.
   */
  async delete(kind: Kind, slug: string): Promise<boolean> {
    const operation = kind.operations.delete;
    const { status, body, hasObject } = await this.#write({ operation, path: pathOf(operation, slug) });
    // With 202 it is only accepted.
    return status !== 202 && hasObject && Object.keys(body).every((key) => key === kind.wire.one);
  }

  async #sendObject(kind: Kind, request: Request): Promise<WriteAnswer> {
    const answer = await (request.body?.dry_run === true ? this.transport.send(request) : this.#write(request));
    const object = answer.body[kind.wire.one];
    return { ...answer, object: isObject(object) ? object : undefined };
  }

  /** Sends a write, and discards all pages that were read before it or during it. */
  async #write(request: Request): Promise<HttpAnswer> {
    this.reader.forget();
    try {
      return await this.transport.send(request);
    } finally {
      this.reader.forget();
    }
  }
}
