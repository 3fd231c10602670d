import type { Dispatcher } from "undici";
import type { Operation } from "../schema/kind";
import { cutText } from "../base/aroundDifference";
import { isObject, type JsonObject, nounOf } from "../wire/json";
import { andProxy, hasProxy, longestConnectMs, NotConnectedError } from "./connection";
import { strangeEncoding } from "./encodings";
import {
  addressDoubt,
  ApiError,
  ConfigurationError,
  ConnectionError,
  type Problem,
  UnexpectedAnswerError,
} from "./errors";
import { askedDelayMs, dateOf, inSeconds } from "./retry";

/** Longer than any message, because secrets are redacted before the final cut. */
const longestWords = 16_384;

/** The time limit ended in the middle of the answer. */
export const tooLate = Object.assign(new Error("too late"), { code: "TOO_LATE" });

/** The run was interrupted. */
export const interrupted = Object.assign(new Error("interrupted"), { code: "INTERRUPTED" });

/** The answers of nginx, Go and Apache to plain http at an https port. */
const wantsHttps = /HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled/;

/** A request that got no answer. */
export interface Unanswered {
  /** As its error names it: `PUT /api/v1/config/monitors/errors to "https://example.com"`. */
  readonly request: string;
  readonly url: string;
  /** The name of the setting with the URL. */
  readonly setting: string;
  /** What to do if every answer takes too long. */
  readonly slowHint?: string | undefined;
  readonly limitMs: number;
  /** Whether the port has answered in HTTP. */
  readonly speaksHttp: boolean;
}

