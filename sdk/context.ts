import * as pulumi from "@pulumi/pulumi";
import { randomUUID } from "node:crypto";
import { type Context, dynamicName, qualifiedNameIn } from "../provider/protocol";
import { typeOf } from "./host";
import type { ResourceOptions } from "./options";
import { isLater } from "./plainArgs";

/**
 * Facts that the provider's process has from no other source. `check` removes them from the inputs.
 * @param defaultsDigest The digest of the defaults that were added to the arguments.
 */
export function contextFor(
  kind: string,
  name: string,
  opts: ResourceOptions,
  defaultsDigest: string | undefined,
): Context & { readonly instance: string } {
  const { parent, aliases, adopt, deleteBeforeReplace, retainOnDelete } = opts;
  const { ignoreChanges, replaceOnChanges, hideDiffs, additionalSecretOutputs: secretOutputs } = opts;
  const type = typeOf(kind);
  const known = { adopt, defaultsDigest, deleteBeforeReplace, retainOnDelete };
  const paths = { ignoreChanges, replaceOnChanges, hideDiffs, secretOutputs };
  return {
    dryRun: pulumi.runtime.isDryRun(),
    name,
    qualifiedName: qualifiedNameOf(type, name, parent),
    ...(aliases === undefined ? {} : { formerNames: formerNames(type, name, opts) }),
    instance: randomUUID(),
    // Only what is set: each value costs the engine time.
    ...Object.fromEntries(Object.entries({ ...known, ...paths }).filter(([, value]) => value !== undefined)),
  };
}

/** The end of a resource's URN: its qualified type and its name. */
const qualifiedNameOf = (type: string, name: string, parent: pulumi.Resource | undefined) =>
  dynamicName(`${typesDownTo(type, parent as InTree | undefined)}::${name}`); // with members that the typings leave out

/** The qualified names of aliases, as far as they are known without waiting. */
function formerNames(type: string, name: string, { aliases = [], parent }: pulumi.CustomResourceOptions): string[] {
  const known = Array.isArray(aliases) ? (aliases as readonly unknown[]) : [];
  return known.flatMap((alias) => {
    if (typeof alias === "string") return [dynamicName(qualifiedNameIn(alias))];
    if (typeof alias !== "object" || alias === null || isLater(alias)) return [];
    const before = { type, name, parent, ...alias };
    const isKnown = typeof before.type === "string" && typeof before.name === "string";
    const isResource = before.parent === undefined || pulumi.Resource.isInstance(before.parent);
    return isKnown && isResource ? [qualifiedNameOf(before.type, before.name, before.parent)] : [];
  });
}

interface InTree {
  readonly __pulumiType?: string;
  readonly __parentResource?: InTree;
}

/** The types of a resource's parents and its own, as in its URN, which leaves out the stack. */
const typesDownTo = (type: string, parent: InTree | undefined): string =>
  parent?.__pulumiType === undefined || parent.__pulumiType === stackType
    ? type
    : `${typesDownTo(parent.__pulumiType, parent.__parentResource)}$${type}`;

const stackType = "pulumi:pulumi:Stack";
