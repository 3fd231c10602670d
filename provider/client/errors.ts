import type { Operation } from "../schema/kind";

/** What went wrong, for code to match on; the message is for people only. */
export type ErrorCode =
  | "configuration"
  | "unreachable"
  | "timeout"
  | "interrupted"
  | "unexpected_answer"
  | "invalid"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "not_implemented"
  | "unavailable"
  | "refused";

/** Every error of this package. `code` is stable. */
export class ObservabilityError extends Error {
  override readonly name: string = "ObservabilityError";
  /** True where the request was sent before this answer, and what came of that is not known. */
  wasLostBefore = false;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A setting is missing or unusable. */
export class ConfigurationError extends ObservabilityError {
  override readonly name = "ConfigurationError";

  constructor(message: string) {
    super("configuration", message);
  }
}

/** No usable answer came back. */
export class ConnectionError extends ObservabilityError {
  override readonly name = "ConnectionError";
  /** True where the run was interrupted, so that another attempt is not wanted. */
  readonly isFinal: boolean;

  constructor(
    override readonly code: "unreachable" | "timeout" | "interrupted",
    message: string,
    /** True unless it is certain that the service never saw the request. */
    readonly mayHaveArrived: boolean,
    options?: ErrorOptions & { readonly isFinal?: boolean },
  ) {
    super(code, message, options);
    this.isFinal = options?.isFinal ?? false;
  }
}

/** An answer that is not what the interface document says. */
export class UnexpectedAnswerError extends ObservabilityError {
  override readonly name = "UnexpectedAnswerError";

  constructor(message: string) {
    super("unexpected_answer", message);
  }
}

/** What to look at if something answers as the service does not. */
export const addressDoubt = (baseUrl: string) => `is baseUrl "${baseUrl}" the configuration service's address?`;

/** One thing that the service found wrong; the path is in wire spelling, inside the object. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: "invalid",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  413: "too_large",
  415: "unsupported_media_type",
  422: "invalid",
  429: "rate_limited",
  501: "not_implemented",
};

/** The service refused a request. */
export class ApiError extends ObservabilityError {
  override readonly name = "ApiError";
  readonly operation: Operation;
  readonly status: number;
  /** The service's own number for the cause, where its answer has one. */
  readonly serviceCode: number | undefined;
  readonly problems: readonly Problem[];
  /** False for an answer that is no JSON object: then it may come from anything on the way. */
  readonly isJson: boolean;
  /** The service's own words, as they stand in the message. */
  readonly words: string;
  /** What tells the request from others in the service's log. */
  readonly requestId: string;
  /** True for a page of HTML: then it comes from something on the way. */
  readonly isPage: boolean;
  /** Milliseconds that the service asks to wait before a repeat. */
  readonly retryAfterMs: number | undefined;

  constructor(facts: {
    readonly operation: Operation;
    readonly request: string;
    readonly status: number;
    readonly requestId: string;
    readonly words: string;
    readonly isJson: boolean;
    readonly isPage?: boolean;
    readonly serviceCode?: number | undefined;
    readonly problems?: readonly Problem[];
    readonly retryAfterMs?: number | undefined;
  }) {
    const words = facts.words === "" ? "" : `: ${facts.words}`;
    super(
      codeByStatus[facts.status] ?? (facts.status >= 500 ? "unavailable" : "refused"),
      `${facts.request} answered ${facts.status}${words} (request ${facts.requestId})`,
    );
    this.words = facts.words;
    this.requestId = facts.requestId;
    this.operation = facts.operation;
    this.status = facts.status;
    this.serviceCode = facts.serviceCode;
    this.problems = facts.problems ?? [];
    this.isJson = facts.isJson;
    this.isPage = facts.isPage ?? false;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
