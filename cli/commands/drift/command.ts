import type { Output } from "../../output/output";
import { driftOf } from "../../review/build";
import { merged } from "../../review/merged";
import { sourcesOf, type StackFlags } from "../../review/sources";
import { setExitStatus, printReview } from "../../review/tell";
import { listServices } from "../../review/unmanaged";

export interface DriftFlags extends StackFlags {
  readonly unmanaged?: boolean;
}

/** Lists edits made outside Pulumi. */
export async function drift(folders: readonly string[], flags: DriftFlags, output: Output): Promise<void> {
  const { unmanaged = false } = flags;
  const { sources, reports } = await sourcesOf(folders, flags, { refresh: true, sames: unmanaged }, output);
  const previews = sources.map(({ preview }) => preview);
  const all = driftOf(previews);
  // A preview lists all declarations of a stack only if it includes unchanged objects.
  const stacks = unmanaged ? all.stacks : all.stacks.map(({ ownedObjects: _, ...stack }) => stack);
  const found = previews.length === 0 ? [] : [{ ...all, stacks }];
  const listings = unmanaged && sources.length > 0 ? [await listServices(sources, output)] : [];
  const report = merged([...reports, ...found, ...listings]);
  printReview(report, flags, output);
  setExitStatus(report, report.risks.length > 0 || (report.unmanaged?.objects ?? []).length > 0);
}
