import type { Output } from "../../report/output";
import { driftOf, merged } from "../../review/build";
import { sourcesOf, type StackFlags } from "../../review/sources";
import { endWith, tell } from "../../review/tell";

/** Says what was edited at the service outside of Pulumi. */
export async function drift(folders: readonly string[], flags: StackFlags, output: Output): Promise<void> {
  const { sources, reports } = await sourcesOf(folders, flags, { refresh: true, sames: false }, output);
  const found = sources.length === 0 ? [] : [driftOf(sources.map(({ preview }) => preview))];
  const report = merged([...reports, ...found]);
  tell(report, flags, output);
  endWith(report, report.risks.length > 0);
}
