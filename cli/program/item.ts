import type { Kind } from "../../provider/schema/kind";
import { isObject, type JsonObject } from "../../provider/wire/json";

/** A resource that a written program declares. */
export interface Item {
  readonly kind: Kind;
  /** The Pulumi name. */
  readonly name: string;
  /**
   * The arguments, in the arguments' spelling. A secret stands there as a `ConfigSecret`. The slug of another item becomes
   * a reference to it.
   */
  readonly args: JsonObject;
  /** Lines above the declaration, such as what a conversion has lost. */
  readonly comments: readonly string[];
  /** Where the item comes from, if it was converted. */
  readonly source?: Origin;
}

/** What an item was converted from. */
export interface Origin {
  readonly file: string;
  readonly group?: string | undefined;
  /** The name in the file. */
  readonly name: string;
  /** What identifies it in the other tool, even if it is renamed or moved. */
  readonly uid?: string | undefined;
  /** A digest of what it said, without secrets. */
  readonly said: string;
  /** What distinguishes it from others of its name. */
  readonly hints?: readonly string[];
}

/** A secret argument: the program reads it from stack config. */
export class ConfigSecret {
  constructor(
    /** The name in stack config, without the project: `pagerRoutingKey`. */
    readonly key: string,
    /** The value, if it is known; it is never written to a file. */
    readonly value?: string,
  ) {}
}

/** Arguments with something else instead of each secret, and without the keys that have nothing then. */
export function withSecrets(args: JsonObject, instead: (secret: ConfigSecret) => unknown): JsonObject {
  const enter = (value: unknown): unknown => {
    if (value instanceof ConfigSecret) return instead(value);
    if (Array.isArray(value)) return value.map(enter);
    return isObject(value) ? withSecrets(value, instead) : value;
  };
  const all = Object.entries(args).map(([key, each]) => [key, enter(each)] as const);
  return Object.fromEntries(all.filter(([, each]) => each !== undefined));
}

export interface Declared {
  /** The file, without `.ts`: `monitors`, `checkout/payments`. */
  readonly file: string;
  /** The variable; empty if other files can't import it. */
  readonly variable: string;
  /** The Pulumi name. */
  readonly name: string;
  readonly converted?: ConvertedFrom;
}

/** What an earlier conversion has read. Earlier versions recorded less. */
export interface ConvertedFrom {
  /** Its file is named from the folder of the program. */
  readonly origin: Origin;
  /** With a placeholder for each secret. */
  readonly args?: JsonObject;
  /** The losses with an effect. */
  readonly lost?: readonly string[];
  /** A digest of the differences between the source and the program that were accepted. */
  readonly accepted?: string | undefined;
  /** Whether it was accepted that the source no longer has it. */
  readonly isGone?: true | undefined;
  /** The files whose copies were accepted. */
  readonly copies?: readonly string[];
}
