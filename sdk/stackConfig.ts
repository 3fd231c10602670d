import * as pulumi from "@pulumi/pulumi";
import { warnOfMisspelt } from "./misspelt";
import { namespace } from "./providerArgs.gen";

// One program runs once per stack; several inline programs may share a process.
const looked = new WeakSet<object>();

/** Warns, once per run, of what is likely wrong in stack config: an API token in clear, and misspelt keys. */
export function warnOfStackConfig(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || looked.has(stack)) return;
  looked.add(stack);
  warnOfPlainToken();
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(`${namespace}:`));
  warnOfMisspelt(
    `${namespace}:`,
    keys.map((key) => key.slice(namespace.length + 1)),
  );
}

/** The files of stack config are committed. */
function warnOfPlainToken(): void {
  // Missing in the SDK's typings; where it is missing at run time too, nothing is said.
  const { isConfigSecret } = pulumi.runtime as { isConfigSecret?: (key: string) => boolean };
  const key = `${namespace}:apiToken`;
  if (new pulumi.Config(namespace).get("apiToken") === undefined || isConfigSecret?.(key) !== false) return;
  void pulumi.log.warn(`${key} stands in the stack's config in clear: set it again with "pulumi config set --secret"`);
}
