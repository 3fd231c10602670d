import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Json } from "../property/equivalence.js";
import type { Options } from "./options.js";
import { ProcessEnded } from "./process.js";

/** The providers of a program, all of the same service: the default one, and an explicit one. */
export const providers = ["default", "explicit"] as const;
export type ProviderName = (typeof providers)[number];

/** The entries that a provider adds, by argument. */
export type Defaults = Readonly<Record<string, Json>>;

/** Stands for the hash by which class and provider know that they have the same ones. */
export const signatureOf = (defaults: Defaults) =>
  Object.keys(defaults).length === 0 ? undefined : JSON.stringify(defaults);

/** A resource as a program declares it. */
export interface Declared {
  readonly kind: Kind;
  readonly name: string;
  readonly urn: string;
  /** The URNs that the resource had before, as far as the program says so. */
  readonly aliases: readonly string[];
  readonly provider: ProviderName;
  readonly options: Options;
  /** The slug that it is to have, whether the arguments give it or not. */
  readonly slug: string;
  readonly args: Json;
  /** What its provider adds to its arguments, by argument. */
  readonly defaults: Defaults;
  /** The URNs of what it refers to. */
  readonly dependencies: readonly string[];
}

/** A resource as the state records it. */
export interface Recorded {
  readonly kind: Kind;
  /** Tells one create from another. */
  readonly serial: number;
  readonly id: string;
  urn: string;
  provider: ProviderName;
  options: Options;
  /** With the marks of secrets. */
  inputs: Json;
  outputs: Json;
  /** The arguments that are encrypted in the outputs: the engine takes marks from the inputs of a create or update. */
  encrypted: readonly string[];
  dependencies: readonly string[];
  /** Replaced already, and not yet deleted. */
  isOld: boolean;
  /** Deleted already, and not yet replaced. */
  isPendingReplacement: boolean;
}

export type Verb = "check" | "compare" | "create" | "update" | "read" | "delete" | "engine";

export interface Failure {
  /** `engine` is the engine's own refusal: the resource is protected. */
  readonly verb: Verb;
  readonly kind: Kind;
  readonly urn: string;
  readonly slug: string;
  readonly message: string;
  /** The process ended, so that no message of the provider's could be heard. */
  readonly isSilent: boolean;
}

export interface Outcome {
  readonly failures: readonly Failure[];
  /** What was done, or in a preview would be: `create urn`. */
  readonly steps: readonly string[];
  /** The URNs that were left out, because what they refer to failed. */
  readonly skipped: ReadonlySet<string>;
  /** What each check has answered with, by URN: a saved plan holds the engine to it. */
  readonly checked: ReadonlyMap<string, readonly Json[]>;
  /** Ended before everything was looked at. */
  readonly isBrokenOff: boolean;
}

export const keyOf = (kind: Kind, slug: string) => `${kind.name}/${slug}`;

/** What the state holds for a declared resource: under its own URN first. */
export const oldOf = <R extends Recorded>({ urn, aliases }: Declared, state: readonly R[]): R | undefined =>
  [urn, ...aliases].flatMap((each) => state.find((old) => old.urn === each && !old.isOld) ?? [])[0];

interface Limits {
  readonly goesOn: boolean;
  readonly dryRun: boolean;
  /** The run is broken off after so many steps. */
  readonly breaksAfter: number;
}

/** Follows one operation. */
export class Report implements Outcome {
  readonly failures: Failure[] = [];
  readonly steps: string[] = [];
  readonly skipped = new Set<string>();
  readonly checked = new Map<string, Json[]>();
  #done = 0;

  constructor(private readonly limits: Limits) {}

  get #isBroken(): boolean {
    return this.#done >= this.limits.breaksAfter;
  }

  /** A failed check or diff ends every operation; any other failure only one that does not go on. A preview shows all. */
  get #hasFailed(): boolean {
    if (this.limits.dryRun) return false;
    return this.failures.some(({ verb }) => !this.limits.goesOn || !isOfStep(verb));
  }

  /** Whether nothing new is begun. */
  get isBrokenOff(): boolean {
    return this.#isBroken || this.#hasFailed;
  }

  fail(verb: Verb, { kind, urn, id }: Pick<Recorded, "kind" | "urn" | "id">, message: string, isSilent = false): void {
    this.failures.push({ verb, kind, urn, slug: id, message, isSilent });
  }

  /** Does one call, and answers whether it succeeded. */
  async step(verb: Verb, resource: Pick<Recorded, "kind" | "urn" | "id">, call: () => Promise<void>): Promise<boolean> {
    if (isOfStep(verb) && this.isBrokenOff) return false;
    try {
      await call();
      if (isOfStep(verb)) this.#done += 1;
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.fail(verb, resource, message, error instanceof ProcessEnded);
      return false;
    }
  }
}

const isOfStep = (verb: Verb) => ["create", "update", "delete", "read"].includes(verb);
