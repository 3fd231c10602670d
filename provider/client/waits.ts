import type { Request } from "./answers";
import { ApiError } from "./errors";
import { inSeconds, type Wait } from "./retry";

/** If the service is unavailable for longer, a note explains why nothing happens. */
const quietMs = 3_000;
/** If a request gets no answer for longer, a note explains that. Its timeout allows for the slowest answer. */
const slowMs = 5_000;

/** Tells the user what all requests wait for, once for all of them. */
export class Waits {
  /** The start of the current outage, once it was reported. */
  #awaySince: number | undefined;
  #isSlowReported = false;

  /** @param note Shows the user an info line. */
  constructor(
    private readonly baseUrl: () => string,
    private readonly note: (text: string) => void,
  ) {}

  /** Reports an outage. Leaves out the service's words: they may quote secrets. */
  noteAway({ error, count, delay, start, deadline }: Wait): void {
    if (this.#awaySince !== undefined || performance.now() + delay - start < quietMs) return;
    this.#awaySince = start;
    const cause = error instanceof ApiError ? `answers ${error.status}` : "does not answer";
    this.note(
      `the service at "${this.baseUrl()}" ${cause}. Attempt ${count + 1} follows in ${inSeconds(delay)} s; retries end at ${timeOf(deadline)} UTC`,
    );
  }

  noteBack(): void {
    if (this.#awaySince === undefined) return;
    this.note(
      `the service at "${this.baseUrl()}" answers again after ${inSeconds(performance.now() - this.#awaySince)} s`,
    );
    this.#awaySince = undefined;
  }

  /** Reports a slow answer once, because a service may be slow each time. */
  async during<T>({ operation, path }: Request, limit: number, attempt: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      if (this.#isSlowReported) return;
      this.#isSlowReported = true;
      const what = `${operation.method} ${path}, ${inSeconds(slowMs)} s so far`;
      this.note(`still waiting for "${this.baseUrl()}" (${what}). This attempt times out at ${timeOf(limit)} UTC`);
    }, slowMs);
    return attempt.finally(() => clearTimeout(timer));
  }
}

/** The time of day in UTC, without its zone, at a moment of `performance.now()`. */
const timeOf = (moment: number) => new Date(Date.now() + moment - performance.now()).toISOString().slice(11, 19);
