import type { Standards } from "../../../sdk/standards/index";
import type { CountingFlags } from "../../backtest/run";
import { CommandError, type Output, reasonOf } from "../../report/output";
import { merged, type Reviewed, reviewOf } from "../../review/build";
import { measure } from "../../review/measure";
import { sourcesOf, type StackFlags } from "../../review/sources";
import { type TeamFlags, teamSources, teamsFolder } from "../../review/teams";
import { endWith, tell } from "../../review/tell";
import { isWanted } from "../../stacks/risk";
import { loadStandards, standardsFile } from "./standards";

export interface ReviewFlags extends StackFlags, TeamFlags, CountingFlags {
  readonly backtest?: boolean;
  readonly refresh?: boolean;
  readonly standards?: string;
  readonly failOn?: readonly string[];
}

/** Reviews what changes of programs do to alerting. */
export async function review(folders: readonly string[], flags: ReviewFlags, output: Output): Promise<void> {
  const { refresh = false, failOn = [] } = flags;
  const fileOf = (folder: string) => flags.standards ?? standardsFile(folder);
  const standards = await standardsBy((folders.length === 0 ? ["."] : folders).map(fileOf));
  const teams = teamsFolder(folders, flags);
  const { sources, reports } =
    teams === undefined
      ? await sourcesOf(folders, flags, { refresh, sames: true }, output)
      : await teamSources(teams, flags, output);
  const { backtestsOf } = flags.backtest === true ? await import("../../review/backtests.js") : {};
  const reviewed: Reviewed[] = [];
  // Stacks request recorded series one after another.
  for (const { preview, folder } of sources) {
    const read = standards.get(fileOf(folder));
    const failures = read instanceof Error ? [read.message] : [];
    const tried = async <T>(what: string, part: Promise<T> | undefined): Promise<T | undefined> => {
      try {
        return await part;
      } catch (error) {
        failures.push(`${what} failed: ${reasonOf(error)}`);
        return undefined;
      }
    };
    const rules = read instanceof Error || read === undefined ? undefined : measure(preview, read);
    const measured = await tried("the standards", rules);
    const backtests = await tried("the backtest", backtestsOf?.(preview, flags, output));
    reviewed.push({ preview, standards: measured, failures, ...(backtests && { backtests }) });
  }
  const report = merged([...reports, ...(reviewed.length === 0 && reports.length > 0 ? [] : [reviewOf(reviewed)])]);
  tell(report, flags, output);
  const isFound = report.violations.length > 0 || report.risks.some((risk) => isWanted(risk, failOn));
  endWith(report, isFound);
}

/** The rules of each file, or why it has none. */
async function standardsBy(
  files: readonly (string | undefined)[],
): Promise<ReadonlyMap<string | undefined, Standards | Error>> {
  const found = new Map<string | undefined, Standards | Error>();
  for (const file of new Set(files)) {
    if (file === undefined) continue;
    found.set(file, await loadStandards(file).catch((error: unknown) => new CommandError(reasonOf(error))));
  }
  return found;
}
