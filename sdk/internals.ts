// What the SDK has beyond its typings. Everything here may be missing in another version.
import * as pulumi from "@pulumi/pulumi";
import type { AsyncLocalStorage } from "node:async_hooks";
import { namespace } from "./providerArgs.gen";

/** An output, with members that the SDK's typings leave out. */
export interface ReadableOutput {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(withUnknowns?: boolean): Promise<unknown>;
}

interface Internals {
  /** Returns the connection to the engine that carries log messages. */
  readonly getEngine?: () => { readonly getChannel?: () => { getTarget(): string } } | undefined;
  /** Returns the connection to the engine for registrations: a gRPC client, or the mocks. */
  readonly getMonitor?: () =>
    { readonly waitForReady?: unknown; readonly mocks?: { readonly newResource?: unknown } } | undefined;
  readonly isConfigSecret?: (key: string) => boolean;
}

interface Store {
  /** The server for the program's transforms and hooks, which the engine calls. */
  readonly callbacks?: unknown;
  /** Whether the engine takes marks of secrets. */
  supportsSecrets?: boolean;
}

/** The SDK's data of a program: in the storage for an inline one, else global. */
const globals = globalThis as { asyncLocalStorage?: AsyncLocalStorage<Store>; globalStore?: Store };

const store = () => globals.asyncLocalStorage;

/** Whether the program has registered transforms or hooks. */
export const hasCallbacks = () => (store()?.getStore() ?? globals.globalStore)?.callbacks !== undefined;

/**
 * Lets the SDK keep the marks of secrets that a transform of an inline program adds. It runs transforms outside of the program's
 * storage, and reads from the global data whether the engine takes secrets. All supported engines do.
 */
export function keepMarksOfTransforms(): void {
  // Creates the data.
  store()?.exit(() => pulumi.runtime.isDryRun());
  if (globals.globalStore !== undefined) globals.globalStore.supportsSecrets = true;
}

/** Whether the program runs inside an Automation API host, which may run others too. */
export const isInline = () => store()?.getStore() !== undefined;

/** The engine's address. The engine passes it to its providers too. */
export const engineAddress = () =>
  (pulumi.runtime as Internals).getEngine?.()?.getChannel?.().getTarget().replace(/^dns:/, "");

/** Whether the program runs under `pulumi.runtime.setMocks`, without engine and provider. */
export const isMocked = (): boolean =>
  typeof (pulumi.runtime as Internals).getMonitor?.()?.mocks?.newResource === "function";

/** Whether a setting is encrypted in stack config; undefined with an SDK that does not expose that. */
export const isEncrypted = (setting: string): boolean | undefined =>
  (pulumi.runtime as Internals).isConfigSecret?.(`${namespace}:${setting}`);

/** Whether the SDK has all that a validation in previews needs. */
export function isSupported(): boolean {
  const { getMonitor } = pulumi.runtime as Internals;
  const output = pulumi.output(0) as unknown as Partial<ReadableOutput>;
  return (
    store() !== undefined &&
    // Under mocks there is no connection.
    getMonitor?.()?.waitForReady !== undefined &&
    engineAddress() !== undefined &&
    typeof output.promise === "function"
  );
}
