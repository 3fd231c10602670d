import { ApiError, ConnectionError, UnexpectedAnswerError } from "./errors";

/** One failed attempt, as far as the decision about another one depends on it. */
export interface Attempt {
  /** True where a second arrival of the same request changes nothing more: reads, dry runs, PUT and DELETE. */
  readonly repeatable: boolean;
  /** How many attempts were made, this one included. */
  readonly count: number;
  /** True once any request has been answered by this service in this process. */
  readonly serviceSeen: boolean;
  readonly error: unknown;
}

const firstDelayMs = 200;
const longestDelayMs = 10_000;
// A service that never answered is more likely mistyped than restarting: 200 + 400 + 800 ms, then the error.
const attemptsOnUnseenService = 4;
// The same request that makes a service fail once mostly does it again.
const attemptsOnInternalError = 3;

/** How long to wait before the next attempt in milliseconds, or nothing where there is to be none. */
export function retryDelayMs(attempt: Attempt, random: () => number = Math.random): number | undefined {
  const { error, repeatable, count, serviceSeen } = attempt;
  if (error instanceof ApiError) {
    // 429: refused before anything was done, so safe for every method.
    if (error.status === 429) return asked(error, count, random);
    if (!repeatable) return undefined;
    if (error.status === 500 && count >= attemptsOnInternalError) return undefined;
    if ([500, 502, 503, 504].includes(error.status)) return asked(error, count, random);
    return undefined;
  }
  if (error instanceof ConnectionError) {
    if (error.isFinal) return undefined;
    if (error.mayHaveArrived && !repeatable) return undefined;
    if (!serviceSeen && count >= attemptsOnUnseenService) return undefined;
    // A request that timed out has used its time; without an answer ever, another wait helps nobody.
    if (error.code === "timeout" && !serviceSeen) return undefined;
    return backoff(count, random);
  }
  if (error instanceof UnexpectedAnswerError) {
    // Cut off or replaced on the way, as happens while a gateway restarts; a wrong address answers so each time.
    return repeatable && serviceSeen && count < attemptsOnInternalError ? backoff(count, random) : undefined;
  }
  return undefined;
}

// What the service asks for, but never at once: "Retry-After: 0" would be a flood.
const asked = ({ retryAfterMs = 0 }: ApiError, count: number, random: () => number) =>
  Math.max(retryAfterMs, backoff(count, random));

// Full delay plus up to a quarter, so that many resources do not come back at once.
function backoff(count: number, random: () => number): number {
  return Math.min(firstDelayMs * 2 ** (count - 1), longestDelayMs) * (1 + random() / 4);
}

/** The headers of an answer, by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An answer's own clock in milliseconds since the epoch, where it tells. */
export function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(String(headers.date));
  return Number.isNaN(date) ? undefined : date;
}

/** How many milliseconds a refusal asks to wait before a repeat, or nothing where it does not say. */
export function askedDelayMs(status: number, headers: Headers, now: number): number | undefined {
  // A point in time is on the service's clock, which may differ from ours by more than the wait.
  const clock = dateOf(headers) ?? now;
  const retryAfter = waitIn(headers["retry-after"], clock);
  // What is left of a quota says nothing about another failure.
  if (retryAfter !== undefined || status !== 429) return retryAfter;
  return resetIn(headers["ratelimit-reset"], clock) ?? resetIn(headers["x-ratelimit-reset"], clock);
}

/** `Retry-After`: seconds or a date. */
function waitIn(header: Headers[string], clock: number): number | undefined {
  const text = String(header).trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - clock);
}

// As seconds to wait over 31 years, as a point in time before 2002.
const firstEpochSecs = 1e9;

/** `RateLimit-Reset`, `X-RateLimit-Reset`: seconds to wait, or of the service's clock since the epoch. */
function resetIn(header: Headers[string], clock: number): number | undefined {
  const text = String(header).trim();
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const ms = Number(text) * 1000;
  return ms < firstEpochSecs * 1000 ? ms : Math.max(0, ms - clock);
}
