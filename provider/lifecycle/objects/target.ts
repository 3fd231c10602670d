import type { Adopt } from "../../client/settings";
import { type Context, marksOf, textDigest } from "../../protocol";
import type { Field } from "../../schema/field";
import type { Kind } from "../../schema/kind";
import { mapIn, type Path } from "../../schema/walk";
import { isComparable } from "../../base/sameTime";
import { type Difference, differences } from "../../values/differences";
import { threeWay } from "../../values/drift";
import { copyAt, pathFrom } from "../../values/ignored";
import { leaves } from "../../values/leaves";
import { ifMatching, fromWire, toWire } from "../../wire/codec";
import { type JsonObject, tried } from "../../wire/json";
import { type Claim, objectKey } from "./claims";
import type { Session } from "../session";

/** What is known of the resource whose object it is. */
interface Resource {
  /** The facts that its class sent; empty if the program is not known. */
  readonly context?: Context | undefined;
  /** What state records of the object: its marks, whether the program still has them or not. */
  readonly record?: Parameters<typeof marksOf>[0];
}

/** The object that a call of the engine is about. */
export class Target {
  readonly context: Context;

  constructor(
    readonly session: Session,
    readonly kind: Kind,
    /** The declared or recorded arguments; empty if a program only reads the object. */
    readonly args: JsonObject,
    readonly slug = kind.slugOf(args),
    private readonly resource: Resource = {},
  ) {
    this.context = resource.context ?? {};
  }

  /** The target of a call after the check. The engine passes on only properties: the object decides which resource's it is. */
  static checked(session: Session, kind: Kind, args: JsonObject, record?: Resource["record"], slug?: string): Target {
    const { objectKey } = new Target(session, kind, args, slug);
    const context = session.contexts.get(objectKey);
    return new Target(session, kind, args, slug, { context, record });
  }

  /** The same with other arguments, and by default under the same slug. */
  with(args: JsonObject, slug = this.slug): Target {
    return new Target(this.session, this.kind, args, slug, this.resource);
  }

  /** The object in messages: `notifier "pager"`. */
  get title(): string {
    return this.kind.titleOf(this.slug);
  }

  get objectKey(): string {
    return objectKey(this.kind.name, this.slug);
  }

  /** The claim of its resource, for which only this process claims. Without a context, as in an import, the object stands for it. */
  get ownClaim(): Claim | undefined {
    return this.session.claims.latestOf(this.context.instance ?? this.objectKey);
  }

  /** Claims the object for its resource. */
  claim(progress: Progress): void {
    const { slug, objectKey, session } = this;
    const { name, qualifiedName, formerNames = [], instance = objectKey } = this.context;
    const qualifiedNames = [qualifiedName ?? name ?? slug, ...formerNames];
    session.claims.claim({ objectKey, ...session.origin, instance, qualifiedNames, ...progress });
  }

  /** Adds to the claim of its resource. */
  amendClaim(more: Partial<Progress>): void {
    const claim = this.ownClaim;
    if (claim !== undefined) this.session.claims.claim({ ...claim, ...more });
  }

  /** Claims the object in the service's answer to a write, which does not fail if that can't be written: the object exists. */
  claimWritten(object: JsonObject | undefined): void {
    const createdAt = object?.created_at ?? undefined;
    const isKnown = createdAt !== undefined && isComparable(createdAt);
    tried(() => this.amendClaim({ step: "done", ...(isKnown ? { createdAt: String(createdAt) } : {}) }));
  }

  /**
   * The paths of its secrets in addition to the schema's: what the program marks, with `pulumi.secret` or
   * `additionalSecretOutputs`, what state records as marked, and what may be. No message about the object shows them.
   */
  get marks(): readonly Path[] {
    return [...marksOf(this.context), ...marksOf(this.resource.record), ...this.added.paths];
  }

  /** What may be secret, because the class did not send it. */
  get added(): Added {
    return addedTo(this.kind.root, this.args, this.context.sent);
  }

  /** Whether a create may adopt an existing object. The resource's option wins over the setting. */
  get adopt(): Adopt {
    return this.context.adopt ?? this.session.settings.adopt;
  }

  /** The arguments in wire spelling. */
  get wire(): JsonObject {
    return toWire(this.kind.root, this.args);
  }

  /** The differences between the service's object and what is declared. */
  differencesFrom(wire: JsonObject): Difference[] {
    const { session, kind, args } = this;
    return differences(kind.root, args, fromWire(kind.root, wire), session.isMask);
  }

  /** The same; undefined if the object does not match the API spec. */
  shownDifferences(wire: JsonObject): Difference[] | undefined {
    return ifMatching(() => this.differencesFrom(wire));
  }

  /** This target with the given arguments in the places whose changes the program ignores. */
  ignoring(others: JsonObject): Target {
    const { ignoreChanges = [] } = this.context;
    const args = ignoreChanges.reduce<unknown>((kept, path) => copyAt(kept, others, pathFrom(path)), this.args);
    return this.with(args as JsonObject); // what is copied into an object is one
  }

  /** This target with the existing object's values in those places. A secret that the service masks stays as declared. */
  keeping(existing: JsonObject): Target {
    const { session, kind, args } = this;
    if (this.context.ignoreChanges === undefined) return this;
    const actual = ifMatching(() => fromWire(kind.root, existing));
    if (actual === undefined) return this;
    const kept = threeWay(kind.root, { recorded: args, written: args, actual }, session.isMask);
    return this.ignoring(kept as JsonObject); // an object, as `actual`
  }
}

/** The parts of a claim that depend on how far the resource has come. */
type Progress = Pick<Claim, "step" | "recordedKey" | "createdAt" | "marks">;

/** What a transformation or transform has added to the arguments: the paths of values, and the keys of maps. */
interface Added {
  readonly paths: readonly Path[];
  readonly keys: readonly string[];
}

/** @param sent The digests of what the class sent; undefined if that is all, or if the marks of the rest are known. */
function addedTo(root: Field, value: unknown, sent: string | undefined): Added {
  const known = new Set(sent?.split(" "));
  const isAdded = (step: unknown) => !known.has(textDigest(String(step)));
  // The slug is never secret.
  const found = (sent === undefined ? [] : leaves(root, value)).flatMap(({ path, value: each }) => {
    const keys = path.slice(mapIn(root, path)?.length ?? path.length).map(String);
    return path[0] !== "slug" && [...keys, each].some(isAdded) ? [{ path, keys: keys.filter(isAdded) }] : [];
  });
  return { paths: found.map(({ path }) => path), keys: found.flatMap(({ keys }) => keys) };
}
