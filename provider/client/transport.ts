import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { Dispatcher } from "undici";
import type { Operation } from "../schema/kind";
import { namespace } from "../schema/names";
import { isObject, type JsonObject, nounOf, parseJson } from "../wire/json";
import { isAway } from "./answers";
import { connect } from "./connection";
import { decoded } from "./encodings";
import { addressDoubt, ApiError, ConnectionError, UnexpectedAnswerError } from "./errors";
import {
  apiError,
  connectionError,
  describeText,
  type Exchange,
  type Response,
  hasError,
  interrupted,
  tooLate,
  wantsHttps,
} from "./failures";
import { dateOf, type Limits, pauseUntil, repeat, Repetition, inSeconds, type Wait } from "./retry";
import type { Settings } from "./settings";
import { Limiter } from "./limiter";
import { version } from "./version.gen";

/** If the service is unavailable for longer, a note explains why nothing happens. */
const quietMs = 3_000;
/** If a request gets no answer for longer, a note explains that. Its timeout allows for the slowest answer. */
const slowMs = 5_000;

export interface Request {
  readonly operation: Operation;
  /** The path under the base URL, with its parameters filled in. */
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: JsonObject;
  /** The deadline for all attempts, in milliseconds of `performance.now()`. */
  readonly until?: number | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  /** Empty if the service sent none. */
  readonly body: JsonObject;
  /** Whether the body is a JSON object. */
  readonly hasObject: boolean;
  /** The service's clock, in milliseconds since the epoch; undefined if the answer has none. */
  readonly date: number | undefined;
}

/** Sends requests: headers, keep-alive, timeouts, retries, and errors with the service's own words. */
export class Transport {
  readonly #settings: Settings;
  readonly #interruption = new AbortController();
  #limiter: Limiter | undefined;
  #dispatcher: Promise<Dispatcher> | undefined;
  #serviceSeen = false;
  /** The start of the current outage, once it was reported. */
  #awaySince: number | undefined;
  #isSlowReported = false;

