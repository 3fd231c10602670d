import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Operation } from "../schema/kind";
import { isObject, type JsonObject, nounOf, parseJson } from "../wire/json";
import {
  addressDoubt,
  ApiError,
  ConfigurationError,
  ConnectionError,
  type Problem,
  UnexpectedAnswerError,
} from "./errors";
import { askedDelayMs, dateOf, repeat, type Repetition, retryDelayMs, seconds, type Wait } from "./retry";
import { isLoopback, type Settings } from "./settings";
import { Limiter } from "./limiter";
import { version } from "./version.gen";

/** A page of 1,000 large objects fits. A configuration service sends nothing larger. */
export const longestAnswerBytes = 256 * 1024 * 1024;
/** Longer than any message, because secrets are redacted before the final cut. */
const longestWords = 16_384;
/** The time limit for a connection: a preview should not wait longer. */
const longestConnectMs = 10_000;
/** If the service is away for longer, the user is told why nothing happens. */
const quietMs = 3_000;

export interface Request {
  readonly operation: Operation;
  /** The path under the base URL, with its parameters filled in. */
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: JsonObject;
  /** True if the request may arrive twice without harm. */
  readonly repeatable: boolean;
  /** True for a request that the caller repeats by itself, because it has to look at the service before each attempt. */
  readonly once?: boolean;
  /** The deadline for all attempts, in milliseconds since the epoch. */
  readonly until?: number | undefined;
}

export interface Answer {
  /** Empty if the service sent none. */
  readonly body: JsonObject;
  readonly hasContent: boolean;
  /** The service's clock, in milliseconds since the epoch; undefined if it tells none. */
  readonly date: number | undefined;
}

/** Sends requests: headers, keep-alive, time limits, repeats, and errors with the service's own words. */
export class Transport {
  readonly #settings: Settings;
  readonly #interruption = new AbortController();
  #limiter: Limiter | undefined;
  #dispatcher: Promise<Dispatcher> | undefined;
  #serviceSeen = false;
  /** The start of the current outage, once the user was told of it. */
  #awaySince: number | undefined;

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

  /** Loads the HTTP client. If that fails, the first request says why. */
  async prepare(): Promise<void> {
    await this.#connection().catch(() => undefined);
  }

  /** Sends nothing new, and ends running reads and dry runs. Running writes still wait for their answers. */
  interrupt(): void {
    this.#interruption.abort();
  }

  /**
   * Sends a request, and repeats it if that is safe.
   * @throws {ApiError} if the service refuses, {ConnectionError} if no answer comes, {UnexpectedAnswerError} if the
   * answer is not JSON.
   */
  async send(request: Request): Promise<Answer> {
    // A request keeps its slot while it waits for a repeat: so few requests hit a service that limits them. The retry
    // budget starts with the slot.
    this.#limiter ??= new Limiter(this.#settings.maxConcurrency);
    return this.#limiter.during(() => this.#sendNow(request));
  }

  async #sendNow(request: Request): Promise<Answer> {
    const { repeatable, once = false, until } = request;
    const answer = await this.repeat((deadline) => this.#attempt(request, deadline), {
      delayAfter: (error, count) =>
        once ? undefined : retryDelayMs({ repeatable, count, serviceSeen: this.#serviceSeen, error }),
      until,
      onWait: (wait) => this.#tellAway(wait),
    });
    this.#tellBack();
    return answer;
  }

