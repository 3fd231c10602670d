import { writeReport } from "../../report/write";
import { reportContent } from "../../report/build";
import { CommandError, type Output } from "../../output/output";
import { count, numberText } from "../../output/words";
import { merged, reviewOf } from "../../review/build";
import { type Sources, sourcesOf, type StackFlags } from "../../review/sources";
import { type TeamFlags, teamSources, teamsFolder } from "../../review/teams";
import { setExitStatus } from "../../review/tell";
import { livePreview } from "../../report/live";

export interface ReportFlags extends StackFlags, TeamFlags {
  readonly out: string;
  readonly live?: boolean;
  readonly refresh?: boolean;
  readonly notifierLabel?: string;
}

/** Writes a report of the alerting that programs declare, or that a service has. */
export async function report(folders: readonly string[], flags: ReportFlags, output: Output): Promise<void> {
  const { sources, reports } = await sourcesFor(folders, flags, output);
  const previews = sources.map(({ preview }) => preview);
  const review = merged([...reports, reviewOf(sources)]);
  const { changes = [], ...content } = reportContent(previews, review, [], flags.notifierLabel);
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

async function sourcesFor(folders: readonly string[], flags: ReportFlags, output: Output): Promise<Sources> {
  if (flags.live) {
    const [stack, ...others] = flags.stack ?? [];
    if (folders.length + others.length > 0) {
      throw new CommandError("--live reads one service: remove the folders, and all stacks except for one");
    }
    return { sources: [{ preview: await livePreview(stack, output), folder: "." }], reports: [] };
  }
  const teams = teamsFolder(folders, flags);
  const { refresh = false } = flags;
  return teams === undefined
    ? sourcesOf(folders, flags, { refresh, sames: true }, output)
    : teamSources(teams, flags, output);
}
