import type { SettingTexts } from "../client/settingTexts";
import { sessionOfProcess } from "../lifecycle/providerProcess";
import { cutFailures, failuresText } from "../lifecycle/notes/explain";
import type { Session } from "../lifecycle/session";
import type { Path } from "../schema/walk";
import { activity } from "./activity";
import { Engine } from "./engine";

/** The process of one provider: its settings, and the engine that called it. */
export class PluginProcess {
  readonly engine = new Engine();
  /** The marked settings, and the marked entries of settings that are maps. */
  secretSettings: readonly Path[] = [];
  #configured: SettingTexts = () => undefined;
  #hasFailed = false;

  configure(texts: SettingTexts, secrets: readonly Path[]): void {
    this.#configured = texts;
    this.secretSettings = secrets;
  }

  get session(): Session {
    return this.engine.outsideCalls(() => sessionOfProcess(this.#configured, this.engine.address, this.engine.note));
  }

  async during<T>(urn: string, call: () => Promise<T>): Promise<T> {
    activity.begin();
    try {
      return await this.engine.during(urn, call);
    } finally {
      activity.end();
    }
  }

  /**
   * Rejects a declaration in a preview. The engine makes no further call after a failed one, and would show only the first
   * mistakes. So the first failure waits until no process is called any more, and the others are logged as errors.
   */
  async reject(reasons: readonly string[]): Promise<void> {
    if (this.#hasFailed) {
      for (const reason of cutFailures(reasons)) this.engine.error(reason);
      return;
    }
    this.#hasFailed = true;
    await activity.quiet();
    throw new Error(failuresText(reasons));
  }
}
