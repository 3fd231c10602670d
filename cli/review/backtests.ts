import { sentenceOf } from "../backtest/result";
import { backtestMonitors, type CountingFlags } from "../backtest/run";
import { pictureOf } from "../backtest/timeLine";
import type { Output } from "../report/output";
import type { StackPreview } from "../preview/stackPreview";
import { monitorsIn } from "../preview/monitors";
import type { BacktestReview } from "./review";

/** The backtest of each changed monitor of a stack, by the monitor's URN. */
export async function backtestsOf(
  preview: StackPreview,
  flags: CountingFlags,
  output: Output,
): Promise<ReadonlyMap<string, BacktestReview>> {
  const changed = monitorsIn(preview).filter(({ op }) => op !== "same");
  if (changed.length === 0) return new Map();
  const { outcomes, span } = await backtestMonitors(changed, flags, output);
  return new Map(
    [...outcomes].map(([{ urn }, each]) => [
      urn,
      "op" in each
        ? { sentence: sentenceOf(each, span), picture: pictureOf(each, span) }
        : { sentence: `${each.title}: not simulated: ${each.reason}`, picture: [] },
    ]),
  );
}
