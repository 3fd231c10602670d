import type { Verdict } from "../protocol";

/** What this process has asked the service about the program. */
export class Validations {
  /** Who proves address and token in this preview; the first `check` decides. */
  prover: "check" | "class" | undefined;
  /** The result of all validations so far; "in vain" if one got no answer from the service. */
  result: "nothing" | "something" | "in vain" = "nothing";
  readonly #verdicts = new Map<string, Promise<Verdict>>();

  /** Validates the same subject once: the engine checks a replaced resource twice. */
  once(subject: unknown, ask: () => Promise<Verdict>): Promise<Verdict> {
    const asked = JSON.stringify(subject);
    const verdict = this.#verdicts.get(asked) ?? this.#validate(ask);
    this.#verdicts.set(asked, verdict);
    return verdict;
  }

  async #validate(ask: () => Promise<Verdict>): Promise<Verdict> {
    const verdict = await ask();
    if (verdict.isOutage) this.result = "in vain";
    else if (this.result === "nothing") this.result = "something";
    return verdict;
  }
}
