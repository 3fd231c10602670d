import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import type { Kind, Operation } from "../schema/kind";
import { isObject, type JsonObject, parseJson } from "../wire/json";
import { isAway } from "./failures";
import { connect, connectionError, interrupted, tooLate } from "./connection";
import { decoded } from "./encodings";
import { addressDoubt, ApiError, ConnectionError, UnexpectedAnswerError } from "./errors";
import { answerOf, type Exchange, type HttpAnswer, type Request, type Response } from "./answers";
import { KnownService } from "./knownService";
import { Limiter } from "./limiter";
import { ownFieldsDoubt, withNewerFields } from "./newerFields";
import { type Found, unexpected } from "./lists";
import { Reader } from "./reader";
import { type Limits, repeat, Repetition } from "./retry";
import { namespace } from "../schema/names";
import type { Settings } from "./settings";
import { version } from "./version.gen";
import { Waits } from "./waits";

export interface WriteAnswer extends HttpAnswer {
  /** The written object, on the wire; undefined after a dry run, or if the answer does not contain it. */
  readonly object: JsonObject | undefined;
}

interface PutOptions {
  readonly dryRun: boolean;
  readonly createIfMissing: boolean;
  /** What is known of the object that the PUT overwrites: its fields that our schema lacks are kept. */
  readonly overwritten?: JsonObject | undefined;
}

/**
 * Sends the API's requests by each kind's table: forms them, retries reads and dry runs, and turns answers into objects in
 * wire spelling or errors with the service's own words.
 */
export class Client {
  readonly service: KnownService;
  readonly reader: Reader;
  readonly #interruption = new AbortController();
  readonly #waits: Waits;
  #limiter: Limiter | undefined;
  #dispatcher: Promise<Dispatcher> | undefined;
  #serviceSeen = false;

  /** @param note Shows the user an info line. */
  constructor(
    private readonly settings: Settings,
    note: (text: string) => void = () => undefined,
  ) {
    this.service = new KnownService(this);
    this.reader = new Reader(this, this.service);
    this.#waits = new Waits(() => this.baseUrl, note);
    // Each running request adds a listener, and Node reports more than ten as a leak.
    setMaxListeners(0, this.#interruption.signal);
  }

  get baseUrl(): string {
    return this.settings.baseUrl;
  }

  /** GET of one object by its path; undefined if the answer has null in its place, which no gateway would know to send. */
  async get(kind: Kind, slug: string, until?: number): Promise<Found | undefined> {
    const operation = kind.family.get;
    const path = pathOf(operation, slug);
    const sentAt = performance.now();
    const answer = await this.send({ operation, path, until });
    const object = answer.body[kind.wire.one];
    const isShown = isObject(object) && (kind.isSingleton || Boolean(object.slug));
    if (!isShown && object !== null) {
      const expected = `the field "${kind.wire.one}"${kind.isSingleton ? "" : " (an object with a slug)"}`;
      const hint = this.service.provedAt > -Infinity ? noForm : addressDoubt(this.baseUrl);
      throw unexpected(path, answer, expected, hint);
    }
    if (object !== null && !kind.isSingleton && object.slug !== slug) {
      throw new UnexpectedAnswerError({
        what: `GET ${path} answered with another object (slug ${JSON.stringify(object.slug)})`,
        hint: "A proxy or gateway may mix up answers. Run again",
      });
    }
    this.service.record(operation, true, sentAt);
    return object === null ? undefined : { ...answer, object };
  }

  /** POST of a new object. The service rejects it if the slug is taken. Sent once, unless it is a dry run. */
  async post(kind: Kind, object: JsonObject, { dryRun }: Pick<PutOptions, "dryRun">): Promise<WriteAnswer> {
    const operation = kind.operations.create;
    const body = { dry_run: dryRun, [kind.wire.one]: object };
    return this.#sendObject(kind, { operation, path: operation.path, body });
  }

  /**
   * PUT of the whole object. Fails if no object has the slug, unless `createIfMissing` is set. Sent once, unless it is a
   * dry run.
   * @throws {ObservabilityError} of code `conflict` if a field of a newer service would be erased.
   */
  async put(kind: Kind, slug: string, object: JsonObject, options: PutOptions): Promise<WriteAnswer> {
    const { dryRun, createIfMissing, overwritten = {} } = options;
    const operation = kind.operations.update;
    const whole = withNewerFields(kind, object, overwritten);
    const body = { create_if_missing: createIfMissing, dry_run: dryRun, [kind.wire.one]: whole };
    const sent = this.#sendObject(kind, { operation, path: pathOf(operation, slug), body });
    return whole === object ? sent : sent.catch(ownFieldsDoubt);
  }

  /**
   * DELETE of one object by its path, sent once.
   * @returns whether the answer has the service's own form, so that it confirms the delete.
   */
  async delete(kind: Kind, slug: string): Promise<boolean> {
    const operation = kind.operations.delete;
    const { status, body, hasObject } = await this.send({ operation, path: pathOf(operation, slug) });
    // With 202 it is only accepted.
    return status !== 202 && hasObject && Object.keys(body).every((key) => key === kind.wire.one);
  }

  async #sendObject(kind: Kind, request: Request): Promise<WriteAnswer> {
    const answer = await this.send(request);
    const object = answer.body[kind.wire.one];
    return { ...answer, object: isObject(object) ? object : undefined };
  }

