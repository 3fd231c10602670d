import type { Standards } from "../../../sdk/standards/index";
import type { CountingFlags } from "../../backtest/run";
import type { Output } from "../../report/output";
import { merged, type Reviewed, reviewOf } from "../../review/build";
import { sourcesOf, type StackFlags } from "../../review/sources";
import { endWith, tell } from "../../review/tell";
import { isWanted, type RiskFilter } from "../../stacks/risk";
import { loadStandards, standardsFile } from "./standards";

export interface ReviewFlags extends StackFlags, CountingFlags {
  readonly backtest?: boolean;
  readonly refresh?: boolean;
  readonly standards?: string;
  readonly failOn?: readonly RiskFilter[];
}

/** Says what changes of programs do to alerting. */
export async function review(folders: readonly string[], flags: ReviewFlags, output: Output): Promise<void> {
  const { refresh = false, failOn = [] } = flags;
  const fileOf = (folder: string) => flags.standards ?? standardsFile(folder);
  // Rules are wrong or right whatever the previews say: first, because these take their time.
  const standards = await standardsBy((folders.length === 0 ? ["."] : folders).map(fileOf));
  const { sources, reports } = await sourcesOf(folders, flags, { refresh, sames: true }, output);
  const { backtestsOf } = flags.backtest === true ? await import("../../review/backtests.js") : {};
  const reviewed: Reviewed[] = [];
  // One stack after another asks for recorded series.
  for (const { preview, folder } of sources) {
    const backtests = await backtestsOf?.(preview, flags, output);
    reviewed.push({ preview, standards: standards.get(fileOf(folder)), ...(backtests && { backtests }) });
  }
  const report = merged([...reports, ...(reviewed.length === 0 ? [] : [reviewOf(reviewed)])]);
  tell(report, flags, output);
  const isFound = report.violations.length > 0 || report.risks.some((risk) => isWanted(risk, failOn));
  endWith(report, isFound);
}

async function standardsBy(
  files: readonly (string | undefined)[],
): Promise<ReadonlyMap<string | undefined, Standards>> {
  const found = new Map<string | undefined, Standards>();
  for (const file of new Set(files)) if (file !== undefined) found.set(file, await loadStandards(file));
  return found;
}