  /** Attempts until one succeeds, within the retry budget, and until the run is interrupted. */
  repeat<T>(
    attempt: (deadline: number) => Promise<T>,
    repetition: Pick<Repetition, "delayAfter" | "until" | "onWait">,
  ): Promise<T> {
    const { signal } = this.#interruption;
    const pause = async (delayMs: number) => {
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      return !signal.aborted;
    };
    return repeat(attempt, { ...repetition, pause, budgetSecs: this.#settings.retryBudgetSecs });
  }

  /** Tells the user once for all waiting requests. Leaves out the service's words: they may quote secrets. */
  #tellAway({ error, count, delay, start, deadline }: Wait) {
    if (this.#awaySince !== undefined || Date.now() + delay - start < quietMs) return;
    this.#awaySince = start;
    const cause = error instanceof ApiError ? `answers ${error.status}` : "does not answer";
    const end = new Date(deadline).toISOString().slice(11, 19);
    this.note(
      `the service at "${this.baseUrl}" ${cause}: attempt ${count + 1} in ${seconds(delay)} s, and further ones until ${end} UTC`,
    );
  }

  #tellBack(): void {
    if (this.#awaySince === undefined) return;
    this.note(`the service at "${this.baseUrl}" answers again, after ${seconds(Date.now() - this.#awaySince)} s`);
    this.#awaySince = undefined;
  }

  #connection(): Promise<Dispatcher> {
    return (this.#dispatcher ??= connect(this.#settings));
  }

  async #attempt({ operation, path, query = [], body }: Request, deadline: number): Promise<Answer> {
    const { baseUrl, apiToken, requestTimeoutSecs } = this.#settings;
    const url = new URL(baseUrl);
    // A repeat gets only the rest of the budget.
    const start = Date.now();
    const limitMs = Math.max(1, Math.min(requestTimeoutSecs * 1000, deadline - start));
    const requestId = randomUUID();
    const search =
      query.length === 0 ? "" : `?${new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]))}`;
    const { method } = operation;
    const what = `${method} ${path}`;
    const { signal } = this.#interruption;
    if (signal.aborted) {
      throw new ConnectionError("cancelled", {
        what: `${what} was not sent, because the run was interrupted`,
        mayHaveArrived: false,
      });
    }
    const isWrite = method !== "GET" && body?.dry_run !== true;
    // Outside of the repeated part: this fails only for a wrong setting.
    const dispatcher = await this.#connection();
    const failed = (isAnswered: boolean) => (error: unknown) => {
      throw connectionError(what, baseUrl, limitMs, error, isAnswered || this.#serviceSeen);
    };
    const response = await dispatcher
      .request({
        origin: url.origin,
        path: url.pathname.replace(/\/$/, "") + path + search,
        method,
        headers: {
          "api-token": apiToken,
          accept: "application/json",
          "user-agent": `pulumi-observability/${version}`,
          "x-request-id": requestId,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        headersTimeout: limitMs,
        // undici limits the time between two parts of the body; our timer limits the whole.
        bodyTimeout: 0,
        signal: isWrite ? null : signal,
      })
      .catch(failed(false));
    const timer = setTimeout(() => response.body.destroy(tooLate), start + limitMs - Date.now());
    const text = await response.body
      .text()
      .catch(failed(true))
      .finally(() => clearTimeout(timer));
    if (response.statusCode === 400 && url.protocol === "http:" && wantsHttps.test(text)) {
      const text = `${what} to "${baseUrl}" found a port for https: write https:// in baseUrl`;
      throw new ConnectionError("unreachable", { what: text, mayHaveArrived: false });
    }
    const parsed = parseJson(text);
    this.#serviceSeen ||= isObject(parsed);
    if (response.statusCode < 200 || response.statusCode > 299 || saysError(parsed)) {
      throw apiError(operation, what, requestId, response, parsed, text, baseUrl);
    }
    if (text.trim() !== "" && !isObject(parsed)) {
      const came = parsed === undefined ? describeText(text, response) : nounOf(parsed);
      const isBroken = text.trimStart().startsWith("{");
      throw new UnexpectedAnswerError({
        what:
          `${what} answered ${response.statusCode} with ` +
          (isBroken ? `JSON that is cut off or broken (${came})` : `${came} where a JSON object is expected`),
        hint: isBroken ? "run again" : addressDoubt(baseUrl),
        requestId,
      });
    }
    return { body: isObject(parsed) ? parsed : {}, hasContent: isObject(parsed), date: dateOf(response.headers) };
  }
}

/** @throws {ConfigurationError} if the proxy's address is wrong */
export async function connect({
  baseUrl,
  maxConcurrency,
  requestTimeoutSecs,
}: Pick<Settings, "baseUrl" | "maxConcurrency" | "requestTimeoutSecs">): Promise<Dispatcher> {
  // Loaded late: if the classes validate a preview, the provider sends no request.
  const { Agent, EnvHttpProxyAgent } = await import("undici");
  const options = {
    connections: maxConcurrency,
    // undici's default, made explicit: with pipelining, one could not tell which of several requests was lost.
    pipelining: 1,
    connect: { timeout: Math.min(requestTimeoutSecs * 1000, longestConnectMs) },
    maxResponseSize: longestAnswerBytes,
  };
  // This machine's own addresses never go through a proxy.
  if (isOnThisMachine(baseUrl)) return new Agent(options);
  try {
    return new EnvHttpProxyAgent(options);
  } catch {
    // undici's error does not say what is wrong. The address is not quoted: it may hold a password.
    throw new ConfigurationError(
      'the proxy in HTTPS_PROXY or HTTP_PROXY must look like "http://proxy.example.com:3128"',
    );
  }
}

const isOnThisMachine = (baseUrl: string) => isLoopback(new URL(baseUrl).hostname);

const proxyVariables = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"];

/** The hint to look at the proxy too, if one is used for this address. */
const andProxy = (baseUrl: string) =>
  !isOnThisMachine(baseUrl) && proxyVariables.some((name) => process.env[name])
    ? ", and the proxy in HTTPS_PROXY or HTTP_PROXY"
    : "";

/** The time limit ended in the middle of the answer. */
const tooLate = Object.assign(new Error("too late"), { code: "TOO_LATE" });

/** The answers of nginx, Go and Apache to plain http at an https port. */
const wantsHttps = /HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled/;

function connectionError(
  what: string,
  baseUrl: string,
  limitMs: number,
  error: unknown,
  speaksHttp: boolean,
): ConnectionError {
  const cause = error as { code?: string; message?: string }; // undici and Node errors have both
  const to = `${what} to "${baseUrl}"`;
  const fail = (code: ConnectionError["code"], words: string, mayHaveArrived = code !== "unreachable") =>
    new ConnectionError(code, { what: `${to} ${words}`, mayHaveArrived, cause: error });
  switch (cause.code) {
    case "UND_ERR_CONNECT_TIMEOUT":
      return fail(
        "timeout",
        `found no connection within ${seconds(Math.min(limitMs, longestConnectMs))} s ` +
          `(is baseUrl right${andProxy(baseUrl)}, and no firewall in between?)`,
        false,
      );
    case "UND_ERR_ABORTED":
      return fail("cancelled", "was cancelled, because the run was interrupted");
    case tooLate.code:
      return fail("timeout", `got no whole answer within ${seconds(limitMs)} s`);
    case "UND_ERR_HEADERS_TIMEOUT":
      return fail("timeout", `got no answer within ${seconds(limitMs)} s`);
    case "ECONNREFUSED":
      return fail(
        "unreachable",
        `was refused a connection (is the service running, and baseUrl right${andProxy(baseUrl)}?)`,
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return fail("unreachable", `found no such host (is baseUrl right${andProxy(baseUrl)}?)`);
    // OpenSSL's reasons; which one comes depends on its version.
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return fail(
        "unreachable",
        "found no TLS at that port: write http:// in baseUrl if the service speaks plain http, else the port for https",
      );
    default: {
      if (/CERT|SIGN|ISSUER|CRL/.test(cause.code ?? "")) {
        return fail(
          "unreachable",
          `found a certificate that is not trusted (${cause.code}): if it is the service's own, set NODE_EXTRA_CA_CERTS to the PEM file of its authority`,
        );
      }
      // Many servers that expect TLS just close the connection.
      const hint =
        baseUrl.startsWith("http:") && !speaksHttp ? "; if that port is for https, write https:// in baseUrl" : "";
      return fail("connection_lost", `was interrupted: ${cause.message ?? String(error)}${hint}`);
    }
  }
}

function apiError(
  operation: Operation,
  request: string,
  requestId: string,
  { statusCode, headers }: Dispatcher.ResponseData,
  parsed: unknown,
  text: string,
  baseUrl: string,
): ApiError {
  const body = isObject(parsed) ? parsed : {};
  const said = typeof body.message === "string" ? body.message : undefined;
  const message = statusCode >= 300 && statusCode < 400 ? redirected(headers, baseUrl) : said;
  return new ApiError({
    operation,
    request,
    status: statusCode,
    requestId: cut(String(headers["x-request-id"] ?? requestId), 100),
    words: cut(message ?? (parsed === undefined && text !== "" ? describeText(text, { headers }) : ""), longestWords),
    isJson: isObject(parsed),
    isPage: parsed === undefined && text.trimStart().startsWith("<"),
    serviceCode: typeof body.code === "number" ? body.code : undefined,
    problems: Array.isArray(body.errors) ? body.errors.filter(isProblem).slice(0, 50).map(cutProblem) : [],
    retryAfterMs: askedDelayMs(statusCode, headers, Date.now()),
  });
}

function redirected({ location }: Dispatcher.ResponseData["headers"], baseUrl: string): string {
  return (
    `a redirect${targetOf(String(location ?? ""), baseUrl)}, which is not followed, because the token would go there too: ` +
    "set baseUrl to the configuration service's own address"
  );
}

/** The redirect's target without query and credentials, which may be secret. */
function targetOf(location: string, baseUrl: string): string {
  if (location === "" || !URL.canParse(location, baseUrl)) return "";
  const { origin, pathname } = new URL(location, baseUrl);
  return ` to "${cut(`${origin}${pathname}`, 200)}"`;
}

/** Whether a body is that of an error, whatever the status: a gateway may answer 200 in the service's place. */
function saysError(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { code, message, error, errors } = body;
  const isFailure = typeof code === "number" && code !== 0 && (code < 200 || code > 299);
  return (isFailure && typeof message === "string") || Boolean(error) || (Array.isArray(errors) && errors.length > 0);
}

const isProblem = (value: unknown): value is Problem =>
  isObject(value) && typeof value.path === "string" && typeof value.message === "string";
const cutProblem = ({ path, message }: Problem): Problem => ({
  path: cut(path, 300),
  message: cut(message, longestWords),
});
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

/** `text/html beginning "<html>"` */
export function describeText(text: string, { headers }: Pick<Dispatcher.ResponseData, "headers">): string {
  const type = String(headers["content-type"] ?? "no content type").split(";")[0];
  return `${type} beginning "${cut(text.replace(/\s+/g, " ").trim(), 80)}"`;
}
