import * as pulumi from "@pulumi/pulumi";
import { createRequire } from "node:module";
import type { nearest } from "../provider/values/nearest";

/** All options. Those of components are accepted too: a component often passes its own options on. */
const known = {
  additionalSecretOutputs: true,
  adopt: true,
  aliases: true,
  customTimeouts: true,
  deleteBeforeReplace: true,
  deletedWith: true,
  dependsOn: true,
  envVarMappings: true,
  hideDiffs: true,
  hooks: true,
  id: true,
  ignoreChanges: true,
  import: true,
  parent: true,
  pluginDownloadURL: true,
  protect: true,
  provider: true,
  providers: true,
  replaceOnChanges: true,
  replaceWith: true,
  replacementTrigger: true,
  retainOnDelete: true,
  transformations: true,
  transforms: true,
  urn: true,
  version: true,
} satisfies Record<keyof (pulumi.CustomResourceOptions & pulumi.ComponentResourceOptions) | "adopt", true>;

/** Loaded only for a name that is not known, because most programs have none. */
const nearestOf = () =>
  (createRequire(__filename)("../provider/values/nearest.js") as { readonly nearest: typeof nearest }).nearest;

/** Two swapped letters count as two, and `adpot` is a typo of a word of five. */
const mostLetters = ({ length }: string) => Math.ceil(length / 3);

/**
 * Checks the names of the options, which the SDK ignores if it doesn't know them.
 * @throws if a name is almost that of an option. Other names may be options of a later SDK.
 */
export function assertOptions(title: string, opts: object): void {
  for (const name of Object.keys(opts).filter((each) => !(each in known))) {
    const meant = nearestOf()(name, Object.keys(known), mostLetters);
    if (meant !== undefined)
      throw new pulumi.RunError(`${title}: there is no option ${name}. Did you mean "${meant}"?`);
  }
}
