import { writePage } from "../../page/write";
import { pageContent } from "../../page/build";
import { CommandError, type Output } from "../../report/output";
import { count, numberText } from "../../report/words";
import { merged, reviewOf } from "../../review/build";
import { type Sources, sourcesOf, type StackFlags } from "../../review/sources";
import { type TeamFlags, teamSources, teamsFolder } from "../../review/teams";
import { setExitStatus } from "../../review/tell";
import { livePreview } from "../../page/live";

export interface PageFlags extends StackFlags, TeamFlags {
  readonly out: string;
  readonly live?: boolean;
  readonly refresh?: boolean;
  readonly notifierLabel?: string;
}

/** Writes a page of the alerting that programs declare, or that a service has. */
export async function page(folders: readonly string[], flags: PageFlags, output: Output): Promise<void> {
  const { sources, reports } = await sourcesFor(folders, flags, output);
  const previews = sources.map(({ preview }) => preview);
  const report = merged([...reports, reviewOf(sources)]);
  const { changes = [], ...content } = pageContent(previews, report, flags);
  const size = writePage(flags.out, flags.live ? content : { ...content, changes });
  const { rows } = content;
  const problems = [...content.problems, ...content.notes];
  const kib = numberText(Math.ceil(size / 1_024));
  output.line(`wrote "${flags.out}": ${count(rows.length, "monitor or SLO", "monitors and SLOs")}, ${kib} KiB`);
  for (const text of problems) output.warn(text);
  output.result({ command: "page", out: flags.out, bytes: size, rows: rows.length, changes: changes.length, problems });
  setExitStatus(report, false);
}

async function sourcesFor(folders: readonly string[], flags: PageFlags, output: Output): Promise<Sources> {
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
