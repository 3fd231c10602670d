import type { Stack } from "@pulumi/pulumi/automation";
import { environmentVariable } from "../../../provider/schema/names";

// With file and bucket backends the engine writes the whole state twice for each resource, so a first load of many takes
// minutes. Without checkpoints it writes once, at the end. A run that is killed before has no state then, but its objects
// exist: the next run adopts those that are identical.

/** The environment of an engine that saves the state only at its end. */
export const withoutCheckpoints = { PULUMI_SKIP_CHECKPOINTS: "true" };

/** The setting `adopt` of the provider: `identical` finds again what a run without checkpoints has created. */
export const adoptVariable = environmentVariable("adopt");

/** Whether a first load may run without checkpoints. The hosted backend takes each change by itself, and needs no help. */
export const mayLoadFast = (backendUrl: string): boolean =>
  !/^https?:/.test(backendUrl) && process.env[adoptVariable] !== "false";

/** Reading more would take long with a bucket. */
const mostUpdates = 20;

/**
 * Whether no update of the stack has succeeded since it was created or destroyed, so that a run of the first load may have
 * been killed.
 * @throws if there is no such stack.
 */
export async function isFirstLoad(stack: Pick<Stack, "history">): Promise<boolean> {
  // The newest is the first.
  const updates = await stack.history(mostUpdates, 1, false);
  const last = updates.find(({ kind, result }) => result === "succeeded" && (kind === "update" || kind === "destroy"));
  return last?.kind !== "update";
}
