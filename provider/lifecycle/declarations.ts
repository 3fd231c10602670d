import { createHash } from "node:crypto";
import type { Settings } from "../client/settings";
import type { Context } from "../protocol";
import type { Kind } from "../schema/kind";
import { certainPart } from "../schema/walk";
import { type Claim, type Operation } from "./operation";

/** The parts of a claim that depend on how far the resource's check has come. */
export type Steps = Pick<Claim, "isWritten" | "awaitsCreate" | "classWillProve" | "classWillValidate" | "failures"> & {
  readonly recordedSlug?: string;
};

/** What the program declares, as far as this process or another one of the operation has checked it. */
export class Declarations {
  readonly #settings: Settings;
  readonly #contexts = new Map<string, Context>();
  #digest: string | undefined;

  constructor(
    settings: Settings,
    /** The claims of this operation, including those of other providers. */
    readonly operation: Operation,
  ) {
    this.#settings = settings;
  }

  /** Empty if `baseUrl` is missing or invalid; no request is sent then. */
  get #address(): string {
    return tried(() => this.#settings.baseUrl) ?? "";
  }

  get #account(): string {
    return (this.#digest ??= createHash("sha256")
      .update(JSON.stringify([this.#address, tried(() => this.#settings.apiToken)]))
      .digest("hex"));
  }

  /** Keeps what the class said about an object, for the create or update that follows. */
  remember(kind: Kind, slug: string, context: Context): void {
    // The recorded order of an unordered list may differ from the program's: any of its items may be the secret.
    const secrets = context.secrets?.map((path) => certainPart(kind.root, path));
    this.#contexts.set(key(kind, slug), secrets === undefined ? context : { ...context, secrets });
  }

  context(kind: Kind, slug: string): Context {
    return this.#contexts.get(key(kind, slug)) ?? {};
  }

  /** The object's id in claims: address, kind and slug. */
  objectAt(kindName: string, slug: string): string {
    return `${this.#address} ${kindName}/${slug}`;
  }

  /** Claims the object under a slug for the resource that declares it. */
  claim(kind: Kind, slug: string, claim: Steps) {
    const { instance, name, place } = this.context(kind, slug);
    const { recordedSlug, ...steps } = claim;
    const object = this.objectAt(kind.name, slug);
    this.operation.claim({
      object,
      instance: instance ?? object,
      name: name ?? slug,
      ...(place === undefined ? {} : { place }),
      account: this.#account,
      ...(recordedSlug === undefined ? {} : { recorded: this.objectAt(kind.name, recordedSlug) }),
      ...steps,
    });
  }

  claimsOf(kindName: string, slug: string): readonly Claim[] {
    return this.operation.claimsOf(this.objectAt(kindName, slug));
  }

  /** Whether a claim was made with this run's token. */
  isSameAccount({ account }: Claim): boolean {
    return account === this.#account;
  }

  /** Whether this operation writes the object, so that the service may not have it yet. */
  isPlanned(kindName: string, slug: string): boolean {
    return this.claimsOf(kindName, slug).some(({ isWritten }) => isWritten);
  }
}

const key = (kind: Kind, slug: string) => `${kind.name}/${slug}`;

function tried<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}
