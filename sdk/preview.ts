import * as pulumi from "@pulumi/pulumi";
import { setTimeout as sleep } from "node:timers/promises";
import type * as results from "../provider/lifecycle/objects/results";
import { accessOf, sharedNote, type Validation } from "../provider/protocol";
import { tried } from "../provider/wire/json";
import { type AddedSecrets, withoutAddedSecrets } from "./addedSecrets";
import { engineAddress, isInline, isSupported, type ReadableOutput } from "./internals";

/** A resource whose validation a preview reports. */
interface Registered extends AddedSecrets {
  readonly type: string;
  /** The instance in its context. */
  readonly instance: string;
}

/** Between two looks at the results, in milliseconds. */
const pauseMs = 50;

/**
 * Reports the validations of a preview. The provider's process validates many resources at a time, while the engine calls
 * `check` for one after another. It writes each result beside the run's folder, where the class reads it. If the SDK lacks
 * anything that this needs, `check` waits for each validation.
 */
export class PreviewResults {
  readonly #results: results.Results;
  readonly #doubts = new Map<string, { readonly resource: pulumi.Resource; readonly objects: string[] }>();
  /** The resources that an unavailable service could not validate, without the one whose error is reported. */
  readonly #unreported = new Map<pulumi.ProviderResource | undefined, number>();
  /** The resources whose check has begun to check URL and token. */
  readonly #accesses = new Set<Registered>();
  #open = 0;
  #close: () => void = () => undefined;
  #pause: Promise<void> | undefined;

  private constructor(engine: string) {
    // Only previews load it.
    const { Results } = require("../provider/lifecycle/objects/results") as typeof results;
    this.#results = Results.of(engine);
    // Before any registration: the first look leaves out what an earlier run has left. A later one reports an error.
    tried(() => this.#results.read());
  }

  /** The run's folder. */
  get folder(): string {
    return this.#results.folder;
  }

  /** Those of this preview; undefined in an update, in tests without an engine, or with an unsupported SDK. */
  static current(): PreviewResults | undefined {
    const stack = pulumi.runtime.getStackResource();
    if (stack === undefined || !pulumi.runtime.isDryRun()) return undefined;
    if (!previews.has(stack))
      previews.set(stack, isSupported() ? new PreviewResults(engineAddress() ?? "") : undefined);
    return previews.get(stack);
  }

  /** Reports the resource's validation, and keeps the program alive until then, by one call of the SDK for all. */
  report(registered: Registered): void {
    if (this.#open++ === 0) this.#close = pulumi.runtime.rpcKeepAlive();
    void this.#report(registered).finally(() => {
      if (--this.#open > 0) return;
      this.#reportShared();
      this.#close();
    });
  }

  async #report(registered: Registered): Promise<void> {
    const { resource, instance } = registered;
    try {
      // Its check and diff have returned by then. The SDK reports a failed registration.
      const { promise } = resource.urn as unknown as ReadableOutput;
      if ((await promise().catch(() => undefined)) === undefined) return;
      this.#results.read();
      const validation = await this.#resultOf(instance);
      if (validation !== undefined) this.#show(registered, await withoutAddedSecrets(registered, validation));
      if ((await this.#resultOf(accessOf(instance))) !== undefined) this.#accesses.add(registered);
    } catch (error) {
      this.#fail(resource, [`unable to validate: ${error instanceof Error ? error.message : String(error)}`]);
    }
  }

  async #resultOf(key: string): Promise<Validation | undefined> {
    let result = this.#results.of(key);
    while (result === "pending") {
      await (this.#pause ??= this.#readLater());
      result = this.#results.of(key);
    }
    return result;
  }

  /** One look for all that wait. */
  async #readLater(): Promise<void> {
    await sleep(pauseMs);
    this.#pause = undefined;
    this.#results.read();
  }

  #show({ resource, type }: Registered, { failures, warnings, notes = [], doubts = [], outage }: Validation): void {
    for (const note of notes) void pulumi.log.info(note, resource);
    for (const warning of warnings) void pulumi.log.warn(warning, resource);
    if (failures.length > 0) this.#fail(resource, failures);
    else if (outage) {
      const provider = resource.getProvider(type);
      this.#unreported.set(provider, (this.#unreported.get(provider) ?? 0) + 1);
    }
    for (const { what, object } of doubts) {
      const doubt = this.#doubts.get(what) ?? { resource, objects: [] };
      doubt.objects.push(object);
      this.#doubts.set(what, doubt);
    }
  }

  /** Reports what concerns several resources. The program may register more afterwards. */
  #reportShared(): void {
    for (const [what, { resource, objects }] of this.#doubts) void pulumi.log.warn(sharedNote(what, objects), resource);
    for (const [provider, count] of this.#unreported)
      void pulumi.log.error(`${count} more could not be validated, for the same reason`, provider);
    for (const registered of this.#accesses) {
      const validation = this.#results.of(accessOf(registered.instance));
      if (validation !== undefined && validation !== "pending") this.#show(registered, validation);
    }
    for (const each of [this.#doubts, this.#unreported, this.#accesses]) each.clear();
  }

  #fail(resource: pulumi.Resource, failures: readonly string[]): void {
    // A logged error alone leaves the exit status at 0, and an update would follow. In an inline program logging is
    // enough, and the exit status belongs to the host.
    if (!isInline()) process.exitCode = alreadyReported;
    for (const failure of failures) void pulumi.log.error(failure, resource);
  }
}

const previews = new WeakMap<object, PreviewResults | undefined>();

/** The exit status by which the SDK's language host knows that the error was already reported. */
const alreadyReported = 32;
