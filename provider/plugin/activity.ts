import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, processId } from "../lifecycle/objects/processId";
import { runFolder, SharedLines } from "../lifecycle/objects/sharedLines";
import { tried } from "../wire/json";

/** The time without a call after which the engine is thought to have made all of them. A process starts in less. */
const quietMs = 1_500;
/** A process can't report the end of a call if the disk is full. */
const longestMs = 120_000;

/**
 * The calls of all provider processes in one run of the engine. Each process writes a line when it begins to work, and
 * one when it has nothing to do.
 */
class Activity {
  readonly #lines = new SharedLines(`${runFolder(process.argv.at(-1) ?? "")}-calls`);
  readonly #othersAtWork = new Set<string>();
  #running = 0;
  #signs = 0;

  constructor() {
    process.on("exit", () => this.#lines.close());
  }

  begin(): void {
    if ((this.#running += 1) === 1) this.#report("begins");
  }

  end(): void {
    if ((this.#running -= 1) === 0) this.#report("ends");
  }

  /** Ends when no process has been at work for a moment. The call that waits for it is no work. */
  async quiet(): Promise<void> {
    this.end();
    const start = performance.now();
    for (let since = start; performance.now() - since < quietMs; await sleep(quietMs / 10)) {
      const seen = this.#signs;
      this.#readOthers();
      // A process that was killed in a call never reports its end.
      const isAtWork = this.#running > 0 || [...this.#othersAtWork].some(isRunning) || this.#signs !== seen;
      if (isAtWork && performance.now() - start < longestMs) since = performance.now();
    }
    this.begin();
  }

  #report(what: "begins" | "ends"): void {
    this.#signs += 1;
    tried(() => this.#lines.append(`${processId} ${what}`));
  }

  #readOthers(): void {
    for (const { line } of tried(() => [...this.#lines.fromOthers()]) ?? []) {
      const [id = "", what] = line.split(" ");
      this.#othersAtWork[what === "begins" ? "add" : "delete"](id);
      this.#signs += 1;
    }
  }
}

/** Reports from its start on, and so is imported before the rest: the engine calls only when all is loaded. */
export const activity = new Activity();
activity.begin();
