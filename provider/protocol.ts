import { hash } from "node:crypto";
import type { Outage } from "./client/failures";
import type { Adopt } from "./client/settings";
import type { Path } from "./schema/walk";
import { isObject, type JsonObject } from "./wire/json";

/** The types of resources, before the kind's name, by where the provider runs. */
export const typePrefixes = { dynamic: "pulumi-nodejs:dynamic/observability:", plugin: "observability:index:" };

/** The end of a URN: the types of the parents and the resource's own, and its name. */
export const qualifiedNameIn = (urn: string): string => urn.split("::").slice(2).join("::");

/** A qualified name as under the dynamic host: a resource that moves from one host to the other keeps it. */
export const dynamicName = (qualifiedName: string): string =>
  qualifiedName.replaceAll(typePrefixes.plugin, typePrefixes.dynamic);

/** The name of the kind that a resource's type is of; undefined if it is another provider's. */
export const kindNameIn = (type: string): string | undefined => {
  const prefix = Object.values(typePrefixes).find((each) => type.startsWith(each));
  return prefix === undefined ? undefined : type.slice(prefix.length);
};

/** Facts that a resource class sends to the provider for one run. `__ctx` itself is never recorded in state. */
export interface Context {
  /** True in a preview, false in an update; absent without a class. */
  readonly dryRun?: boolean;
  /** The Pulumi name of the resource. */
  readonly name?: string;
  /** The end of its URN: the types of its parents and its own, and its name. */
  readonly qualifiedName?: string;
  /** Those that its aliases name. */
  readonly formerNames?: readonly string[];
  /** An id that is the same in both checks of a resource, and differs between resources. */
  readonly instance?: string;
  readonly adopt?: Adopt;
  readonly deleteBeforeReplace?: boolean;
  readonly retainOnDelete?: boolean;
  /** The paths of arguments whose changes the program ignores, as it spells them. */
  readonly ignoreChanges?: readonly string[];
  /** The same of those that force a replacement, and of those whose changes are not shown. */
  readonly replaceOnChanges?: readonly string[];
  readonly hideDiffs?: readonly string[];
  /** The digest of the settings whose entries the class added; absent if its provider has none. */
  readonly defaultsDigest?: string;
  /** The paths of values that the program marks as secret, and of the schema's secrets or what contains them. */
  readonly secrets?: readonly Path[];
  /**
   * The digests of all texts that the class sends, if a transformation or transform may add others. The engine doesn't show
   * a dynamic provider which of the others are marked, so no text about the object shows them.
   */
  readonly sent?: string;
  /** The names in the option `additionalSecretOutputs`: state encrypts these arguments among the outputs alone. */
  readonly secretOutputs?: readonly string[];
  /**
   * Without a class, the plugin doesn't know whether this is a preview. So the check leaves validations to the preview's create
   * or update, which the engine calls for several at a time, and rejections to those of an update too.
   */
  readonly validatesLater?: boolean;
  /** The folder of the run, as the class knows it, beside whose results it looks; absent if it reads none. */
  readonly resultsIn?: string;
}

/** What stands for a text where the text itself must not be. */
export const textDigest = (text: string) => hash("sha256", text, "base64url").slice(0, 12);

/** The paths of what is marked as secret, those of whole arguments first: no mark may be inside of another one. */
export const marksOf = ({ secrets = [], secretOutputs = [] }: Pick<Context, "secrets" | "secretOutputs"> = {}) => [
  ...secretOutputs.map((name): Path => [name]),
  ...secrets,
];

/** The key of the result of the check of URL and token, which begins with the first check of a resource. */
export const accessOf = (instance: string) => `${instance} access`;

/** The result of a validation: the service's decision about a configuration before it is written. */
export interface Validation {
  /** The reasons to reject it; empty if there are none. */
  readonly failures: readonly string[];
  /** What the update does beyond the declaration, or what the validation could not decide. */
  readonly warnings: readonly string[];
  /** Why the service did not decide; absent if it did. */
  readonly outage?: Outage | undefined;
  /** Values that are likely a mistake, to be reported once for all resources. */
  readonly doubts?: readonly Doubted[];
  /** What an adoption of an existing object would change, or that the object has the declared values already. */
  readonly notes?: readonly string[];
}

/** A doubt, and the object and places that it concerns. */
export interface Doubted {
  readonly what: string;
  readonly object: string;
}

/** The number of objects that one text names. */
const mostListed = 10;

/**
 * One text for a fact that several objects share.
 * @param all The number of those objects, including those of earlier texts.
 */
export function sharedNote(what: string, objects: readonly string[], all = objects.length): string {
  if (all === 1) return `${objects.join("")}: ${what}`;
  const count = `${objects.length} object${objects.length === 1 ? "" : "s"}`;
  const inAll = all === objects.length ? "" : `, ${all} in all`;
  const more = objects.length > mostListed ? `; and ${objects.length - mostListed} more` : "";
  return `${what}: ${count}${inAll}: ${[...objects].sort().slice(0, mostListed).join("; ")}${more}`;
}

/** The input that contains the context. `check` removes it. */
export const contextKey = "__ctx";

export function contextOf(inputs: JsonObject): Context {
  const context = inputs[contextKey];
  return isObject(context) ? (context as Context) : {}; // our own resource class wrote it
}

/** The output with our own record in state. The engine does not show keys that begin with "__". */
export const recordKey = "__observability";

/**
 * The output with the paths of the edits that a refresh found: `[["webhook", "url"]]`. Unlike the record it is never
 * encrypted: `pulumi preview --json` shows an edited secret nowhere else.
 */
export const editsKey = "__edits";
