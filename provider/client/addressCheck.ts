import type { Kind } from "../schema/kind";
import { ApiError, UnexpectedAnswerError } from "./errors";
import type { Reads } from "./reads";

/** How to verify that the URL is the service's. */
export interface Verification {
  /** The kind of the current operation. */
  readonly kind: Kind;
  /** The slug of an object of that kind, if one may exist. */
  readonly slug?: string | undefined;
  /** A kind whose list every service has. */
  readonly other: Kind;
  /** Older verifications do not count, in milliseconds of `performance.now()`. */
  readonly since?: number | undefined;
  /** The deadline in milliseconds of `performance.now()`; without one, each request has its own budget. */
  readonly until?: number | undefined;
}

/** Makes sure that the URL is the service's: only the service itself can answer with a page of a list or an object. */
export class AddressCheck {
  readonly #running = new Map<Kind, Promise<unknown>>();

  constructor(private readonly reads: Reads) {}

  /**
   * Requests something that only the service itself can answer, again while the newest success is older than `since`. Tries
   * the kind's list, then the object, because a token may have no rights beyond the kind, then the other kind's list.
   */
  async ask({ kind, slug, other, since = 0, until }: Verification): Promise<void> {
    while (this.reads.succeededAt < since) {
      await firstShown([
        ...(this.reads.isListable(kind) ? [() => this.askList(kind, until)] : []),
        // Not shared between objects: an error may quote this object's secrets, and only its own caller redacts those.
        ...(slug === undefined ? [] : [() => this.reads.get(kind, slug, until)]),
        ...(kind === other && this.reads.isListable(kind) ? [] : [() => this.askList(other, until).catch(asCheck)]),
      ]);
    }
  }

  /** Reads a page with one object, once for all that wait for it. */
  askList(kind: Kind, until?: number): Promise<unknown> {
    const running =
      this.#running.get(kind) ?? this.reads.page(kind, [], "", 1, until).finally(() => this.#running.delete(kind));
    this.#running.set(kind, running);
    return running;
  }
}

/** Names the reason of a request for objects of another kind. */
function asCheck(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  throw new ApiError({ ...error.facts, request: `the check of baseUrl failed: ${error.facts.request}` });
}

/** Sends one request after another until one is neither forbidden for this token nor missing at this service. */
async function firstShown(questions: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  let closed: unknown = new Error("there is nothing to ask");
  for (const ask of questions) {
    try {
      return await ask();
    } catch (error) {
      const isClosed = error instanceof ApiError && [403, 404, 405, 410, 501].includes(error.status);
      if (!isClosed && !(error instanceof UnexpectedAnswerError)) throw error;
      closed = error;
    }
  }
  throw closed;
}
