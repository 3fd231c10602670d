import type { Reply } from "../support/faults.js";

const hourMs = 3_600_000;

/**
 * Time as the service's clients see it: an hour passes before each operation, so that what stood before it is older than
 * the two seconds by which clocks may differ. The service's own times are mapped, each always to the same.
 */
export class Clock {
  readonly #starts: number[] = [];

  /** An operation begins. */
  tick(): void {
    this.#starts.push(Date.now());
  }

  shown(time: unknown): string {
    const at = Date.parse(String(time));
    return new Date(at + this.#starts.filter((start) => start <= at).length * hourMs).toISOString();
  }

  reply(given: Reply): Reply {
    const text = given.text.replace(
      /"(created_at|updated_at)":"([^"]*)"/g,
      (_, name: string, at: string) => `"${name}":"${this.shown(at)}"`,
    );
    const { date } = given.headers;
    // The header has whole seconds, so that it may name one before the operation.
    const now = new Date(Date.parse(this.shown(new Date().toISOString())));
    return {
      ...given,
      text,
      headers: date === undefined ? given.headers : { ...given.headers, date: now.toUTCString() },
    };
  }
}
