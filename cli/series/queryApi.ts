import type { Dispatcher } from "undici";
import type { Span } from "../../sdk/behavior/signals";
import { ApiError, UnexpectedAnswerError } from "../../provider/client/errors";
import { askedDelayMs, repeat } from "../../provider/client/retry";
import { connect, connectionError, interrupted, longestAnswerBytes, tooLate } from "../../provider/client/connection";
import { describeText, targetOf } from "../../provider/client/answers";
import { version } from "../../provider/client/version.gen";
import type { Operation } from "../../provider/schema/kind";
import { utf8Text } from "../../provider/base/utf8";
import { isObject } from "../../provider/wire/json";
import { CommandError } from "../output/output";
import { parseInThread } from "./answerThreads";
import { type QuerySettings, queryVariables } from "./querySettings";

/** A query that loads much may run for minutes. */
const timeoutMs = 180_000;
/** How long a query is repeated, all attempts together. */
const budgetMs = 300_000;
/** A longer address is refused by some gateways; the query then goes into the body. */
const longestAddress = 2_000;

/** A range query: the value of `query` at each `step` from `start` to `end`, in seconds. */
export interface RangeQuery {
  readonly query: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

export const pointsOf = ({ start, end, step }: RangeQuery) => Math.floor((end - start) / step) + 1;

/** The window in parts of at most `maxPoints` points each. */
export function* rangeQueries(query: string, step: number, window: Span, maxPoints: number): Generator<RangeQuery> {
  const last = Math.ceil(window.to / step) * step - step;
  for (let start = Math.ceil(window.from / step) * step; start <= last; start += step * maxPoints) {
    yield { query, step, start, end: Math.min(start + step * (maxPoints - 1), last) };
  }
}

/** Asks a query API of the form that Prometheus has, and repeats as the provider's client does. */
export class QueryApi {
  readonly #closing = new AbortController();
  #dispatcher: Promise<Dispatcher> | undefined;
  #isSeen = false;
  /** How many requests were sent, repeats among them. */
  sent = 0;

  constructor(
    private readonly settings: QuerySettings,
    private readonly connections: number,
  ) {}

  /** The address without anything secret. */
  get address(): string {
    return this.settings.url.href.replace(/\/$/, "");
  }

  /**
   * Asks for one range. Returns its answer as `parseAnswer` reads it.
   * @throws {RequestError} that names the address and the query; {ConfigurationError} if the proxy's address is wrong
   */
  async ask(range: RangeQuery): Promise<unknown> {
    const until = performance.now() + budgetMs;
    return repeat((deadline) => this.#attempt(range, deadline), {
      serviceSeen: () => this.#isSeen,
      signal: this.#closing.signal,
      budgetSecs: Number.POSITIVE_INFINITY,
      until,
    });
  }

  /** Ends the requests that are in progress, and repeats none. */
  async close(): Promise<void> {
    this.#closing.abort();
    await (await this.#dispatcher)?.destroy();
  }

  async #attempt(range: RangeQuery, deadline: number): Promise<unknown> {
    const { url, headers } = this.settings;
    const { query, start, end, step } = range;
    const form = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${step}` }).toString();
    const path = `${url.pathname.replace(/\/$/, "")}/api/v1/query_range`;
    const isShort = path.length + form.length < longestAddress;
    const operation: Operation = { method: isShort ? "GET" : "POST", path, described: true };
    const what = `${operation.method} ${this.address}/api/v1/query_range`;
    const request = `${what} with the query ${quoted(query)}`;
    const limitMs = Math.max(1, Math.floor(Math.min(timeoutMs, deadline - performance.now())));
    const dispatcher = await (this.#dispatcher ??= connect({
      baseUrl: url.href,
      maxConcurrency: this.connections,
      requestTimeoutSecs: timeoutMs / 1_000,
    }));
    this.sent += 1;
    const closing = this.#closing.signal;
    const inTime = AbortSignal.timeout(limitMs);
    let response: Dispatcher.ResponseData;
    let bytes: Buffer;
    try {
      response = await dispatcher.request({
        origin: url.origin,
        path: isShort ? `${path}?${form}` : path,
        method: operation.method,
        headers: {
          accept: "application/json",
          "user-agent": `pulumi-observability/${version}`,
          ...headers,
          ...(isShort ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        },
        body: isShort ? null : form,
        headersTimeout: 0,
        bodyTimeout: 0,
        signal: AbortSignal.any([inTime, closing]),
      });
      bytes = Buffer.from(await response.body.arrayBuffer());
    } catch (error) {
      if ((error as { code?: string }).code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
        const size = `${longestAnswerBytes / 1024 / 1024} MB`;
        // No failure of a request: the same would come again.
        throw new CommandError(
          `${request} answered more than ${size}. Request fewer points at a time with --max-points, or fewer series with sum or max in the query`,
        );
      }
      const setting = "the URL of the query API";
      const unanswered = { request, url: url.href, setting, limitMs, speaksHttp: this.#isSeen };
      throw connectionError(unanswered, closing.aborted ? interrupted : inTime.aborted ? tooLate : error);
    }
    // For messages: more of it is never said.
    const text = utf8Text(bytes.subarray(0, 20_000));
    const body = await parseInThread(bytes).catch(() => undefined);
    this.#isSeen ||= isObject(body);
    const { statusCode } = response;
    const isOk = statusCode >= 200 && statusCode <= 299;
    if (isOk && isObject(body)) return body;
    if (!isOk) throw this.#refusal(operation, request, response, body, text);
    const came = text.trimStart().startsWith("{")
      ? "JSON that is truncated or malformed"
      : describeText(text, response);
    throw new UnexpectedAnswerError({
      what: `${request} answered ${statusCode} with ${came}`,
      hint: `Check that ${this.address} is the URL of the query API, without "/api/v1"`,
    });
  }

  #refusal(operation: Operation, request: string, answer: Dispatcher.ResponseData, body: unknown, text: string) {
    const { statusCode: status, headers } = answer;
    const said = isObject(body) ? (body.error ?? body.message) : undefined;
    const isTooMuch = typeof said === "string" && /too many (samples|points)|maximum resolution/i.test(said);
    const words =
      status < 400
        ? `a redirect${targetOf(String(headers.location ?? ""), this.settings.url.href)}. Redirects are not followed, because they would send the credentials to another URL`
        : (said ?? describeText(text, answer));
    return new ApiError({
      operation,
      request,
      status,
      words: String(words).slice(0, 2_000),
      isJson: isObject(body),
      isHtml: text.trimStart().startsWith("<"),
      retryAfterMs: askedDelayMs(status, headers),
      hint: isTooMuch ? "Request fewer points at a time with --max-points, now below that limit" : hints[status],
    });
  }
}

/** The remedies for some statuses. */
const hints: Readonly<Record<number, string>> = {
  401: `Set ${queryVariables.token}, or ${queryVariables.headers}`,
  403: `Use credentials in ${queryVariables.token} or ${queryVariables.headers} that have the permission to query`,
  404: 'Set the URL without "/api/v1/query_range", such as https://example.com/prometheus',
  413: "Request fewer points at a time with --max-points",
  414: "Request fewer points at a time with --max-points",
};

const quoted = (query: string) =>
  JSON.stringify(query.replace(/\s+/g, " ").trim().slice(0, 300)) + (query.length > 300 ? "…" : "");
