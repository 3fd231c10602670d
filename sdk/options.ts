import * as pulumi from "@pulumi/pulumi";
import { recordKey } from "../provider/protocol";
import type { nearest } from "../provider/base/nearest";
import { host, otherType } from "./host";
import { hasCallbacks } from "./internals";

/** Facts about a kind that its generated class passes on. */
export interface ResourceFacts {
  readonly kind: string;
  /** The names of the arguments. */
  readonly keys: readonly string[];
  /** The arguments that get a value even if the program gives none. */
  readonly derived: readonly string[];
  /** The setting whose entries the class adds to an argument, by the argument. */
  readonly defaultsFrom: Readonly<Record<string, string>>;
  /** The dotted paths of secrets; `*` is for every item of a map or array. */
  readonly secrets: readonly string[];
}

/** Pulumi's resource options, and our option `adopt`. */
export interface ResourceOptions extends pulumi.CustomResourceOptions {
  /**
   * Whether a create adopts an object that exists under the resource's slug: never (`false`), only if the object equals
   * the declaration (`"identical"`), or always, with an update (`true`). Default: the provider's `adopt`.
   */
  readonly adopt?: false | "identical" | true;
}

/** Loaded only for a name that begins like ours, because most programs have none. */
const nearestOf = () => (require("../provider/base/nearest") as { readonly nearest: typeof nearest }).nearest;

/**
 * Checks the spelling of our own option, which an untyped program can get wrong. TypeScript checks the names of Pulumi's.
 * @throws if a name is almost `adopt`, or if `import` is set with dynamic resources, which cannot serve it.
 */
export function assertOptions(title: string, opts: pulumi.CustomResourceOptions): void {
  for (const name of Object.keys(opts).filter((each) => /^ad/i.test(each) && each !== "additionalSecretOutputs")) {
    // A distance of 2 also allows for two swapped letters.
    if (nearestOf()(name, ["adopt"], () => 2) !== undefined)
      throw new pulumi.RunError(`${title}: there is no option ${name}. Did you mean "adopt"?`);
  }
  if (opts.import !== undefined && host() !== "plugin")
    throw new pulumi.RunError(
      `${title}: the option import is not available to dynamic providers. To adopt the existing object, set adopt: ` +
        '"identical". To use the option import, set observability:host to plugin',
    );
}

/**
 * The options of a registration. An alias is for a resource that the other host has made. The record in state
 * may quote a secret, so it is encrypted unless no argument can be secret: each secret costs the engine memory and time.
 */
export function registrationOptions(
  kind: string,
  opts: pulumi.CustomResourceOptions,
  mayHaveSecret: boolean,
): pulumi.CustomResourceOptions {
  const encryptsRecord = mayHaveSecret || mayBeTransformed(opts) || opts.additionalSecretOutputs !== undefined;
  return pulumi.mergeOptions(opts, {
    ...(isOnlyRead(opts) ? {} : { aliases: [otherType(kind)] }),
    ...(encryptsRecord ? { additionalSecretOutputs: [recordKey] } : {}),
  });
}

/** Whether the resource is read and not managed. The engine never calls `check` for it. */
export const isOnlyRead = ({ id, urn }: pulumi.CustomResourceOptions): boolean => id !== undefined || urn !== undefined;

/** Whether a transformation or a transform may add arguments or options. */
export function mayBeTransformed({ parent, transformations = [], transforms = [] }: pulumi.CustomResourceOptions) {
  const above = (parent ?? pulumi.runtime.getStackResource()) as Transformed | undefined;
  const inherited = above?.__transformations ?? [];
  return transformations.length + transforms.length + inherited.length > 0 || hasCallbacks();
}

/** A resource, with members that the SDK's typings leave out. */
interface Transformed {
  readonly __transformations?: readonly unknown[];
}
