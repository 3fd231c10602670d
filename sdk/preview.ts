import * as pulumi from "@pulumi/pulumi";
import { type SettingTexts, settingTexts, signatureOf } from "../provider/client/settingTexts";
import type { Operation } from "../provider/lifecycle/operation";
import { contextKey, followsText, type Registered, type Verdict } from "../provider/protocol";
import { settingsOf } from "./provider";
import { namespace, settingNames } from "./providerArgs.gen";

/** A resource whose preview the class follows. */
export interface Followed {
  readonly resource: pulumi.CustomResource;
  readonly kind: string;
  readonly type: string;
  /** The names of the arguments that are declared, so that their outputs tell what `check` made of them. */
  readonly keys: readonly string[];
  /** What is told to check. */
  readonly context: { readonly instance?: string; readonly deleteBeforeReplace?: boolean };
  /** Where the program has marked a value as secret. */
  readonly secrets: Promise<readonly (string | number)[][]> | undefined;
}

/**
 * Validation beside the engine's own work: it asks `check` for one resource after another, so that a dry run there costs
 * a round trip per resource. In a preview the answer to a registration tells whether the resource changes, and then its
 * class asks the service, many at a time. Where anything that this rests on is missing, `check` does it.
 */
export class Validation {
  readonly #accesses = new Map<pulumi.ProviderResource | undefined, Promise<Access | undefined>>();
  readonly #waiting: (() => void)[] = [];
  #operation: Promise<Operation> | undefined;
  readonly #reached: Access[] = [];
  #open = 0;
  #close: () => void = () => undefined;
  #isAsking = false;

  /** That of the running preview; nothing in an update, in tests without an engine, and where the SDK is another one. */
  static ofPreview(): Validation | undefined {
    const stack = pulumi.runtime.getStackResource();
    if (stack === undefined || !pulumi.runtime.isDryRun()) return undefined;
    if (!validations.has(stack)) validations.set(stack, isSupported() ? new Validation() : undefined);
    return validations.get(stack);
  }

