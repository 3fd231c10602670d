import type { Validation } from "../../protocol";
import { isObject, parseJson } from "../../wire/json";
import { runFolder, SharedLines } from "./sharedLines";

/** The result of a validation; pending while the provider's process asks the service. */
type Result = Validation | "pending";

const none: Validation = { failures: [], warnings: [] };

/**
 * The results of validations in one run of the engine, each by the resource's instance. The provider's process writes
 * them. The class, or the plugin's next call, reads and reports them.
 */
export class Results {
  readonly #latest = new Map<string, Result>();
  /** What records the result of the latest validation that this process has begun, by instance. */
  readonly #begun = new Map<string, (validation: Validation) => void>();
  /** The files of the processes that have other results pending, by instance. */
  readonly #awaited = new Map<string, string>();
  readonly #lines: SharedLines;

  /** The results of one engine's run. */
  static of(engineAddress: string): Results {
    return new Results(runFolder(engineAddress));
  }

  /** @param folder The folder of the run. */
  constructor(readonly folder: string) {
    this.#lines = new SharedLines(`${folder}-results`);
  }

  /**
   * Begins a validation. A later one of the same resource counts instead: the engine checks a replaced resource twice.
   * @returns what records the result. If that can't be written, its reader learns that there will be none.
   * @throws {ConfigurationError} if the folder can't be written, or belongs to others.
   */
  begin(instance: string): (validation: Validation) => void {
    const end = (validation: Validation) => {
      if (this.#begun.get(instance) !== end) return;
      try {
        this.#write(instance, validation);
      } catch {
        this.close();
      }
    };
    this.#begun.set(instance, end);
    this.#write(instance, "pending");
    return end;
  }

  /** Reports why the resource can't be as declared, or that it can, unlike at its last check. @throws as `begin`. */
  decide(instance: string, failures: readonly string[]): void {
    if (failures.length > 0 || this.failuresOf(instance).length > 0) this.#write(instance, { ...none, failures });
  }

  /** Why the resource can't be as declared, as far as this process has read or written it. */
  failuresOf(instance = ""): readonly string[] {
    const result = this.of(instance);
    return result === undefined || result === "pending" ? [] : result.failures;
  }

  /**
   * What is known about a resource, as far as this process has read or written it; undefined if nothing is validated.
   */
  of(instance: string): Result | undefined {
    return this.#latest.get(instance);
  }

  /**
   * Reads what the run's other processes have written since. What a process that has ended left pending fails.
   * @throws {ConfigurationError} if the folder belongs to others, or a file in it is damaged.
   */
  read(): void {
    const ended = [...new Set(this.#awaited.values())].filter((file) => !this.#lines.isOpen(file));
    // After that: a process may write a result just before its end.
    for (const { line, file } of this.#lines.fromOthers()) {
      const read = parseJson(line);
      if (!isObject(read) || typeof read.instance !== "string") throw this.#lines.damaged();
      const { instance } = read;
      const result = read.result as Result; // as `#write` wrote it
      this.#latest.set(instance, result);
      if (result === "pending") this.#awaited.set(instance, file);
      else this.#awaited.delete(instance);
    }
    for (const [instance, file] of this.#awaited) {
      if (!ended.includes(file)) continue;
      this.#latest.set(instance, { ...none, failures: [lost] });
      this.#awaited.delete(instance);
    }
  }

  close(): void {
    this.#lines.close();
  }

  #write(instance: string, result: Result): void {
    this.#latest.set(instance, result);
    this.#lines.append(JSON.stringify({ instance, result }));
  }
}

const lost =
  "unable to validate: the provider's process ended, or couldn't write the result to the folder for temporary files. Run again";
