import type { Adopt } from "../client/settings";
import type { Context } from "../protocol";
import type { Kind } from "../schema/kind";
import { objectToWire } from "../wire/codec";
import type { JsonObject } from "../wire/json";
import { type Run, slugOf, titleOf } from "./run";

/** The object that a call of the engine is about. */
export class Target {
  constructor(
    readonly run: Run,
    readonly kind: Kind,
    /** The declared or recorded arguments; empty if a program only reads the object. */
    readonly wanted: JsonObject,
    readonly slug = slugOf(kind, wanted),
  ) {}

  /** The object in messages: `notifier "pager"`. */
  get title(): string {
    return titleOf(this.kind, this.slug);
  }

  /** What the resource's class has told about it. */
  get context(): Context {
    return this.run.declarations.context(this.kind, this.slug);
  }

  /** What a create may do with an existing object. The resource's option wins over the setting. */
  get adopt(): Adopt {
    return this.context.adopt ?? this.run.settings.adopt;
  }

  /** The arguments in wire spelling. */
  get wire(): JsonObject {
    return objectToWire(this.kind.root, this.wanted);
  }
}