  /** Announces the validation of a resource that is being registered, and does it then. */
  follow(followed: Followed, announce: (follows: string | undefined) => void): void {
    this.#keepAlive(
      (async () => {
        const { resource, type, keys } = followed;
        const access = await this.#accessOf(resource.getProvider(type));
        if (access !== undefined) await this.#turn();
        const operation = await this.#operationOf();
        announce(followsText({ signature: access?.signature ?? "", folder: operation.folder, keys }));
        // Loaded while the engine starts the provider, so that the first answer finds it there. The verdicts say why not.
        if (access !== undefined) void this.#askerOf(access).catch(() => undefined);
        // What makes a registration fail is told by the SDK.
        const registered = await outcomeOf(followed).catch(() => undefined);
        await Promise.all([
          this.#prove(access, followed, operation),
          registered && this.#validate(access, followed, registered, operation),
        ]);
      })(),
    );
  }

  /** Where `check` says what it leaves to the class: what it answers with would be taken for a change. */
  #operationOf(): Promise<Operation> {
    const load = async () => {
      const { Operation } = await import("../provider/lifecycle/operation.js");
      return Operation.of(engineAddress() ?? "");
    };
    return (this.#operation ??= load());
  }

  #accessOf(provider: pulumi.ProviderResource | undefined): Promise<Access | undefined> {
    const reach = async () => {
      const access = await accessTo(provider).catch(() => undefined);
      if (access !== undefined) this.#reached.push(access);
      return access;
    };
    const access = this.#accesses.get(provider) ?? reach();
    this.#accesses.set(provider, access);
    return access;
  }

  /**
   * Lets few registrations go at a time. The SDK sends none before it has prepared every resource that may go: so the
   * first are on their way, and the engine starts the provider, while the others are prepared. Once the service is asked,
   * one at a time, between its answers.
   */
  #turn(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#letGo());
    });
  }

  #letGo(): void {
    for (const go of this.#waiting.splice(0, this.#isAsking ? 1 : registrationsPerTurn)) go();
    if (this.#waiting.length > 0) setImmediate(() => this.#letGo());
  }

  async #validate(
    access: Access | undefined,
    { resource, context }: Followed,
    registered: Registered,
    operation: Operation,
  ): Promise<void> {
    const failures = operation.claimBy(context.instance ?? "")?.failures;
    if (failures !== undefined) return this.#report(resource, failures);
    if (access === undefined) return;
    this.#isAsking = true;
    const verdict = await this.#askerOf(access)
      .then(({ validate }) => validate(registered))
      .catch(broken);
    // A service that is away is so for all.
    const isTold = verdict.isOutage === true && access.untold !== undefined;
    if (verdict.isOutage) access.untold = access.untold === undefined ? 0 : access.untold + 1;
    if (!isTold) this.#tell(resource, verdict);
  }

  /** Proves address and token once for each provider, if `check` leaves it to the class. */
  async #prove(access: Access | undefined, { resource, kind, context }: Followed, operation: Operation): Promise<void> {
    if (access === undefined || access.isProverKnown) return;
    const claim = operation.claimBy(context.instance ?? "");
    if (claim === undefined) return;
    access.isProverKnown = true;
    if (claim.classWillProve !== true) return;
    const { isKnown, promise } = resource.id as unknown as ReadableOutput;
    const slug = (await isKnown) ? String(await promise()) : "";
    const asked = this.#askerOf(access).then(({ prove }) => prove(kind, slug));
    const verdict = await asked.catch((error: unknown) => () => broken(error));
    access.tellProof = () => this.#tell(resource, verdict());
  }

  #tell(resource: pulumi.Resource, { failures, warnings, notes = [] }: Verdict): void {
    for (const note of notes) void pulumi.log.info(note, resource);
    for (const warning of warnings) void pulumi.log.warn(warning, resource);
    if (failures.length > 0) this.#report(resource, failures);
  }

  #report(resource: pulumi.Resource, failures: readonly string[]): void {
    // An error that is merely logged leaves a program's exit status at 0, and an update would follow. In an inline
    // program it is enough, and the status is the host's.
    if (!isInline()) process.exitCode = alreadyReported;
    for (const failure of failures) void pulumi.log.error(failure, resource);
  }

  /** What asks by an access. It is loaded once: that takes a tenth of a second. */
  #askerOf(access: Access): Promise<Asker> {
    const load = async (): Promise<Asker> => {
      const { proveAccess, startRun, validateRegistered } =
        await import("../provider/lifecycle/validateRegistration.js");
      const run = startRun(access.texts, (text) => void pulumi.log.info(text), await this.#operationOf());
      await run.client.prepare();
      return {
        validate: (registered) => validateRegistered(run, registered),
        prove: (kind, slug) => proveAccess(run, kind, slug),
      };
    };
    return (access.asker ??= load());
  }

  /** Keeps the program alive until the work is done; one call of the SDK for all that is going on at a time. */
  #keepAlive(work: Promise<void>): void {
    if (this.#open++ === 0) this.#close = pulumi.runtime.rpcKeepAlive();
    void work.finally(() => {
      if (--this.#open > 0) return;
      for (const access of this.#reached) {
        const { provider, untold = 0, tellProof } = access;
        if (untold > 0) void pulumi.log.error(`${untold} more could not be validated, for the same cause`, provider);
        tellProof?.();
        access.tellProof = undefined;
        // The cause is not told again if the program goes on.
        access.untold &&= 0;
      }
      this.#close();
    });
  }
}

/** One service, as one provider's settings reach it. */
interface Access {
  /** Absent for that of stack config. */
  readonly provider: pulumi.ProviderResource | undefined;
  readonly texts: SettingTexts;
  readonly signature: string;
  asker?: Promise<Asker>;
  /** If the service is away: how many resources were not validated, beside the one that told why. */
  untold?: number;
  /** Whether it is decided who proves address and token, a class or `check`. */
  isProverKnown: boolean;
  /** Tells what came of the proof, once everything else is told. */
  tellProof?: (() => void) | undefined;
}

interface Asker {
  validate(registered: Registered): Promise<Verdict>;
  prove(kind: string, slug: string): Promise<() => Verdict>;
}

/** No preview is green for want of a verdict. */
const broken = (error: unknown): Verdict => ({
  failures: [`unable to validate: ${error instanceof Error ? error.message : String(error)}`],
  warnings: [],
});

/** The settings by which the classes ask; nothing where they are not all known here, or nothing is to be asked. */
async function accessTo(provider: pulumi.ProviderResource | undefined): Promise<Access | undefined> {
  const texts = provider === undefined ? ofStack() : await ofProvider(provider);
  if (texts === undefined || texts("validate") === "never") return undefined;
  if (texts("baseUrl") === undefined || texts("apiToken") === undefined) return undefined;
  return { provider, texts, signature: signatureOf(texts, settingNames), isProverKnown: false };
}

