import type { ObservabilityError } from "../../client/errors";
import type { Operation } from "../../schema/kind";

/** The request that a dry run validates. */
export type DryRun = { readonly method: "POST" } | { readonly method: "PUT"; readonly createIfMissing: boolean };

/**
 * Whether a service honors `dry_run`. The service, or a gateway in front of it, may ignore it and write. So until one dry
 * run of an operation has shown the contrary, its dry runs in this process go alone, and all stop if one has written.
 */
export class DryRuns {
  /** The error that stopped all further dry runs. */
  ignored: ObservabilityError | undefined;
  /** Whether the service answers a dry run with the object, without writing it. */
  isEchoed = false;
  readonly #honored = new Set<Operation>();
  #isBusy = false;
  #waiting: { readonly isNew: boolean; readonly start: () => void }[] = [];

  /**
   * Sends a dry run of an operation; alone, until it is known that the service honors them.
   * @param isNew Whether the object is new. If one must be written, then rather a new one than an existing one.
   * @param send Fails if the service rejects the dry run, or has written.
   * @throws {ObservabilityError} of code `dry_run_ignored`, without sending anything, after one that has written.
   */
  async inTurn(operation: Operation, isNew: boolean, send: () => Promise<void>): Promise<void> {
    if (this.#honored.has(operation)) return this.#send(operation, send);
    await this.#turn(isNew);
    try {
      if (!this.#honored.has(operation)) return await this.#send(operation, send);
    } finally {
      this.#next();
    }
    return this.#send(operation, send);
  }

  async #send(operation: Operation, send: () => Promise<void>): Promise<void> {
    if (this.ignored !== undefined) throw this.ignored;
    await send();
    this.#honored.add(operation);
  }

  async #turn(isNew: boolean): Promise<void> {
    if (this.#isBusy) await new Promise<void>((start) => this.#waiting.push({ isNew, start }));
    this.#isBusy = true;
  }

  #next(): void {
    const next = this.#waiting.find(({ isNew }) => isNew) ?? this.#waiting[0];
    this.#waiting = this.#waiting.filter((each) => each !== next);
    this.#isBusy = next !== undefined;
    next?.start();
  }
}
