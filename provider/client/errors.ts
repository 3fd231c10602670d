import type { Operation } from "../schema/kind";

/** The cause of an error. Code matches on this; the message is for people only. */
export type ErrorCode =
  | "configuration"
  | "unreachable"
  | "timeout"
  | "connection_lost"
  | "canceled"
  | "outcome_unknown"
  | "unexpected_answer"
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "dry_run_ignored"
  | "too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "not_implemented"
  | "unavailable"
  | "refused";

/** A piece of a message: our own text, or the service's words, which may quote secrets and wire names. */
type MessagePart = string | { readonly words: string };

interface Details {
  readonly cause?: unknown;
  /** The request's id, to find it in the service's log; by default the cause's. */
  readonly requestId?: string | undefined;
  /** The remedy, as a sentence; by default the cause's. */
  readonly hint?: string | undefined;
}

/** Every error of this package. `code` is stable. */
export class ObservabilityError extends Error {
  override readonly name: string = "ObservabilityError";
  /** The description of the error, in pieces. The message adds `hint` and `requestId`. */
  readonly parts: readonly MessagePart[];
  readonly requestId: string | undefined;
  readonly hint: string | undefined;

  constructor(
    readonly code: ErrorCode,
    content: string | readonly MessagePart[],
    { cause, ...details }: Details = {},
  ) {
    const inner = cause instanceof ObservabilityError ? cause : undefined;
    const { requestId = inner?.requestId, hint = inner?.hint } = details;
    const parts = typeof content === "string" ? [content] : content;
    const text = parts.map((part) => (typeof part === "string" ? part : part.words)).join("");
    super(withEnd(text, { hint, requestId }), { cause });
    this.parts = parts;
    this.requestId = requestId;
    this.hint = hint;
  }
}

/** The slug belongs to an object that must not be adopted. The message follows the object's title: `already exists …`. */
export class AlreadyExistsError extends ObservabilityError {
  constructor(words: string) {
    super("conflict", words);
  }
}

/** A text and another sentence. The text may end with the service's words, which may have a period. */
export const sentences = (text: string, next: string): string => `${text}${gapAfter(text)}${next}`;

const gapAfter = (text: string) => (/[.?!…]$/.test(text) ? " " : ". ");

/** A text with the end of every message: what to do, and the request's id in the service's log. */
export const withEnd = (text: string, { hint, requestId }: Pick<Details, "hint" | "requestId">): string =>
  `${hint === undefined ? text : sentences(text, hint)}${requestId === undefined ? "" : ` (request ${requestId})`}`;

/** The parts of an error, to quote them in another one. */
export const messagePartsOf = (error: unknown): readonly MessagePart[] =>
  error instanceof ObservabilityError ? error.parts : [error instanceof Error ? error.message : String(error)];

/** A setting is missing or unusable. */
export class ConfigurationError extends ObservabilityError {
  override readonly name = "ConfigurationError";

  constructor(message: string) {
    super("configuration", message);
  }
}

/** The result of all attempts of a failed request. */
interface Attempts {
  /** True if an earlier attempt has an unknown outcome. */
  readonly wasLost?: boolean;
  /** Why there is no further attempt; undefined after a single one. */
  readonly end?: string | undefined;
}

interface RequestFacts extends Details {
  /** `PUT /api/v1/config/monitors/errors answered 400`. */
  readonly what: string;
  /** The service's own words. */
  readonly words?: string | undefined;
  readonly attempts?: Attempts;
}

/** A request failed: the service rejected it, or no usable answer came back. */
export abstract class RequestError extends ObservabilityError {
  /** True if an earlier attempt of the same request has an unknown outcome. */
  readonly wasLost: boolean;
  /** The only argument of a subclass. */
  abstract readonly facts: Omit<RequestFacts, "what">;

  protected constructor(
    code: ErrorCode,
    { what, words = "", attempts: { wasLost = false, end } = {}, ...details }: RequestFacts,
  ) {
    const ending = end === undefined ? [] : [`${gapAfter(words === "" ? what : words)}${end}`];
    super(code, [what, ...(words === "" ? [] : [": ", { words }]), ...ending], details);
    this.wasLost = wasLost;
  }

  /** The same error after all attempts, including those of an attempt that has retried a request itself. The last end is kept. */
  after({ wasLost = false, end }: Attempts): this {
    const { attempts } = this.facts;
    const Same = this.constructor as new (facts: object) => this; // as `facts` says
    return new Same({ ...this.facts, attempts: { wasLost: wasLost || this.wasLost, end: end ?? attempts?.end } });
  }
}

/** No usable answer came back. */
export class ConnectionError extends RequestError {
  override readonly name = "ConnectionError";

  constructor(
    readonly facts: RequestFacts & {
      /** `canceled`: the run was interrupted, and no further attempt is wanted. */
      readonly code: "unreachable" | "timeout" | "connection_lost" | "canceled";
      /** True unless it is certain that the service never saw the request. */
      readonly mayHaveArrived: boolean;
    },
  ) {
    super(facts.code, facts);
  }
}

/** An answer that does not match the API spec. */
export class UnexpectedAnswerError extends RequestError {
  override readonly name = "UnexpectedAnswerError";

  constructor(readonly facts: RequestFacts) {
    super("unexpected_answer", facts);
  }
}

/** The hint for an answer that does not look like the service's. */
export const addressDoubt = (baseUrl: string) => `Check that baseUrl "${baseUrl}" is the configuration service's URL`;

/** One problem that the service found. The path is in wire spelling, from the object's root. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: "invalid",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  410: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  413: "too_large",
  415: "unsupported_media_type",
  422: "invalid",
  429: "rate_limited",
  501: "not_implemented",
};

interface ApiErrorFacts extends Omit<RequestFacts, "what"> {
  readonly operation: Operation;
  /** `PUT /api/v1/config/monitors/errors`. */
  readonly request: string;
  readonly status: number;
  readonly isJson: boolean;
  readonly isHtml?: boolean;
  readonly serviceCode?: number | undefined;
  readonly problems?: readonly Problem[];
  readonly retryAfterMs?: number | undefined;
}

/** An answer that is no success: of the service, or of a gateway in front of it. */
export class ApiError extends RequestError {
  override readonly name = "ApiError";
  readonly operation: Operation;
  readonly status: number;
  /** The service's own number for the cause, if its answer has one. */
  readonly serviceCode: number | undefined;
  readonly problems: readonly Problem[];
  /** False if the answer is not a JSON object, so that it may come from a gateway. */
  readonly isJson: boolean;
  /** True for a text that begins like an HTML page, which is taken for a gateway's. */
  readonly isHtml: boolean;
  /** The wait in milliseconds that the service asks for before a repeat. */
  readonly retryAfterMs: number | undefined;

  constructor(readonly facts: ApiErrorFacts) {
    const { status, request } = facts;
    super(codeByStatus[status] ?? (status >= 500 ? "unavailable" : "refused"), {
      ...facts,
      what: `${request} answered ${status}`,
    });
    this.operation = facts.operation;
    this.status = status;
    this.serviceCode = facts.serviceCode;
    this.problems = facts.problems ?? [];
    this.isJson = facts.isJson;
    this.isHtml = facts.isHtml ?? false;
    this.retryAfterMs = facts.retryAfterMs;
  }

  get isNotFound(): boolean {
    return this.code === "not_found";
  }
}
