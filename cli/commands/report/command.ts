import { writeReport } from "../../report/write";
import { reportContent } from "../../report/build";
import { CommandError, type Output } from "../../output/output";
import { count, numberText } from "../../output/words";
import { reviewOf } from "../../review/build";
import { merged } from "../../review/merged";
import type { Sources, StackFlags } from "../../review/sources";
import { changedSources, type TeamFlags } from "../../review/teams";
import { setExitStatus } from "../../review/tell";
import { knownRouting, type RoutingFlags } from "../../source/routes";
import { livePreview } from "../../report/live";

export interface ReportFlags extends StackFlags, TeamFlags, RoutingFlags {
  readonly out: string;
  readonly live?: boolean;
  readonly refresh?: boolean;
}

/** Writes a report of the alerting that programs declare, or that a service has. */
export async function report(folders: readonly string[], flags: ReportFlags, output: Output): Promise<void> {
  const routing = knownRouting(flags);
  const { sources, reports } = await (flags.live ? liveSource : changedSources)(folders, flags, output);
  const previews = sources.map(({ preview }) => preview);
  const review = merged([...reports, reviewOf(sources.map((each) => ({ ...each, routing })))]);
  const { changes = [], ...content } = reportContent(previews, review, [], routing);
  const size = writeReport(flags.out, flags.live ? content : { ...content, changes });
  const { rows } = content;
  const problems = [...content.problems, ...content.notes];
  const kib = numberText(Math.ceil(size / 1_024));
  output.line(`wrote "${flags.out}": ${count(rows.length, "monitor or SLO", "monitors and SLOs")}, ${kib} KiB`);
  for (const text of problems) output.warn(text);
  output.result({
    command: "report",
    out: flags.out,
    bytes: size,
    rows: rows.length,
    changes: changes.length,
    problems,
  });
  setExitStatus(review, false);
}

async function liveSource(
  folders: readonly string[],
  { stack: stacks = [] }: ReportFlags,
  output: Output,
): Promise<Sources> {
  const [stack, ...others] = stacks;
  if (folders.length + others.length > 0) {
    throw new CommandError("--live reads one service: remove the folders, and all stacks except for one");
  }
  return { sources: [{ preview: await livePreview(stack, output), folder: "." }], reports: [] };
}
