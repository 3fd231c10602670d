import { monitor } from "../../provider/kinds/monitor";
import { notesOf } from "../backtest/incidentText";
import { firingStateOf, sentenceOf } from "../backtest/result";
import { backtestMonitors, type CountingFlags } from "../backtest/run";
import { pictureOf, sparklineOf } from "../backtest/timeLine";
import type { Output } from "../output/output";
import type { StackPreview } from "../preview/stackPreview";
import { monitorsIn } from "../preview/monitors";
import type { BacktestReview } from "./review";

/** A simulated monitor of a stack, for a report. */
export type Charted = ReturnType<typeof stackBacktests>["charts"][number];

/** The backtest of each changed monitor of a stack; undefined if none changes. */
export async function backtestsOf(preview: StackPreview, flags: CountingFlags, output: Output) {
  const changed = monitorsIn(preview).filter(({ op }) => op !== "same");
  return changed.length === 0
    ? undefined
    : stackBacktests(preview.stack, await backtestMonitors(changed, flags, output));
}

/** The backtests of a stack's monitors for a review, by their URNs, and for a report, with the charts. */
export function stackBacktests(
  source: string,
  { outcomes, charts, span, incidents }: Awaited<ReturnType<typeof backtestMonitors>>,
) {
  const backtests = new Map(
    [...outcomes].map(([{ urn }, each]): [string, BacktestReview] => {
      const isSimulated = "op" in each;
      if (!isSimulated)
        return [urn, { sentence: `${each.title}: not simulated: ${each.reason}`, isSimulated, picture: [] }];
      const [sparkline, picture] = [sparklineOf(each), pictureOf(each, span)];
      const about = { sentence: sentenceOf(each, span), state: firingStateOf(each), notes: notesOf(each) };
      return [urn, { ...about, isSimulated, sparkline, picture }];
    }),
  );
  const charted = [...outcomes.keys()].map((each) => {
    const [chart, backtest] = [charts.get(each), backtests.get(each.urn)];
    return { source, kind: monitor.name, name: each.name, ...(chart && { chart }), ...(backtest && { backtest }) };
  });
  return { backtests, charts: charted, incidents };
}
