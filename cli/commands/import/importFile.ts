import { providerText } from "../../../provider/dynamic/providerText";
import { outputsOf } from "../../../provider/lifecycle/record";
import type { Run } from "../../../provider/lifecycle/run";
import { ours } from "../../../teams/engine/urn";
import type { Declaration } from "./declaration";
import type { Live } from "./read";

/** An object as the service shows it, and as a program declares it. */
export interface Existing {
  readonly declaration: Declaration;
  readonly live: Live;
}

/**
 * The file for `pulumi import --file`. It brings the objects into state as if an update had written them. It holds no secret:
 * of one that the service shows, only a digest.
 */
export const importFile = (run: Run, all: readonly Existing[]): { readonly resources: readonly object[] } => ({
  resources: all.map(({ declaration: { item, slug, recorded }, live: { object, args } }) => {
    const { kind, name } = item;
    const __provider = providerText(kind.name);
    const type = ours + kind.name;
    return {
      type,
      name,
      id: slug,
      inputs: { ...recorded, __provider },
      outputs: { ...outputsOf(run, kind, recorded, object, { owner: `${type}::${name}`, answered: args }), __provider },
    };
  }),
});