export function connectionError(unanswered: Unanswered, error: unknown): ConnectionError | ConfigurationError {
  const { request, url, setting, slowHint, limitMs, speaksHttp } = unanswered;
  const isSent = !(error instanceof NotConnectedError);
  const cause = (isSent ? error : error.cause) as { code?: string; message?: string }; // undici and Node errors have both
  // undici has a proxy's answer in its error's text alone.
  const proxyStatus = /^Proxy response \((\d+)\)/.exec(cause.message ?? "")?.[1];
  if (proxyStatus === "407") {
    // A missing or wrong password is a wrong setting.
    return new ConfigurationError(
      `${request} was rejected by the proxy (407). Set the proxy's user and password in HTTPS_PROXY or HTTP_PROXY, as in "http://user:password@proxy.example.com:3128"`,
    );
  }
  const fail = (code: ConnectionError["code"], words: string, hint?: string) => {
    const mayHaveArrived = isSent && code !== "unreachable";
    return new ConnectionError(code, { what: `${request} ${words}`, hint, mayHaveArrived, cause });
  };
  if (proxyStatus !== undefined)
    return fail("unreachable", `failed: the proxy in HTTPS_PROXY or HTTP_PROXY answered ${proxyStatus}`);
  switch (cause.code) {
    case "UND_ERR_CONNECT_TIMEOUT":
      return fail(
        "timeout",
        `failed: no connection within ${inSeconds(Math.min(limitMs, longestConnectMs))} s`,
        `Check ${setting}${andProxy(url)}, and check that no firewall blocks the connection`,
      );
    case interrupted.code:
      return fail("canceled", "was canceled because the run was interrupted");
    case tooLate.code:
      return fail("timeout", `failed: the answer was not complete within ${inSeconds(limitMs)} s`, slowHint);
    case "UND_ERR_HEADERS_TIMEOUT":
      return fail("timeout", `failed: no answer within ${inSeconds(limitMs)} s`, slowHint);
    case "ECONNREFUSED":
      return fail(
        "unreachable",
        "failed: connection refused",
        `Check that the service is running, and check ${setting}${andProxy(url)}`,
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return fail("unreachable", "failed: host not found", `Check ${setting}${andProxy(url)}`);
    // OpenSSL's reasons; which one comes depends on its version.
    case "ERR_SSL_WRONG_VERSION_NUMBER":
    case "ERR_SSL_PACKET_LENGTH_TOO_LONG":
      return fail(
        "unreachable",
        "failed: that port does not use TLS",
        hasProxy(url, "https:")
          ? "If that is the proxy's port, write http:// in HTTPS_PROXY or HTTP_PROXY. If it is the service's, use its port for HTTPS"
          : `Use the service's port for HTTPS. If the service runs on this machine, you can write http:// in ${setting} instead`,
      );
    case "CERT_HAS_EXPIRED":
      return fail("unreachable", "failed: the certificate has expired", "Ask the operators of the service to renew it");
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return fail("unreachable", "failed: the certificate is for another host", `Check the host name in ${setting}`);
    default: {
      const { code = "", message = String(error) } = cause;
      // In TLS 1.3 the request is on its way when the server rejects the handshake.
      if (code.includes("_ALERT_") && (!isSent || /CERT|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE/.test(code))) {
        return fail(
          "unreachable",
          `failed: the service rejected the TLS connection (${code})`,
          "Ask its operators what it requires. Client certificates are not supported",
        );
      }
      if (/CERT|SIGN|ISSUER|CRL/.test(code)) {
        return fail(
          "unreachable",
          `failed: the certificate is not trusted (${code})`,
          "If you trust it, set NODE_EXTRA_CA_CERTS to the PEM file of its authority, or of the certificate itself if it is self-signed",
        );
      }
      if (!isSent)
        return fail("unreachable", `failed: no connection: ${message || code}`, `Check ${setting}${andProxy(url)}`);
      // Many servers that expect TLS just close the connection.
      const hint =
        url.startsWith("http:") && !speaksHttp ? `If the service uses HTTPS, write https:// in ${setting}` : undefined;
      return fail("connection_lost", `was interrupted: ${message}`, hint);
    }
  }
}

/** A request as its error names it. */
export interface Exchange {
  readonly operation: Operation;
  /** `PUT /api/v1/config/monitors/errors`. */
  readonly what: string;
  readonly baseUrl: string;
  readonly requestId: string;
}

export interface Response extends Pick<Dispatcher.ResponseData, "headers"> {
  readonly status: number;
  readonly text: string;
}

export interface Request {
  readonly operation: Operation;
  /** The path under the base URL, with its parameters filled in. */
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: JsonObject;
  /** The deadline for all attempts, in milliseconds of `performance.now()`. */
  readonly until?: number | undefined;
}

/** A successful answer. */
export interface HttpAnswer {
  readonly status: number;
  /** Empty if the service sent none. */
  readonly body: JsonObject;
  /** Whether the body is a JSON object. */
  readonly hasObject: boolean;
  /** The service's clock, in milliseconds since the epoch; undefined if the answer has none. */
  readonly date: number | undefined;
}

/** @param parsed The response's text; undefined if it is not JSON. */
export function apiError(exchange: Exchange, response: Response, parsed: unknown): ApiError {
  const { operation, what: request, baseUrl, requestId } = exchange;
  const { status, headers, text } = response;
  const isRedirect = status >= 300 && status < 400;
  const outer = isObject(parsed) ? parsed : {};
  const body = isObject(outer.error) ? outer.error : outer;
  const message = wordsOf(body) ?? wordsOf(outer);
  const content = parsed === undefined && text !== "" ? describeText(text, response) : "";
  return new ApiError({
    operation,
    request,
    status,
    requestId: cutText(String(headers["x-request-id"] ?? requestId), 100),
    words: cutText(isRedirect ? redirected(headers, baseUrl) : (message ?? content), longestWords),
    isJson: isObject(parsed),
    isHtml: parsed === undefined && text.trimStart().startsWith("<"),
    serviceCode: typeof body.code === "number" ? body.code : undefined,
    problems: Array.isArray(body.errors) ? body.errors.filter(isProblem).slice(0, 50).map(cutProblem) : [],
    retryAfterMs: askedDelayMs(status, headers),
  });
}

/** @param body The parsed text; undefined if it is not JSON. */
export function answerOf(exchange: Exchange, response: Response, body: unknown): HttpAnswer {
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

/** The words of an error's body, in the forms that services and gateways use. */
function wordsOf({ message, detail, error, msg, fault, errors, title }: JsonObject): string | undefined {
  const inFault = isObject(fault) ? fault.faultstring : undefined;
  const [text] = [message, detail, error, msg, inFault].filter((each) => typeof each === "string");
  if (text !== undefined) return text;
  // Those with a path are problems, which have their own lines.
  const others = Array.isArray(errors) ? errors.filter((each) => !isProblem(each)) : [];
  const texts = others.map((each) => (isObject(each) ? wordsOf(each) : String(each)));
  const all = texts.filter((each) => each !== undefined).join("; ");
  if (all !== "") return all;
  return typeof title === "string" ? title : undefined;
}

function redirected({ location }: Dispatcher.ResponseData["headers"], baseUrl: string): string {
  return (
    `a redirect${targetOf(String(location ?? ""), baseUrl)}. Redirects are not followed, because they would send the token ` +
    "to another URL. Set baseUrl to the configuration service's own URL"
  );
}

/** The redirect's target without query and credentials, which may be secret. */
export function targetOf(location: string, baseUrl: string): string {
  if (location === "" || !URL.canParse(location, baseUrl)) return "";
  const { origin, pathname } = new URL(location, baseUrl);
  return ` to "${cutText(`${origin}${pathname}`, 200)}"`;
}

/**
 * Whether a body is that of an error, whatever the status: a gateway may answer 200 instead of the service. What comes
 * beside an object, such as warnings, is none.
 */
function hasError(body: unknown): boolean {
  if (!isObject(body)) return false;
  const shown = Object.values(body).flat();
  if (shown.some((each) => isObject(each) && "created_at" in each)) return false;
  const { code, message, error, errors } = body;
  const isFailure = typeof code === "number" && code !== 0 && (code < 200 || code > 299);
  return (isFailure && typeof message === "string") || isFilled(error) || (Array.isArray(errors) && errors.length > 0);
}

const isFilled = (value: unknown) => (isObject(value) ? Object.keys(value).length > 0 : Boolean(value));

const isProblem = (value: unknown): value is Problem =>
  isObject(value) && typeof value.path === "string" && typeof value.message === "string";
const cutProblem = ({ path, message }: Problem): Problem => ({
  path: cutText(path, 300),
  message: cutText(message, longestWords),
});

/** `text/html beginning "<html>"` */
export function describeText(text: string, answer: Pick<Response, "headers">): string {
  const type = String(answer.headers["content-type"] ?? "no content type").split(";")[0];
  const encoding = strangeEncoding(answer);
  if (encoding !== undefined) return `${type} in the unknown encoding "${cutText(encoding, 80)}"`;
  return `${type} beginning "${cutText(text.replace(/\s+/g, " ").trim(), 80)}"`;
}
