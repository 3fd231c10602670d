import * as pulumi from "@pulumi/pulumi";
import { namespace } from "./providerArgs.gen";

/** Whether a setting is encrypted in stack config; undefined with an SDK that does not expose that. */
export function isEncrypted(setting: string): boolean | undefined {
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean }; // missing in the typings
  return isConfigSecret?.(`${namespace}:${setting}`);
}
