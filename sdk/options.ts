import * as pulumi from "@pulumi/pulumi";
import { createRequire } from "node:module";
import type { nearest } from "../provider/values/nearest";

/** Loaded only for a name that begins like ours, because most programs have none. */
const nearestOf = () =>
  (createRequire(__filename)("../provider/values/nearest.js") as { readonly nearest: typeof nearest }).nearest;

/**
 * Checks the spelling of our own option, which an untyped program can get wrong. TypeScript checks the names of Pulumi's.
 * @throws if a name is almost \`adopt\`.
 */
export function assertOptions(title: string, opts: object): void {
  for (const name of Object.keys(opts).filter((each) => /^ad/i.test(each) && each !== "additionalSecretOutputs")) {
    // Two swapped letters count as two.
    if (nearestOf()(name, ["adopt"], () => 2) !== undefined)
      throw new pulumi.RunError(`${title}: there is no option ${name}. Did you mean "adopt"?`);
  }
}