  constructor(
    settings: Settings,
    /** Shows the user an info line. */
    readonly note: (text: string) => void = () => undefined,
  ) {
    this.#settings = settings;
    // Each running request adds a listener, and Node reports more than ten as a leak.
    setMaxListeners(0, this.#interruption.signal);
  }

  get baseUrl(): string {
    return this.#settings.baseUrl;
  }

  /** Sends nothing new, and ends running reads and dry runs. Running writes still wait for their answers. */
  interrupt(): void {
    this.#interruption.abort(interrupted);
  }

  /**
   * Sends a request, and retries it unless it is a write: its caller looks the object up before each attempt.
   * @throws {ApiError} if the service rejects it, {ConnectionError} if no answer comes, {UnexpectedAnswerError} if the
   * answer is not JSON.
   */
  async send(request: Request): Promise<HttpAnswer> {
    // A request keeps its slot while it waits for a retry, so few requests hit a service that limits them. The retry
    // budget starts with the slot.
    this.#limiter ??= new Limiter(this.#settings.maxConcurrency);
    return this.#limiter.during(() => this.#sendNow(request));
  }

  async #sendNow(request: Request): Promise<HttpAnswer> {
    try {
      const attempt = (deadline: number) => this.#attemptInTime(request, deadline);
      const answer = await (isWrite(request)
        ? attempt(this.repetition().deadline)
        : repeat(attempt, { ...this.#limits, until: request.until }));
      this.#noteBack();
      return answer;
    } catch (error) {
      if (error instanceof ApiError && !error.isHtml && !isAway(error)) this.#noteBack();
      throw error;
    }
  }

  /** Attempts of a write whose object is looked up before each: within the retry budget, until the run is interrupted. */
  repetition(): Repetition {
    return new Repetition(this.#limits);
  }

  get #limits(): Limits {
    return {
      pause: pauseUntil(this.#interruption.signal),
      budgetSecs: this.#settings.retryBudgetSecs,
      serviceSeen: () => this.#serviceSeen,
      onWait: (wait) => this.#noteAway(wait),
    };
  }

  /** Reports an outage once for all waiting requests. Leaves out the service's words: they may quote secrets. */
  #noteAway({ error, count, delay, start, deadline }: Wait) {
    if (this.#awaySince !== undefined || performance.now() + delay - start < quietMs) return;
    this.#awaySince = start;
    const cause = error instanceof ApiError ? `answers ${error.status}` : "does not answer";
    this.note(
      `the service at "${this.baseUrl}" ${cause}. Attempt ${count + 1} follows in ${inSeconds(delay)} s; retries end at ${timeOf(deadline)} UTC`,
    );
  }

  #noteBack(): void {
    if (this.#awaySince === undefined) return;
    this.note(
      `the service at "${this.baseUrl}" answers again after ${inSeconds(performance.now() - this.#awaySince)} s`,
    );
    this.#awaySince = undefined;
  }

  #connection(): Promise<Dispatcher> {
    return (this.#dispatcher ??= connect(this.#settings));
  }

  /** Reports a slow answer once, because a service may be slow each time. */
  async #attemptInTime(request: Request, deadline: number): Promise<HttpAnswer> {
    const limit = Math.min(performance.now() + this.#settings.requestTimeoutSecs * 1000, deadline);
    const timer = setTimeout(() => {
      if (this.#isSlowReported) return;
      this.#isSlowReported = true;
      const what = `${request.operation.method} ${request.path}, ${inSeconds(slowMs)} s so far`;
      this.note(`still waiting for "${this.baseUrl}" (${what}). This attempt times out at ${timeOf(limit)} UTC`);
    }, slowMs);
    return this.#attempt(request, limit, deadline).finally(() => clearTimeout(timer));
  }

  /** @param limit The end of its time. The wait for the headers begins with the open connection; opening it has a limit of its own. */
  async #attempt(request: Request, limit: number, deadline: number): Promise<HttpAnswer> {
    const { operation, path } = request;
    const what = `${operation.method} ${path}`;
    if (this.#interruption.signal.aborted) {
      throw new ConnectionError("canceled", {
        what: `${what} was not sent because the run was interrupted`,
        mayHaveArrived: false,
      });
    }
    const exchange = { operation, what, baseUrl: this.baseUrl, requestId: randomUUID() };
    const response = await this.#exchange(request, exchange, limit, deadline);
    const body = parseJson(response.text);
    this.#serviceSeen ||= isObject(body);
    return answerOf(exchange, response, body);
  }

  /** Sends the request, and reads the whole answer. */
  async #exchange(request: Request, { what, requestId }: Exchange, limit: number, deadline: number): Promise<Response> {
    const url = new URL(this.baseUrl);
    // A retry gets only the rest of the budget.
    const start = performance.now();
    const limitMs = Math.max(1, limit - start);
    const { operation, path, query = [], body } = request;
    const search =
      query.length === 0 ? "" : `?${new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]))}`;
    // Outside of the repeated part: this fails only for a wrong setting.
    const dispatcher = await this.#connection();
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
          "api-token": this.#settings.apiToken,
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

/** Whether a request changes something: it is neither a read nor a dry run. */
const isWrite = ({ operation, body }: Request) => operation.method !== "GET" && body?.dry_run !== true;

/** @param body The parsed text; undefined if it is not JSON. */
function answerOf(exchange: Exchange, response: Response, body: unknown): HttpAnswer {
  const { what, baseUrl, requestId } = exchange;
  const { status, headers, text } = response;
  if (status === 400 && new URL(baseUrl).protocol === "http:" && wantsHttps.test(text)) {
    throw new ConnectionError("unreachable", {
      what: `${what} to "${baseUrl}" failed: that port is for HTTPS`,
      hint: "Write https:// in baseUrl",
      mayHaveArrived: false,
    });
  }
  if (status < 200 || status > 299 || hasError(body)) throw apiError(exchange, response, body);
  if (text.trim() !== "" && body !== null && !isObject(body)) {
    const content = body === undefined ? describeText(text, response) : nounOf(body);
    const isBroken = text.trimStart().startsWith("{");
    throw new UnexpectedAnswerError({
      what:
        `${what} answered ${status} with ` +
        (isBroken ? `JSON that is truncated or malformed (${content})` : `${content} instead of a JSON object`),
      hint: isBroken ? "Run again" : addressDoubt(baseUrl),
      requestId,
    });
  }
  return { status, body: isObject(body) ? body : {}, hasObject: isObject(body), date: dateOf(headers) };
}

/** The time of day in UTC, without its zone, at a moment of `performance.now()`. */
const timeOf = (moment: number) => new Date(Date.now() + moment - performance.now()).toISOString().slice(11, 19);
