import * as pulumi from "@pulumi/pulumi";
import { namespace } from "./providerArgs.gen";

// One program runs once per stack; several inline programs may share a process.
const looked = new WeakSet<object>();

/** Warns, once per run, of an API token that stands in stack config in clear: such files are committed. */
export function warnOfPlainToken(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || looked.has(stack)) return;
  looked.add(stack);
  // Missing in the SDK's typings; where it is missing at run time too, nothing is said.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const key = `${namespace}:apiToken`;
  if (new pulumi.Config(namespace).get("apiToken") === undefined || isConfigSecret?.(key) !== false) return;
  void pulumi.log.warn(`${key} stands in the stack's config in clear: set it again with "pulumi config set --secret"`);
}
