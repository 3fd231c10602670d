import { hash } from "node:crypto";
import type { Settings } from "../../client/settings";
import { type Context, marksOf } from "../../protocol";
import type { Kind } from "../../schema/kind";
import { certainPart, type Path } from "../../schema/walk";
import { isComparable } from "../../base/sameTime";
import { type JsonObject, tried } from "../../wire/json";
import { type Claim, type Claims } from "./claims";

/** The parts of a claim that depend on how far the resource has come. */
type Progress = Pick<Claim, "step" | "marks"> & { readonly recordedSlug?: string };

/** The declared objects, as far as this process or another one of the operation has checked them. */
export class Declarations {
  readonly #settings: Settings;
  readonly #contexts = new Map<string, Context>();
  /** The instances of the resources that the engine has compared with their state, and so knows `diff`'s answers. */
  readonly compared = new Set<string>();
  readonly #recordedSecrets = new Map<string, readonly Path[]>();
  #origin: Pick<Claim, "serviceUrl" | "token"> | undefined;

  constructor(
    settings: Settings,
    /** The claims of this operation, including those of other providers. */
    readonly claims: Claims,
  ) {
    this.#settings = settings;
  }

  /** URL and token of this process's claims. Empty if the setting is missing or invalid; no request is sent then. */
  get origin(): Pick<Claim, "serviceUrl" | "token"> {
    return (this.#origin ??= {
      serviceUrl: tried(() => this.#settings.baseUrl) ?? "",
      token: hash("sha256", tried(() => this.#settings.apiToken) ?? ""),
    });
  }

  /** Keeps what the class sent about an object, for the create or update that follows. */
  remember(kind: Kind, slug: string, context: Context): void {
    // The recorded order of an unordered list may differ from the program's: any of its items may be the secret.
    const secrets = context.secrets?.map((path) => certainPart(kind.root, path));
    this.#contexts.set(objectKey(kind.name, slug), secrets === undefined ? context : { ...context, secrets });
  }

  context(kind: Kind, slug: string): Context {
    return this.#contexts.get(objectKey(kind.name, slug)) ?? {};
  }

  /** Adds what state marks as secret of an object: no text about it shows that in this process. */
  addSecrets(kind: Kind, slug: string, marks: Parameters<typeof marksOf>[0]): void {
    const key = objectKey(kind.name, slug);
    // One resource may be about to get the slug of another one.
    this.#recordedSecrets.set(key, [...(this.#recordedSecrets.get(key) ?? []), ...marksOf(marks)]);
  }

  /**
   * The paths of an object's secrets in addition to the schema's: what the program marks, with `pulumi.secret` or
   * `additionalSecretOutputs`, and what state records as marked in the last write. No message about the object shows them.
   */
  marks(kind: Kind, slug: string): readonly Path[] {
    const recorded = this.#recordedSecrets.get(objectKey(kind.name, slug)) ?? [];
    return [...marksOf(this.context(kind, slug)), ...recorded];
  }

  /**
   * Claims the object under a slug for a resource that declares it.
   * @param context The resource's. By default that of the resource that the object was remembered for.
   */
  claim(kind: Kind, slug: string, { recordedSlug, ...progress }: Progress, context = this.context(kind, slug)): void {
    // Without a context, as in an import, the object stands for the resource.
    const { name, qualifiedName, formerNames = [], instance = objectKey(kind.name, slug) } = context;
    this.claims.claim({
      objectKey: objectKey(kind.name, slug),
      ...this.origin,
      instance,
      qualifiedNames: [qualifiedName ?? name ?? slug, ...formerNames],
      ...(recordedSlug === undefined ? {} : { recordedKey: objectKey(kind.name, recordedSlug) }),
      ...progress,
    });
  }

  /** Adds to the claim of the resource that declares an object. */
  amend(kind: Kind, slug: string, more: Partial<Pick<Claim, "createdAt" | "step" | "recordedKey">>): void {
    const claim = this.claimBy(kind, slug);
    if (claim !== undefined) this.claims.claim({ ...claim, ...more });
  }

  /** Claims the object in the service's answer to a write, which does not fail if that can't be written: the object exists. */
  claimWritten(kind: Kind, slug: string, object: JsonObject | undefined): void {
    const createdAt = object?.created_at ?? undefined;
    const isKnown = createdAt !== undefined && isComparable(createdAt);
    tried(() => this.amend(kind, slug, { step: "done", ...(isKnown ? { createdAt: String(createdAt) } : {}) }));
  }

  /** The claims on the object under a slug, one per resource that declares it. */
  claimsOf(kindName: string, slug: string): readonly Claim[] {
    return this.claims.claimsOn(objectKey(kindName, slug));
  }

  /** The paths of an object's secrets as far as any resource of this operation declares them. */
  declaredMarks(kind: Kind, slug: string): readonly Path[] {
    return this.claimsOf(kind.name, slug).flatMap(({ marks = [] }) => marks);
  }

  /** The claim of the resource that declares an object under this provider: only this process claims for it. */
  claimBy(kind: Kind, slug: string): Claim | undefined {
    return this.claims.latestOf(this.context(kind, slug).instance ?? objectKey(kind.name, slug));
  }

  /** Whether this operation writes the object, so that the service may not have it yet. */
  isPlanned(kindName: string, slug: string): boolean {
    return this.claimsOf(kindName, slug).some(
      ({ step, serviceUrl }) => step !== "unchanged" && serviceUrl === this.origin.serviceUrl,
    );
  }
}

/** Identifies an object within one service: its kind and slug. */
export const objectKey = (kindName: string, slug: string) => `${kindName}/${slug}`;

/** The slug in such a key. */
export const slugIn = (key: string) => key.slice(key.indexOf("/") + 1);
