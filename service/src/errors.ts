/** Every reason to reject a request, with the HTTP status and the unique `code` of the body. */
export const causes = {
  // Other clients of this API expect this code for "invalid".
  invalid: { status: 400, code: 400008 },
  unknownReference: { status: 400, code: 40002 },
  inUse: { status: 400, code: 40003 },
  badPageToken: { status: 400, code: 40004 },
  unauthenticated: { status: 401, code: 40101 },
  noSuchObject: { status: 404, code: 40401 },
  noSuchRoute: { status: 404, code: 40402 },
  methodNotAllowed: { status: 405, code: 40501 },
  timedOut: { status: 408, code: 40801 },
  slugTaken: { status: 409, code: 40901 },
  singletonExists: { status: 409, code: 40902 },
  tooLarge: { status: 413, code: 41301 },
  unsupportedMediaType: { status: 415, code: 41501 },
  headersTooLarge: { status: 431, code: 43101 },
  internal: { status: 500, code: 50001 },
  draining: { status: 503, code: 50301 },
  diskFull: { status: 507, code: 50701 },
} as const satisfies Record<string, { status: number; code: number }>;

export type Cause = keyof typeof causes;

/** One problem of a request. `path` is the wire path inside the resource: `series_conditions.overrides[0]`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface ErrorBody {
  readonly code: number;
  readonly message: string;
  readonly errors?: readonly Problem[];
}

interface Details {
  readonly errors?: readonly Problem[];
  readonly headers?: Readonly<Record<string, string>>;
}

// A body can contain a hundred thousand mistakes. An answer lists and quotes at most these numbers.
const listedProblems = 100;
const toldProblems = 5;

/** Counts the problems of a request and keeps the first hundred. */
export class Problems {
  readonly listed: Problem[] = [];
  count = 0;

  constructor(...problems: readonly Problem[]) {
    for (const { path, message } of problems) this.add(path, message);
  }

  add(path: string, message: string): void {
    if (this.listed.length < listedProblems) this.listed.push({ path, message });
    this.count++;
  }
}

/** A rejected request. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: (typeof causes)[Cause]["status"];
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;

  constructor(cause: Cause, message: string, { errors, headers = {} }: Details = {}) {
    super(message);
    const { status, code } = causes[cause];
    this.status = status;
    this.body = { code, message, ...(errors && { errors }) };
    this.headers = headers;
  }
}

/** The error for wrong content, with its problems. */
export function refused(reason: Cause, subject: string, { listed, count }: Problems): ApiError {
  const told = listed
    .slice(0, toldProblems)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const rest = count - told.length;
  return new ApiError(reason, `${subject}: ${told.join("; ")}${rest > 0 ? `; and ${rest} more` : ""}`, {
    errors: listed,
  });
}

/** The service cannot start; the message is one line for the person who started it. */
export class StartError extends Error {
  override readonly name = "StartError";
}
