import type { SeriesFlags } from "../backtest/options";
import type { Standards } from "../../../sdk/standards/index";
import { writeText } from "../../report/files";
import { exitStatus, type Output } from "../../report/output";
import { merged, reviewOf } from "../../review/build";
import { loadStandards, standardsFile } from "./standards";
import { markdownOf } from "../../review/markdown";
import type { Report } from "../../review/report";
import type { RiskClass } from "../../stacks/risk";
import { sourcesOf } from "../../review/sources";
import type { StackFlags } from "../stackOptions";
import { textOf } from "../../review/text";
import { withBacktests } from "../../review/withBacktests";

export interface ReviewFlags extends StackFlags, SeriesFlags {
  readonly backtest?: boolean;
  readonly refresh?: boolean;
  readonly standards?: string;
  readonly failOn?: readonly RiskClass[];
}

/** Says what changes of programs do to alerting. */
export async function review(folders: readonly string[], flags: ReviewFlags, output: Output): Promise<void> {
  const { refresh = false, failOn = [] } = flags;
  const fileOf = (folder: string) => flags.standards ?? standardsFile(folder);
  // Rules are wrong or right whatever the previews say: first, because these take their time.
  const standards = await standardsBy((folders.length === 0 ? ["."] : folders).map(fileOf));
  const { sources, reports } = await sourcesOf(folders, flags, { refresh, sames: true }, output);
  const reviewed = sources.map(({ preview, folder }) => ({ preview, standards: standards.get(fileOf(folder)) }));
  const previews = sources.map(({ preview }) => preview);
  const found = reviewOf(reviewed);
  const own = flags.backtest === true ? await withBacktests(found, previews, flags, output) : found;
  const report = merged([...reports, ...(reviewed.length === 0 ? [] : [own])]);
  tell(report, flags, output);
  const isFound = report.violations.length > 0 || report.risks.some((risk) => failOn.includes(risk.class));
  endWith(report, isFound);
}

async function standardsBy(
  files: readonly (string | undefined)[],
): Promise<ReadonlyMap<string | undefined, Standards>> {
  const found = new Map<string | undefined, Standards>();
  for (const file of new Set(files)) if (file !== undefined) found.set(file, await loadStandards(file));
  return found;
}

/** Prints a report in the forms that were asked for. */
export function tell(report: Report, { markdown }: StackFlags, output: Output): void {
  output.line(textOf(report, { color: output.isColored }).trimEnd());
  output.result(report);
  if (markdown !== undefined) writeText(markdown, markdownOf(report));
}

/** A failed preview weighs more than what the others found. */
export function endWith({ stacks }: Report, isFound: boolean): void {
  if (stacks.some(({ isFailed }) => isFailed)) process.exitCode = exitStatus.failed;
  else if (isFound) process.exitCode = exitStatus.refused;
}
