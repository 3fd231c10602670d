import type { Operation } from "../schema/kind";

/** What went wrong. Code matches on this; the message is for people only. */
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
  /** True if an earlier attempt of the same request has an unknown outcome. */
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
  /** True if the run was interrupted: no further attempt is wanted. */
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

/** An answer that does not have the form of the interface document. */
export class UnexpectedAnswerError extends ObservabilityError {
  override readonly name = "UnexpectedAnswerError";

  constructor(message: string) {
    super("unexpected_answer", message);
  }
}

/** The hint for an answer that does not look like the service's. */
export const addressDoubt = (baseUrl: string) => `is baseUrl "${baseUrl}" the configuration service's address?`;

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
  /** The service's own number for the cause, if its answer has one. */
  readonly serviceCode: number | undefined;
  readonly problems: readonly Problem[];
  /** False if the answer is no JSON object: it may come from a gateway. */
  readonly isJson: boolean;
  /** The service's own words, exactly as in the message. */
  readonly words: string;
  /** The request's id, to find it in the service's log. */
  readonly requestId: string;
  /** True for an HTML page: it comes from a gateway, not from the service. */
  readonly isPage: boolean;
  /** The wait in milliseconds that the service asks for before a repeat. */
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
