import * as pulumi from "@pulumi/pulumi";
import { type SettingTexts, signatureOf } from "../provider/client/settingTexts";
import type { Claim, Claims } from "../provider/lifecycle/objects/claims";
import { type Registered, sharedNote, type Tracking, type Validation } from "../provider/protocol";
import { tried } from "../provider/wire/json";
import { engineAddress, isInline, isSupported, type ReadableOutput } from "./internals";
import { textsOf } from "./settings";
import { knownOf, outcomeOf, type Tracked } from "./tracked";
import { settingNames } from "./providerArgs.gen";

/**
 * Validates resources of a preview in parallel. The engine calls `check` for one resource after another, so dry runs
 * there cost a round trip per resource. In a preview the answer to a registration shows whether the resource changes.
 * If it does, its class asks the service, many at a time. If the SDK lacks anything that this needs, `check` validates.
 */
export class PreviewValidator {
  readonly #accesses = new Map<pulumi.ProviderResource | undefined, Promise<Access | undefined>>();
  #claims: Promise<Claims> | undefined;
  readonly #reached: Access[] = [];
  #open = 0;
  #close: () => void = () => undefined;

  /** The validator of this preview; undefined in an update, in tests without an engine, or with an unsupported SDK. */
  static current(): PreviewValidator | undefined {
    const stack = pulumi.runtime.getStackResource();
    if (stack === undefined || !pulumi.runtime.isDryRun()) return undefined;
    if (!previews.has(stack)) previews.set(stack, isSupported() ? new PreviewValidator() : undefined);
    return previews.get(stack);
  }

  /** Expects a resource: `tracking` announces to `check` that the class validates it, which `track` begins. */
  expect(): { readonly tracking: Promise<Tracking>; readonly track: (tracked: Tracked) => void } {
    let announce: (tracking: Tracking) => void = () => undefined;
    const tracking = new Promise<Tracking>((resolve) => (announce = resolve));
    return { tracking, track: (tracked) => this.#track(tracked, announce) };
  }

  #track(tracked: Tracked, announce: (tracking: Tracking) => void): void {
    this.#keepAlive(
      (async () => {
        const { resource, type, keys } = tracked;
        const access = await this.#accessOf(resource.getProvider(type));
        const claims = await this.#claimsOf();
        announce({ signature: access?.signature ?? "", folder: claims.folder, keys });
        // Loaded while the engine starts the provider, to be ready for the first answer. A failure is reported later.
        if (access !== undefined) void this.#validatorOf(access).catch(() => undefined);
        // The SDK reports a failed registration.
        const registered = await outcomeOf(tracked).catch(() => undefined);
        await Promise.all([
          this.#verify(access, tracked, claims),
          registered &&
            this.#validate(access, tracked, registered, claims).catch((error: unknown) => {
              this.#show(resource, broken(error)); // The claims cannot be read.
            }),
        ]);
      })(),
    );
  }

  /** The claims in which `check` leaves work to the class. In the answer of `check` this would count as a change. */
  #claimsOf(): Promise<Claims> {
    const load = async () => {
      const { Claims } = await import("../provider/lifecycle/objects/claims.js");
      return Claims.of(engineAddress() ?? "");
    };
    return (this.#claims ??= load());
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

  async #validate(
    access: Access | undefined,
    { resource, context }: Tracked,
    registered: Registered,
    claims: Claims,
  ): Promise<void> {
    const claim = claims.readClaimBy(context.instance);
    if (claim?.failures !== undefined) return this.#report(resource, claim.failures);
    if (access === undefined) return;
    const validation = await this.#validatorOf(access)
      .then(({ validate }) => validate(registered, claim))
      .catch(broken);
    // If the service is unavailable, it is so for all resources: reported once.
    const isReported = validation.isOutage === true && access.unreported !== undefined;
    if (validation.isOutage) access.unreported = access.unreported === undefined ? 0 : access.unreported + 1;
    if (!isReported) this.#show(resource, validation);
    for (const { what, object } of validation.doubts ?? []) {
      const doubt = access.doubts.get(what) ?? { resource, objects: [] };
      doubt.objects.push(object);
      access.doubts.set(what, doubt);
    }
  }

  /** Checks URL and token once for each provider, if `check` leaves it to the class. */
  async #verify(access: Access | undefined, tracked: Tracked, claims: Claims): Promise<void> {
    const { resource, kind: kindName, context, marks } = tracked;
    if (access === undefined || access.isVerifierKnown) return;
    // If the claims can't be read, `check` has reported that.
    const claim = tried(() => claims.readClaimBy(context.instance));
    if (claim === undefined) return;
    access.isVerifierKnown = true;
    if (claim.classWillVerify !== true) return;
    const { isKnown, promise } = resource.id as unknown as ReadableOutput;
    const slug = (await isKnown) ? String(await promise()) : "";
    const { inputs } = await knownOf(tracked);
    // The service may quote the object's secrets.
    const object = { kindName, inputs, context: { ...context, secrets: (await marks) ?? [] } };
    const asked = this.#validatorOf(access).then(({ verifyAccess }) => verifyAccess(object, slug));
    const validation = await asked.catch((error: unknown) => () => broken(error));
    access.reportVerification = () => this.#show(resource, validation());
  }

  #show(resource: pulumi.Resource, { failures, warnings, notes = [] }: Validation): void {
    for (const note of notes) void pulumi.log.info(note, resource);
    for (const warning of warnings) void pulumi.log.warn(warning, resource);
    if (failures.length > 0) this.#report(resource, failures);
  }

  #report(resource: pulumi.Resource, failures: readonly string[]): void {
    // A logged error alone leaves the exit status at 0, and an update would follow. In an inline program logging is
    // enough, and the exit status belongs to the host.
    if (!isInline()) process.exitCode = alreadyReported;
    for (const failure of failures) void pulumi.log.error(failure, resource);
  }

  /** The functions that ask the service through this access. Loaded once, because that takes 0.1 s. */
  #validatorOf(access: Access): Promise<Validator> {
    const load = async (): Promise<Validator> => {
      const { verifyAccessOf, startRun, validateRegistered } =
        await import("../provider/lifecycle/verbs/validateRegistration.js");
      const run = startRun(access.texts, (text) => void pulumi.log.info(text), await this.#claimsOf());
      await run.client.transport.prepare();
      return {
        validate: (registered, claim) => validateRegistered(run, registered, claim),
        verifyAccess: (object, slug) => verifyAccessOf(run, object, slug),
      };
    };
    return (access.validator ??= load());
  }

  /** Keeps the program alive until all work is done, by one call of the SDK for all running work. */
  #keepAlive(work: Promise<void>): void {
    if (this.#open++ === 0) this.#close = pulumi.runtime.rpcKeepAlive();
    void work.finally(() => {
      if (--this.#open > 0) return;
      for (const access of this.#reached) {
        const { provider, unreported = 0, reportVerification, doubts } = access;
        for (const [what, { resource, objects }] of doubts) void pulumi.log.warn(sharedNote(what, objects), resource);
        doubts.clear();
        if (unreported > 0)
          void pulumi.log.error(`${unreported} more could not be validated, for the same reason`, provider);
        reportVerification?.();
        access.reportVerification = undefined;
        // Starts again: the program may register more resources.
        access.unreported &&= 0;
      }
      this.#close();
    });
  }
}

