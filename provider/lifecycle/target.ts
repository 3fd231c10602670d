import type { Adopt } from "../client/settings";
import type { Kind } from "../schema/kind";
import { objectToWire } from "../wire/codec";
import type { JsonObject } from "../wire/json";
import { type Run, slugOf, titleOf } from "./run";

/** The object that a call of the engine is about. */
export class Target {
  constructor(
    readonly run: Run,
    readonly kind: Kind,
    /** What the program declares of it, or state records; empty if a program only reads it. */
    readonly wanted: JsonObject,
    readonly slug = slugOf(kind, wanted),
  ) {}

  /** `notifier "pager"`, in messages. */
  get title(): string {
    return titleOf(this.kind, this.slug);
  }

  /** What a create may do with an object that exists under the slug; the resource's option goes before the setting. */
  get adopt(): Adopt {
    return this.run.context(this.kind, this.slug).adopt ?? this.run.settings.adopt;
  }

  /** What is declared, as the service is sent it. */
  get wire(): JsonObject {
    return objectToWire(this.kind.root, this.wanted);
  }
}
