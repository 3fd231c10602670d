import { setTimeout as sleep } from "node:timers/promises";
import type { SettingTexts } from "../client/settingTexts";
import { startHost } from "../lifecycle/hostProcess";
import type { Run } from "../lifecycle/run";
import type { Path } from "../schema/walk";
import { Engine } from "./engine";

/** The time without a call after which the engine is thought to have made all of them. */
const quietMs = 200;

/** The process of one provider: its settings, the engine that called it, and the calls that are under way. */
export class Host {
  readonly engine = new Engine();
  /** The marked settings, and the marked entries of settings that are maps. */
  secretSettings: readonly Path[] = [];
  #configured: SettingTexts = () => undefined;
  #run: Run | undefined;
  #calls = 0;
  #running = 0;
  #hasFailed = false;

  configure(texts: SettingTexts, secrets: readonly Path[]): void {
    this.#configured = texts;
    this.secretSettings = secrets;
  }

  get run(): Run {
    return (this.#run ??= startHost(this.#configured, this.engine.address, this.engine.note));
  }

  /** Ends what is under way. The engine ends the process. */
  cancel(): void {
    void this.#run?.interrupt();
  }

  async during<T>(urn: string, call: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    this.#running += 1;
    try {
      return await this.engine.during(urn, call);
    } finally {
      this.#running -= 1;
    }
  }

  /**
   * Rejects a declaration in a preview. The engine makes no further call after a failed one, and would show only the first
   * mistakes. So the first failure waits until nothing else is called, and the others are logged as errors.
   */
  async reject(reasons: readonly string[]): Promise<void> {
    if (this.#hasFailed) {
      for (const reason of reasons) this.engine.error(reason);
      return;
    }
    this.#hasFailed = true;
    let seen: number;
    do {
      seen = this.#calls;
      await sleep(quietMs);
    } while (this.#calls !== seen || this.#running > 1);
    throw new Error(reasons.join("\n"));
  }
}