/** One service, reached with the settings of one provider. */
interface Access {
  /** Undefined for the settings of stack config. */
  readonly provider: pulumi.ProviderResource | undefined;
  readonly texts: SettingTexts;
  readonly signature: string;
  validator?: Promise<Validator>;
  /** If the service is unavailable: the number of unvalidated resources, without the one whose error was reported. */
  unreported?: number;
  /** Whether it is decided that a class or `check` checks URL and token. */
  isVerifierKnown: boolean;
  /** Doubts that are reported once for all resources: the first resource, and a text for each. */
  readonly doubts: Map<string, { readonly resource: pulumi.Resource; readonly objects: string[] }>;
  /** Reports the result of that check, after everything else. */
  reportVerification?: (() => void) | undefined;
}

interface Validator {
  validate(registered: Registered, claim: Claim | undefined): Promise<Validation>;
  verifyAccess(object: Pick<Registered, "kindName" | "inputs" | "context">, slug: string): Promise<() => Validation>;
}

/** The result if a validation itself fails: a preview must not pass without one. */
const broken = (error: unknown): Validation => ({
  failures: [`unable to validate: ${error instanceof Error ? error.message : String(error)}`],
  warnings: [],
});

/** The access with which the classes validate; undefined if a setting is not known here, or `validate` is "never". */
async function accessTo(provider: pulumi.ProviderResource | undefined): Promise<Access | undefined> {
  const texts = await textsOf(provider);
  if (texts === undefined || texts("validate") === "never") return undefined;
  if (texts("baseUrl") === undefined || texts("apiToken") === undefined) return undefined;
  return { provider, texts, signature: signatureOf(texts, settingNames), isVerifierKnown: false, doubts: new Map() };
}

const previews = new WeakMap<object, PreviewValidator | undefined>();

/** The exit status by which the SDK's language host knows that the error was already reported. */
const alreadyReported = 32;
