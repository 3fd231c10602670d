import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../../dist/provider/client/errors.js";
import { Claims } from "../../dist/provider/lifecycle/objects/claims.js";
import { SharedLines } from "../../dist/provider/lifecycle/objects/sharedLines.js";
import type { Settings } from "../../dist/provider/client/settings.js";
import { ownFolder } from "../support/folders.js";
import { settingsFor } from "../support/settings.js";
import { ProviderProcess } from "./process.js";
import { type Defaults, type ProviderName, signatureOf } from "./state.js";

let count = 0;
let base: string | undefined;

/** The id of a process that has ended. */
const { pid: ended } = spawnSync(process.execPath, ["-e", ""]);

/** The shared folders whose disk is full. */
const full = new Set<string>();
const { append } = SharedLines.prototype;
SharedLines.prototype.append = function (line) {
  if (full.has(this.folder)) throw new ConfigurationError("it can't be written (ENOSPC)");
  append.call(this, line);
};

/** The provider processes of one operation: one for each provider, and a folder that they share. */
export class Processes {
  readonly #folder = join((base ??= ownFolder()), `operation-${(count += 1)}`);
  readonly #started = new Map<ProviderName, ProviderProcess>();
  #isDead = false;

  constructor(
    private readonly addressOf: (provider: ProviderName) => string,
    private readonly settings: Pick<Settings, "requestTimeoutSecs" | "retryBudgetSecs" | "adopt">,
    private readonly defaultsOf: (provider: ProviderName) => Defaults,
    /** What the processes of the operation before have written, as if they had been killed, and its engine had the same address. */
    left: readonly Buffer[] = [],
  ) {
    mkdirSync(this.#folder, { mode: 0o700 });
    for (const [i, lines] of left.entries()) writeFileSync(join(this.#folder, `${ended}-${i}`), lines);
  }

  /** The provider's process, which is started when it is first needed. */
  of(provider: ProviderName): ProviderProcess {
    const defaultsDigest = signatureOf(this.defaultsOf(provider));
    const settings = settingsFor(this.addressOf(provider), { ...this.settings, defaultsDigest });
    const process = this.#started.get(provider) ?? new ProviderProcess(settings, new Claims(this.#folder));
    this.#started.set(provider, process);
    if (this.#isDead) process.kill();
    return process;
  }

  /** Ends all of them, or one, as they are. */
  kill(which: "all" | ProviderName): void {
    this.#isDead ||= which === "all";
    for (const [provider, process] of this.#started) if (which === "all" || which === provider) process.kill();
  }

  /** Nothing more can be written to the folder. */
  fill(): void {
    full.add(this.#folder);
  }

  /** Resolves when nothing is in progress any more, with what they have written. */
  async stop(): Promise<readonly Buffer[]> {
    const names = readdirSync(this.#folder).filter((name) => !name.startsWith(`${ended}-`));
    const left = names.map((name) => readFileSync(join(this.#folder, name)));
    await Promise.all([...this.#started.values()].map((process) => process.stop()));
    rmSync(this.#folder, { recursive: true, force: true });
    return left;
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