  /** Sends nothing new, and ends running reads and dry runs. Running writes still wait for their answers. */
  interrupt(): void {
    this.#interruption.abort(interrupted);
  }

  /** Attempts of a write whose object is looked up before each: within the retry budget, until the run is interrupted. */
  repetition(): Repetition {
    return new Repetition(this.#limits);
  }

  get #limits(): Limits {
    return {
      signal: this.#interruption.signal,
      budgetSecs: this.settings.retryBudgetSecs,
      serviceSeen: () => this.#serviceSeen,
      onWait: (wait) => this.#waits.noteAway(wait),
    };
  }

  /**
   * Sends a request, and retries it unless it is a write: its caller looks the object up before each attempt. A write
   * discards all pages that were read before it or during it.
   * @throws {ApiError} if the service rejects it, {ConnectionError} if no answer comes, {UnexpectedAnswerError} if the
   * answer is not JSON.
   */
  async send(request: Request): Promise<HttpAnswer> {
    const attempt = (deadline: number) => this.#attempt(request, deadline);
    // A request keeps its slot while it waits for a retry, so few requests hit a service that limits them. The retry
    // budget starts with the slot.
    this.#limiter ??= new Limiter(this.settings.maxConcurrency);
    if (isWrite(request)) this.reader.forget();
    try {
      const answer = await this.#limiter.during(() =>
        isWrite(request)
          ? attempt(this.repetition().deadline)
          : repeat(attempt, { ...this.#limits, until: request.until }),
      );
      this.#waits.noteBack();
      return answer;
    } catch (error) {
      if (error instanceof ApiError && !error.isHtml && !isAway(error)) this.#waits.noteBack();
      throw error;
    } finally {
      if (isWrite(request)) this.reader.forget();
    }
  }

  async #attempt(request: Request, deadline: number): Promise<HttpAnswer> {
    const { operation, path } = request;
    const what = `${operation.method} ${path}`;
    if (this.#interruption.signal.aborted) {
      throw new ConnectionError({
        code: "canceled",
        what: `${what} was not sent because the run was interrupted`,
        mayHaveArrived: false,
      });
    }
    // The wait for the headers begins with the open connection; opening it has a limit of its own.
    const limit = Math.min(performance.now() + this.settings.requestTimeoutSecs * 1000, deadline);
    const exchange = { operation, what, baseUrl: this.baseUrl, requestId: randomUUID() };
    const response = await this.#waits.during(request, limit, this.#exchange(request, exchange, limit, deadline));
    const body = parseJson(response.text);
    this.#serviceSeen ||= isObject(body);
    return answerOf(exchange, response, body);
  }

  /** Sends the request once, and reads the whole answer. */
  async #exchange(request: Request, { what, requestId }: Exchange, limit: number, deadline: number): Promise<Response> {
    const url = new URL(this.baseUrl);
    // A retry gets only the rest of the budget.
    const start = performance.now();
    const limitMs = Math.max(1, limit - start);
    const { operation, path, query = [], body } = request;
    const search =
      query.length === 0 ? "" : `?${new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]))}`;
    // The first attempt opens it. It fails only for a wrong setting.
    const dispatcher = await (this.#dispatcher ??= connect(this.settings));
    const failed = (isAnswered: boolean) => (error: unknown) => {
      const request = `${what} to "${this.baseUrl}"`;
      const speaksHttp = isAnswered || this.#serviceSeen;
      const hint = limit < deadline ? slowHint : undefined;
      throw connectionError(
        { request, url: this.baseUrl, setting: "baseUrl", slowHint: hint, limitMs, speaksHttp },
        error,
      );
    };
    const response = await dispatcher
      .request({
        origin: url.origin,
        path: url.pathname.replace(/\/$/, "") + path + search,
        method: operation.method,
        headers: {
          "api-token": this.settings.apiToken,
          accept: "application/json",
          // Without it, a service may choose any encoding.
          "accept-encoding": "identity",
          "user-agent": `pulumi-observability/${version}`,
          // A cached answer may show an object that was recreated since.
          "cache-control": "no-cache",
          "x-request-id": requestId,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: limitMs,
        // undici limits the time between two parts of the body; our timer limits the whole.
        bodyTimeout: 0,
        signal: isWrite(request) ? null : this.#interruption.signal,
      })
      .catch(failed(false));
    const timer = setTimeout(() => response.body.destroy(tooLate), start + limitMs - performance.now());
    const text = await response.body
      .arrayBuffer()
      .then((bytes) => decoded(Buffer.from(bytes), response))
      .catch(failed(true))
      .finally(() => clearTimeout(timer));
    return { status: response.statusCode, headers: response.headers, text };
  }
}

const slowHint = `If the service is always slow, raise ${namespace}:requestTimeoutSecs`;

const noForm =
  "If this is how the service answers when there is no such object, this package can't work with it: a gateway may answer " +
  "so too. A missing object is a 404, or null in the object's place";

const pathOf = ({ path }: Operation, slug: string) => path.replace("{slug}", encodeURIComponent(slug));

/** Whether a request changes something: it is neither a read nor a dry run. */
const isWrite = ({ operation, body }: Request) => operation.method !== "GET" && body?.dry_run !== true;
