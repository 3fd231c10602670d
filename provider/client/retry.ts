import { setTimeout as sleep } from "node:timers/promises";
import { namespace } from "../schema/names";
import { mayHaveHappened } from "./failures";
import { ApiError, ConnectionError, RequestError, UnexpectedAnswerError } from "./errors";

const firstDelayMs = 200;
const longestDelayMs = 10_000;
// A service that never answered is more likely mistyped than restarting: 200 + 400 + 800 ms, then the error.
const attemptsOnUnseenService = 4;
// A request that makes the service fail once usually does so again.
const attemptsOnInternalError = 3;

/**
 * The wait before the next attempt, in milliseconds; undefined if there is to be none.
 * @param count The number of attempts so far.
 * @param alike How many of them failed for the same cause: without an answer, or with the same status.
 * @param serviceSeen As in `Limits`.
 */
function retryDelayMs(error: RequestError, count: number, alike: number, serviceSeen: boolean): number | undefined {
  // Plus up to a quarter, so that many resources do not come back at once.
  const delay = Math.min(firstDelayMs * 2 ** (count - 1), longestDelayMs) * (1 + Math.random() / 4);
  if (error instanceof ApiError) {
    if (error.status === 500 && alike >= attemptsOnInternalError) return undefined;
    if (![408, 425, 429, 500, 502, 503, 504].includes(error.status)) return undefined;
    // What the service asks for, but at least our own: "Retry-After: 0" would cause a flood.
    return Math.max(error.retryAfterMs ?? 0, delay);
  }
  if (error instanceof ConnectionError) {
    if (error.code === "canceled") return undefined;
    if (!serviceSeen && alike >= attemptsOnUnseenService) return undefined;
    // After a timeout, waiting again helps only if the service has ever answered.
    return error.code === "timeout" && !serviceSeen ? undefined : delay;
  }
  // A restarting gateway cuts off or replaces answers for a while; a wrong URL always answers like this.
  const mayBeRestarting = error instanceof UnexpectedAnswerError && serviceSeen;
  return mayBeRestarting && alike < attemptsOnInternalError ? delay : undefined;
}

/** The limits of one request's attempts. */
export interface Limits {
  readonly budgetSecs: number;
  /** Whether an answer in this process was a JSON object, as the service's are. */
  readonly serviceSeen: () => boolean;
  /** The deadline for all attempts, in milliseconds of `performance.now()`. */
  readonly until?: number | undefined;
  /** Ends a wait, and the attempts. */
  readonly signal: AbortSignal;
  /** Called before each wait. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** A wait for another attempt; all times in milliseconds of `performance.now()`. */
export interface Wait {
  readonly error: RequestError;
  /** The number of attempts so far. */
  readonly count: number;
  readonly delay: number;
  readonly start: number;
  readonly deadline: number;
}

/** The attempts of one request, or of one write with its look-ups. */
export class Repetition {
  readonly deadline: number;
  /** The error of the last attempt before this one that may have been done although it failed. */
  lost: RequestError | undefined;
  readonly #limits: Limits;
  readonly #causes: unknown[] = [];
  readonly #start = performance.now();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.deadline = Math.min(this.#start + limits.budgetSecs * 1000, limits.until ?? Infinity);
  }

  /**
   * Waits before another attempt.
   * @throws the error, with the number of all attempts, if another one makes no sense or comes too late.
   */
  async waitOrThrow(error: unknown): Promise<void> {
    if (!(error instanceof RequestError)) throw error;
    const { budgetSecs, serviceSeen, until, signal, onWait } = this.#limits;
    const cause = error instanceof ApiError ? error.status : error.name;
    const count = this.#causes.push(cause);
    const alike = this.#causes.filter((each) => each === cause).length;
    const delay = retryDelayMs(error, count, alike, serviceSeen());
    const [start, deadline] = [this.#start, this.deadline];
    // An earlier attempt may have been done, whatever error this one gets.
    const after = (end?: string) => error.after({ wasLost: this.lost !== undefined, end });
    const givenUp = `Gave up after ${count} attempt${count === 1 ? "" : "s"} in ${inSeconds(performance.now() - start)} s`;
    // The first of its cause is final in itself.
    if (delay === undefined) throw after(alike === 1 ? undefined : givenUp);
    if (performance.now() + delay > deadline) {
      const hasRemedy = error.hint?.startsWith("Run again") === true;
      const advice = hasRemedy ? ", which you can raise" : ". Run again later, or raise this setting";
      const past = `, because the next wait of ${inSeconds(delay)} s would exceed ${namespace}:retryBudgetSecs (${budgetSecs} s)${advice}`;
      throw after(deadline === until ? givenUp : givenUp + past);
    }
    if (mayHaveHappened(error)) this.lost = error;
    onWait?.({ error, count, delay, start, deadline });
    await sleep(delay, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) throw after("It was not retried because the run was interrupted");
  }
}

/** Attempts until one succeeds. @throws as `Repetition.waitOrThrow`. */
export async function repeat<T>(attempt: (deadline: number) => Promise<T>, limits: Limits): Promise<T> {
  const repetition = new Repetition(limits);
  for (;;) {
    try {
      return await attempt(repetition.deadline);
    } catch (error) {
      await repetition.waitOrThrow(error);
    }
  }
}

/** Milliseconds as seconds for people, with one decimal below ten. */
export const inSeconds = (ms: number) => Number((ms / 1000).toFixed(ms < 10_000 ? 1 : 0));

/** The headers of an answer, by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The answer's `Date` in milliseconds since the epoch; undefined if it has none. */
export function dateOf(headers: Headers): number | undefined {
  const date = Date.parse(String(headers.date));
  return Number.isNaN(date) ? undefined : date;
}

/** The wait in milliseconds that a rejection requests; undefined if it requests none. */
export function askedDelayMs(status: number, headers: Headers, now = Date.now()): number | undefined {
  // A date is on the service's clock, which may differ from ours by more than the wait.
  const clock = dateOf(headers) ?? now;
  const retryAfter = waitIn(headers["retry-after"], clock);
  // The rate-limit headers concern only 429.
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

// Smaller values are seconds to wait, larger ones a time since the epoch: 1e9 s is 31 years, or September 2001.
const firstEpochSecs = 1e9;

/** `RateLimit-Reset`, `X-RateLimit-Reset`: seconds to wait, or seconds since the epoch on the service's clock. */
function resetIn(header: Headers[string], clock: number): number | undefined {
  const text = String(header).trim();
  if (!/^\d+(\.\d+)?$/.test(text)) return undefined;
  const ms = Number(text) * 1000;
  return ms < firstEpochSecs * 1000 ? ms : Math.max(0, ms - clock);
}
