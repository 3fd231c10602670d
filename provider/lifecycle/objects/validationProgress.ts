import type { Validation } from "../../protocol";
import type { JsonObject } from "../../wire/json";

/** How far the validations of this process have come, and what they share. */
export class ValidationProgress {
  /** Whether a check of this preview has begun to check URL and token. */
  isAccessChecked = false;
  /** The result of all validations so far; "in vain" if the service did not decide one. */
  result: "nothing" | "something" | "in vain" = "nothing";
  /** Called when `result` has changed. */
  onProgress: () => void = () => undefined;
  /** What one validation has reported for all: why the service did not decide, or the error that it ignores dry runs. */
  readonly reported = new Set<unknown>();
  /**
   * Validations that the engine asks for after the check, by the resource's instance. Each gets the recorded outputs, empty
   * without any, and the slug of the object that is deleted first.
   */
  readonly leftForLater = new Map<string, (outputs: JsonObject, deletedSlug?: string) => Promise<Validation>>();
  /** What a preview creates or updates so far, by the object. */
  readonly previewed = new Map<string, JsonObject>();
  readonly #validations = new Map<string, Promise<Validation>>();

  /** Validates the same subject once: the engine checks a replaced resource twice. */
  once(subject: unknown, ask: () => Promise<Validation>): Promise<Validation> {
    const asked = JSON.stringify(subject);
    const validation = this.#validations.get(asked) ?? this.#validate(ask);
    this.#validations.set(asked, validation);
    return validation;
  }

  async #validate(ask: () => Promise<Validation>): Promise<Validation> {
    const validation = await ask();
    const result = validation.outage ? "in vain" : this.result === "nothing" ? "something" : this.result;
    if (result === this.result) return validation;
    this.result = result;
    this.onProgress();
    return validation;
  }
}
