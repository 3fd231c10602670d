import { rmSync } from "node:fs";
import { join } from "node:path";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import type { Settings } from "../../dist/provider/client/settings.js";
import { ownFolder } from "../support/folders.js";
import { settingsFor } from "../support/settings.js";
import { ProviderProcess } from "./process.js";
import { type Defaults, type ProviderName, signatureOf } from "./state.js";

let count = 0;
let base: string | undefined;

/** The provider processes of one operation: one for each provider, and a folder that they share. */
export class Processes {
  readonly #folder = join((base ??= ownFolder()), `operation-${(count += 1)}`);
  readonly #started = new Map<ProviderName, ProviderProcess>();
  #isDead = false;

  constructor(
    private readonly addressOf: (provider: ProviderName) => string,
    private readonly settings: Pick<Settings, "requestTimeoutSecs" | "retryBudgetSecs" | "adopt">,
    private readonly defaultsOf: (provider: ProviderName) => Defaults,
    private readonly readsPages: boolean,
  ) {}

  /** The provider's process, which is started when it is first needed. */
  of(provider: ProviderName): ProviderProcess {
    const mapsSignature = signatureOf(this.defaultsOf(provider));
    const settings = settingsFor(this.addressOf(provider), { ...this.settings, mapsSignature });
    const process =
      this.#started.get(provider) ?? new ProviderProcess(settings, new Claims(this.#folder), this.readsPages);
    this.#started.set(provider, process);
    if (this.#isDead) process.kill();
    return process;
  }

  /** Ends all of them, or one, as they are. */
  kill(which: "all" | ProviderName): void {
    this.#isDead ||= which === "all";
    for (const [provider, process] of this.#started) if (which === "all" || which === provider) process.kill();
  }

  /** Resolves when nothing is in progress any more. */
  async stop(): Promise<void> {
    await Promise.all([...this.#started.values()].map((process) => process.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What the user was told beside errors. */
  get notes(): readonly string[] {
    return [...this.#started.values()].flatMap(({ notes }) => notes);
  }

  /** Secrets that an answer to the engine held in plain text. */
  get shownSecrets(): readonly string[] {
    return [...this.#started.values()].flatMap(({ shownSecrets }) => shownSecrets);
  }
}
