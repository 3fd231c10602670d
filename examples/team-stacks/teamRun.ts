import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { environmentOf } from "./secrets";
import type { Counts } from "./watch";

export type Operation = "preview" | "up" | "destroy";

/** What a team's process tells: lines while it works, then how it ended. */
export type Message =
  | { readonly line: string }
  | {
      readonly counts: Counts;
      /** What went wrong, in one line. */
      readonly failure: string | undefined;
    };

/** One team's way through a run. What fails is kept and ends that way; nothing is thrown, so that the others go on. */
export class TeamRun {
  readonly name: string;
  /** What the last operation did or would do; nothing where it never came to it. */
  counts: Counts | undefined;
  /** What went wrong, in one line. */
  failure: string | undefined;
  elapsedMs = 0;
  readonly #say: (operation: Operation, line: string) => void;

  constructor(name: string, say: (operation: Operation, line: string) => void) {
    this.name = name;
    this.#say = say;
  }

  /** Does nothing after a failure, and starts nothing after `stopping`; `cancelling` ends what runs, in order. */
  async run(operation: Operation, stopping: AbortSignal, cancelling: AbortSignal): Promise<void> {
    if (this.failure !== undefined) return;
    this.counts = undefined;
    if (stopping.aborted) {
      this.failure = `${operation} not started: interrupted`;
      return;
    }
    const start = Date.now();
    this.#say(operation, "started");
    const failure = await this.#operate(operation, cancelling);
    if (failure !== undefined) this.failure = `${operation} failed: ${failure}`;
    this.elapsedMs += Date.now() - start;
    this.#say(operation, failure === undefined ? "done" : "failed");
  }

  async #operate(operation: Operation, cancelling: AbortSignal): Promise<string | undefined> {
    const child = fork(join(__dirname, "teamProcess.js"), [this.name, operation], {
      env: environmentOf(this.name),
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    const cancel = () => child.kill("SIGTERM");
    cancelling.addEventListener("abort", cancel);
    // What a team's program prints.
    for (const input of [child.stdout, child.stderr]) {
      if (input !== null) createInterface({ input }).on("line", (line) => this.#say(operation, line));
    }
    let told = false;
    let failure: string | undefined;
    child.on("message", (message: Message) => {
      if ("line" in message) this.#say(operation, message.line);
      else {
        told = true;
        failure = message.failure;
        // Half a preview says nothing; half an update has happened.
        if (failure === undefined || operation !== "preview") this.counts = message.counts;
      }
    });
    try {
      const [status, signal] = await once(child, "close");
      if (!told) {
        failure = `its process ended with ${signal ?? status}`;
        this.#say(operation, failure);
      }
      return failure;
    } catch (error) {
      return String(error); // No process could be started.
    } finally {
      cancelling.removeEventListener("abort", cancel);
    }
  }
}