/** What a registration has come to, where something changes. */
async function outcomeOf({ resource, kind, keys, context, secrets }: Followed): Promise<Registered | undefined> {
  const declared = resource as unknown as Readonly<Record<string, ReadableOutput>>; // of outputs alone, by these keys
  const isKnown = (key: string) => declared[key]?.isKnown ?? Promise.resolve(true);
  // Only create, update and read say when: where it is known, nothing changes. Nothing at all is where --target left it out.
  if ((await isKnown("createdAt")) || !(await isKnown("__provider"))) return undefined;
  // What check takes out is still there if the engine asked for no check.
  if ((await isKnown(contextKey)) && (await declared[contextKey]?.promise()) !== undefined) return undefined;
  const values = new Map<string, unknown>();
  let isComplete = true;
  for (const key of keys) {
    if (await isKnown(key)) values.set(key, await declared[key]?.promise());
    // What check took for absent is not known either, but nothing stands in its place.
    else if ((await declared[key]?.promise(true)) !== undefined) isComplete = false;
  }
  return {
    kindName: kind,
    inputs: Object.fromEntries(values),
    context: secrets === undefined ? context : { ...context, secrets: await secrets },
    isNew: !(await isKnown("id")),
    // Of what is not known, check has said so.
    isComplete,
  };
}

/** Few enough that the first are sent at once, and enough that the engine never waits for the next. */
const registrationsPerTurn = 32;

const validations = new WeakMap<object, Validation | undefined>();

/** What the SDK's language host takes for "the user has been told why". */
const alreadyReported = 32;

/** An output with what the SDK's typings leave out. */
interface ReadableOutput {
  readonly isKnown: Promise<boolean>;
  promise(withUnknowns?: boolean): Promise<unknown>;
}

interface Internals {
  /** Answers with another connection to the engine, by which it is told of messages. */
  readonly getEngine?: () => { readonly getChannel?: () => { getTarget(): string } } | undefined;
  /** Answers with the connection to the engine, a gRPC client. */
  readonly getMonitor?: () => { readonly waitForReady?: unknown } | undefined;
}

interface Store {
  /** Serves the engine's calls of the program's transforms and hooks. */
  readonly callbacks?: unknown;
}

/** What the SDK keeps of a program: of an inline one in the storage, of any other globally. */
const globals = globalThis as { asyncLocalStorage?: { getStore(): Store | undefined }; globalStore?: Store };

const store = () => globals.asyncLocalStorage;

/** Whether the program has registered transforms or hooks. */
export const hasCallbacks = () => (store()?.getStore() ?? globals.globalStore)?.callbacks !== undefined;

/** Whether the program runs inside an Automation API host, beside others. */
export const isInline = () => store()?.getStore() !== undefined;

/** What the engine starts its providers with, too. */
const engineAddress = () =>
  (pulumi.runtime as Internals).getEngine?.()?.getChannel?.().getTarget().replace(/^dns:/, "");

function isSupported(): boolean {
  const { getMonitor } = pulumi.runtime as Internals;
  const output = pulumi.output(0) as unknown as Partial<ReadableOutput>;
  return (
    store() !== undefined &&
    // Mocks are no connection.
    getMonitor?.()?.waitForReady !== undefined &&
    engineAddress() !== undefined &&
    output.isKnown instanceof Promise &&
    typeof output.promise === "function"
  );
}

/** In an inline program the environment is the host's, which may be another team's. */
function environment(): NodeJS.ProcessEnv {
  if (!isInline()) return process.env;
  const { OBSERVABILITY_BASE_URL: _baseUrl, OBSERVABILITY_API_TOKEN: _apiToken, ...others } = process.env;
  return others;
}

function ofStack(): SettingTexts {
  const config = new pulumi.Config(namespace);
  return settingTexts((name) => config.get(name), environment());
}

/** The settings of an explicit provider; nothing where one is not known yet, or it is not of this class. */
async function ofProvider(provider: pulumi.ProviderResource): Promise<SettingTexts | undefined> {
  const settings = settingsOf(provider);
  if (settings === undefined) return undefined;
  const texts = new Map<string, string | undefined>();
  for (const [name, output] of settings) {
    const { isKnown, promise } = output as unknown as ReadableOutput;
    if (!(await isKnown)) return undefined;
    texts.set(name, (await promise()) as string | undefined); // it is an output of a text
  }
  return settingTexts((name) => texts.get(name), environment());
}
