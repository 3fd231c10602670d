import type { CountingFlags } from "../../backtest/run";
import { reportContent } from "../../report/build";
import { writeReport } from "../../report/write";
import { type Output, reasonOf } from "../../output/output";
import type { Charted } from "../../review/backtests";
import { type Reviewed, reviewOf } from "../../review/build";
import { withAskedNotifiers } from "../../review/askNotifiers";
import { merged } from "../../review/merged";
import type { StackFlags } from "../../review/sources";
import { changedSources, type TeamFlags } from "../../review/teams";
import { setExitStatus, printReview } from "../../review/tell";
import { withAccepted } from "../../review/accepted";
import { isWanted } from "../../consequences/risk";
import { acceptedRisks } from "./accepted";
import { knownRouting, type RoutingFlags } from "../../source/routes";
import { applyStandards } from "./applyStandards";
import { standardsFile } from "./standards";

export interface ReviewFlags extends StackFlags, TeamFlags, CountingFlags, RoutingFlags {
  readonly backtest?: boolean;
  readonly refresh?: boolean;
  readonly standards?: string;
  readonly report?: string;
  readonly accepted?: string;
  readonly failOn?: readonly string[];
}

/** Reviews what changes of programs do to alerting. */
export async function review(folders: readonly string[], flags: ReviewFlags, output: Output): Promise<void> {
  const accepted = acceptedRisks(flags.accepted);
  const fileOf = (folder: string) => flags.standards ?? standardsFile(folder);
  const routing = knownRouting(flags);
  const { sources, reports } = await changedSources(folders, flags, output);
  const { backtestsOf } = flags.backtest === true ? await import("../../review/backtests.js") : {};
  const failed = (error: unknown) => ({ charts: [], failures: [`the backtest failed: ${reasonOf(error)}`] });
  const measured = await applyStandards(
    sources.map(({ preview, folder }) => ({ preview, file: fileOf(folder) })),
    routing.routes,
  );
  const reviewed: Reviewed[] = [];
  const charts: Charted[] = [];
  // Stacks request recorded series one after another.
  for (const [i, { preview }] of sources.entries()) {
    const { charts: own = [], ...backtested } = (await backtestsOf?.(preview, flags, output).catch(failed)) ?? {};
    reviewed.push({ preview, standards: measured[i], routing, ...backtested });
    charts.push(...own);
  }
  const all = merged([...reports, ...(reviewed.length === 0 && reports.length > 0 ? [] : [reviewOf(reviewed)])]);
  const open = withAccepted(await withAskedNotifiers(all, sources, output), accepted);
  const failOn = flags.failOn ?? [];
  const report = {
    ...open,
    risks: open.risks.map((risk) => ({ ...risk, fails: isWanted(risk, failOn) || undefined })),
  };
  if (flags.report !== undefined) {
    const previews = sources.map(({ preview }) => preview);
    writeReport(flags.report, reportContent(previews, report, charts, routing));
  }
  printReview(report, flags, output);
  const isFound = report.violations.length > 0 || report.risks.some(({ fails }) => fails);
  setExitStatus(report, isFound);
}
