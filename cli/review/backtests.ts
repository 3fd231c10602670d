import type { Chart } from "../backtest/chart";
import { sentenceOf } from "../backtest/result";
import { backtestMonitors, type CountingFlags } from "../backtest/run";
import { pictureOf, sparklineOf } from "../backtest/timeLine";
import type { Output } from "../output/output";
import type { StackPreview } from "../preview/stackPreview";
import { monitorsIn } from "../preview/monitors";
import type { BacktestReview } from "./review";

export interface StackBacktests {
  /** By the URN of the monitor. */
  readonly reviews: ReadonlyMap<string, BacktestReview>;
  /** By the name of the monitor; only for a report. */
  readonly charts: ReadonlyMap<string, Chart>;
}

/** The backtest of each changed monitor of a stack. */
export async function backtestsOf(
  preview: StackPreview,
  flags: CountingFlags,
  output: Output,
): Promise<StackBacktests> {
  const changed = monitorsIn(preview).filter(({ op }) => op !== "same");
  if (changed.length === 0) return { reviews: new Map(), charts: new Map() };
  return stackBacktests(await backtestMonitors(changed, flags, output));
}

/** The backtests of a stack's monitors, for a review. */
export const stackBacktests = ({
  outcomes,
  charts,
  span,
}: Awaited<ReturnType<typeof backtestMonitors>>): StackBacktests => ({
  reviews: new Map(
    [...outcomes].map(([{ urn }, each]) => [
      urn,
      "op" in each
        ? { sentence: sentenceOf(each, span), sparkline: sparklineOf(each), picture: pictureOf(each, span) }
        : { sentence: `${each.title}: not simulated: ${each.reason}`, picture: [] },
    ]),
  ),
  charts: new Map([...charts].map(([{ name }, chart]) => [name, chart])),
});
