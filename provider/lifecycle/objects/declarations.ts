import { hash } from "node:crypto";
import type { Settings } from "../../client/settings";
import type { Context } from "../../protocol";
import type { Path } from "../../schema/walk";
import { isComparable } from "../../base/sameTime";
import { type JsonObject, tried } from "../../wire/json";
import type { Claim, Claims } from "./claims";

/** The parts of a claim that depend on how far the resource has come. */
type Progress = Pick<Claim, "step" | "recordedKey" | "createdAt" | "marks">;

/** A resource and the object that it declares. */
interface Declared {
  readonly slug: string;
  readonly objectKey: string;
  readonly context: Context;
}

/** The declared objects, as far as this process or another one of the run has checked them. */
export class Declarations {
  /** What the class sent about the resource that declares an object, by its key, for the engine's calls after the check. */
  readonly contexts = new Map<string, Context>();
  /** The instances of the resources that the engine has compared with their state, and so knows `diff`'s answers. */
  readonly compared = new Set<string>();

  constructor(
    private readonly settings: Settings,
    /** The claims of this run, including those of other providers. */
    readonly claims: Claims,
  ) {}

  /** URL and token of this process's claims; those of an empty text if a setting is missing or invalid: no request is sent then. */
  get origin(): Pick<Claim, "serviceUrl" | "token"> {
    return {
      serviceUrl: tried(() => this.settings.baseUrl) ?? "",
      token: hash("sha256", tried(() => this.settings.apiToken) ?? ""),
    };
  }

  /** Claims the object for the resource that declares it. */
  claim({ slug, objectKey: key, context }: Declared, progress: Progress): void {
    // Without a context, as in an import, the object stands for the resource.
    const { name, qualifiedName, formerNames = [], instance = key } = context;
    this.claims.claim({
      objectKey: key,
      ...this.origin,
      instance,
      qualifiedNames: [qualifiedName ?? name ?? slug, ...formerNames],
      ...progress,
    });
  }

  /** Adds to the claim of the resource. */
  amend(declared: Declared, more: Partial<Progress>): void {
    const claim = this.claimBy(declared);
    if (claim !== undefined) this.claims.claim({ ...claim, ...more });
  }

  /** Claims the object in the service's answer to a write, which does not fail if that can't be written: the object exists. */
  claimWritten(declared: Declared, object: JsonObject | undefined): void {
    const createdAt = object?.created_at ?? undefined;
    const isKnown = createdAt !== undefined && isComparable(createdAt);
    tried(() => this.amend(declared, { step: "done", ...(isKnown ? { createdAt: String(createdAt) } : {}) }));
  }

  /** The paths of an object's secrets as far as any resource of this run declares them. */
  declaredMarks(key: string): readonly Path[] {
    return this.claims.claimsOn(key).flatMap(({ marks = [] }) => marks);
  }

  /** The claim of the resource, for which only this process claims. */
  claimBy({ objectKey: key, context: { instance = key } }: Declared): Claim | undefined {
    return this.claims.latestOf(instance);
  }

  /** Whether this run writes the object, so that the service may not have it yet. */
  isPlanned(key: string): boolean {
    return this.claims
      .claimsOn(key)
      .some(({ step, serviceUrl }) => step !== "unchanged" && serviceUrl === this.origin.serviceUrl);
  }
}

/** Identifies an object within one service: its kind and slug. */
export const objectKey = (kindName: string, slug: string) => `${kindName}/${slug}`;

/** The slug in such a key. */
export const slugIn = (key: string) => key.slice(key.indexOf("/") + 1);
