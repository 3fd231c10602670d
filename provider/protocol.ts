import type { Adopt } from "./client/settings";
import type { Path } from "./schema/walk";
import { isObject, type JsonObject } from "./wire/json";

/** What a resource class tells the provider for one run only. It never reaches state. */
export interface Context {
  /** False in an update; anything else counts as a preview. */
  readonly dryRun?: boolean;
  /** The Pulumi name of the resource. */
  readonly name?: string;
  /** Its place in the program: the Pulumi names of its parents and its own, with slashes between. */
  readonly place?: string;
  /** Tells the two checks of one resource from those of two resources. */
  readonly instance?: string;
  readonly adopt?: Adopt;
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: boolean;
  /** Where a program has marked a value as secret, whatever the schema says. */
  readonly secrets?: readonly Path[];
  /** How the class follows its resource in a preview, as `followsText` puts it; absent if it does not. */
  readonly follows?: string;
}

/** How a class follows its resource in a preview. */
export interface Follows {
  /** That of the settings by which it validates; empty if it does not know them. */
  readonly signature: string;
  /** The operation's folder as the class sees it. */
  readonly folder: string;
  /** The names of the arguments that the class sees. */
  readonly keys: readonly string[];
}

/** One text, because the engine carries each property of each resource. */
export const followsText = ({ signature, folder, keys }: Follows): string =>
  [signature, encodeURIComponent(folder), ...keys].join();

export function followsOf({ follows = "" }: Context): Follows {
  const [signature = "", folder = "", ...keys] = follows.split(",");
  return { signature, folder: decodeURIComponent(folder), keys };
}

/** What the service says of a configuration before it is written. */
export interface Verdict {
  /** Why it would be refused; empty if it would not be. */
  readonly failures: readonly string[];
  /** What could not be decided. */
  readonly warnings: readonly string[];
  /** Whether the service did not answer: then it will not answer the next request either. */
  readonly isOutage?: boolean;
  /** What a take-over of an existing object would do. */
  readonly notes?: readonly string[];
}

/** Among a resource's inputs: its context, which \`check\` takes out. */
export const contextKey = "__ctx";

export function contextOf(inputs: JsonObject): Context {
  const context = inputs[contextKey];
  return isObject(context) ? (context as Context) : {}; // written by our own resource class
}

/** Notes that we keep in a resource's state beside the user's properties; the engine shows no key that begins so. */
export const notesKey = "__observability";

/** A resource that a preview has just registered, new or changed. */
export interface Registered {
  readonly kindName: string;
  /** What is known of the inputs as `check` left them. */
  readonly inputs: JsonObject;
  readonly context: Context;
  readonly isNew: boolean;
  /** Whether every argument is known. */
  readonly isComplete: boolean;
}
