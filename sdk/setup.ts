import * as pulumi from "@pulumi/pulumi";
import { createRequire } from "node:module";
import { join } from "node:path";
import { warnOfMisspelled, warnOfMisspelledVariables } from "./misspelled";
import { isEncrypted, isInline, keepMarksOfTransforms } from "./internals";
import { namespace } from "./providerArgs.gen";

// One program runs once per stack; several inline programs may share a process.
const looked = new WeakSet<object>();

/**
 * Warns once per run of likely mistakes in stack config.
 * @throws {pulumi.RunError} if the provider's process will not find this package
 */
export function checkSetup(): void {
  const stack = pulumi.runtime.getStackResource();
  if (stack === undefined || looked.has(stack)) return;
  looked.add(stack);
  if (isInline()) keepMarksOfTransforms();
  warnOfPlainToken();
  assertFindable();
  const keys = Object.keys(pulumi.runtime.allConfig()).filter((key) => key.startsWith(`${namespace}:`));
  warnOfMisspelled(
    `${namespace}:`,
    keys.map((key) => key.slice(namespace.length + 1)),
  );
  warnOfMisspelledVariables();
}

/** Warns about an unencrypted token: the files of stack config are committed. */
function warnOfPlainToken(): void {
  if (new pulumi.Config(namespace).get("apiToken") === undefined || isEncrypted("apiToken") !== false) return;
  const key = `${namespace}:apiToken`;
  void pulumi.log.warn(`${key} is unencrypted in stack config. Run "pulumi config set --secret ${key} …"`);
}

/** The provider's own error would name only a missing module, with a stack trace. */
function assertFindable(): void {
  // For an inline program this folder is not the provider's.
  if (isInline()) return;
  const folder = process.cwd();
  try {
    // Resolved as the code in state does it. From a file of this package it would always be found.
    const paths = [folder, join(folder, "node_modules/.pnpm/node_modules")];
    createRequire(join(folder, "index.js")).resolve("pulumi-observability/provider", { paths });
  } catch {
    throw new pulumi.RunError(
      `the provider can't find pulumi-observability from "${folder}", because the package is installed in ` +
        `"${join(__dirname, "../..")}". Install it in the project too: run "npm install pulumi-observability"`,
    );
  }
}
