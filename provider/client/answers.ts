import type { Dispatcher } from "undici";
import type { Operation } from "../schema/kind";
import { cutText } from "../base/aroundDifference";
import { isObject, type JsonObject, nounOf } from "../wire/json";
import { strangeEncoding } from "./encodings";
import { addressDoubt, ApiError, ConnectionError, type Problem, UnexpectedAnswerError } from "./errors";
import { askedDelayMs, dateOf } from "./retry";

/** Longer than any message, because secrets are redacted before the final cut. */
const longestWords = 16_384;

/** The answers of nginx, Go and Apache to plain http at an https port. */
const wantsHttps = /HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|plain HTTP to an SSL-enabled/;

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
function apiError(exchange: Exchange, response: Response, parsed: unknown): ApiError {
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
    throw new ConnectionError({
      code: "unreachable",
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
