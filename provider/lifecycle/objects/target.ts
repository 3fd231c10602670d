import type { Adopt } from "../../client/settings";
import type { Context } from "../../protocol";
import type { Kind } from "../../schema/kind";
import type { Path } from "../../schema/walk";
import { type Difference, differences } from "../../values/differences";
import { threeWay } from "../../values/drift";
import { copyAt, pathFrom } from "../../values/ignored";
import { ifMatching, objectFromWire, objectToWire } from "../../wire/codec";
import type { JsonObject } from "../../wire/json";
import { type Added, addedTo } from "./added";
import { objectKey } from "./declarations";
import type { Session } from "../session";

/** The object that a call of the engine is about. */
export class Target {
  constructor(
    readonly session: Session,
    readonly kind: Kind,
    /** The declared or recorded arguments; empty if a program only reads the object. */
    readonly desired: JsonObject,
    readonly slug = kind.slugOf(desired),
  ) {}

  /** The object in messages: `notifier "pager"`. */
  get title(): string {
    return this.kind.titleOf(this.slug);
  }

  get objectKey(): string {
    return objectKey(this.kind.name, this.slug);
  }

  /** The facts that the resource's class sent. */
  get context(): Context {
    return this.session.declarations.context(this.kind, this.slug);
  }

  /** The paths of its secrets in addition to the schema's. */
  get marks(): readonly Path[] {
    return [...this.session.declarations.marks(this.kind, this.slug), ...this.added.paths];
  }

  /** What may be secret, because the class did not send it. */
  get added(): Added {
    return addedTo(this.kind.root, this.desired, this.context.sent);
  }

  /** Whether a create may adopt an existing object. The resource's option wins over the setting. */
  get adopt(): Adopt {
    return this.context.adopt ?? this.session.settings.adopt;
  }

  /** The arguments in wire spelling. */
  get wire(): JsonObject {
    return objectToWire(this.kind.root, this.desired);
  }

  /** The differences between the service's object and what is declared. */
  differencesFrom(wire: JsonObject): Difference[] {
    const { session, kind, desired } = this;
    return differences(kind.root, desired, objectFromWire(kind.root, wire), session.isMask);
  }

  /** The same; undefined if the object does not match the API spec. */
  shownDifferences(wire: JsonObject): Difference[] | undefined {
    return ifMatching(() => this.differencesFrom(wire));
  }

  /** This target with the given arguments in the places whose changes the program ignores. */
  ignoring(others: JsonObject): Target {
    const { ignoreChanges = [] } = this.context;
    const desired = ignoreChanges.reduce<unknown>((kept, path) => copyAt(kept, others, pathFrom(path)), this.desired);
    return new Target(this.session, this.kind, desired as JsonObject, this.slug); // what is copied into an object is one
  }

  /** This target with the existing object's values in those places. A secret that the service masks stays as declared. */
  keeping(existing: JsonObject): Target {
    const { session, kind, desired } = this;
    if (this.context.ignoreChanges === undefined) return this;
    const actual = ifMatching(() => objectFromWire(kind.root, existing));
    if (actual === undefined) return this;
    const kept = threeWay(kind.root, { recorded: desired, written: desired, actual }, session.isMask);
    return this.ignoring(kept as JsonObject); // an object, as `actual`
  }
}
