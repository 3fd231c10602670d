import { type BacktestResult, basis, sentenceOf, totalOf } from "../../backtest/result";
import { pictureOf } from "../../backtest/timeLine";
import type { Screen } from "../../output/output";
import { hanging } from "../../output/text";

/** A result for a terminal. */
export function backtestText({ monitors, notSimulated, span }: BacktestResult, { width }: Screen): readonly string[] {
  const lines = monitors.flatMap((each) => [
    "",
    ...hanging(sentenceOf(each, span), { indent: 4, width }),
    ...pictureOf(each, span),
  ]);
  const without = notSimulated.flatMap(({ title, reason }) =>
    hanging(`${title}: ${reason}`, { start: "  ", indent: 6, width }),
  );
  return [
    ...lines,
    ...(without.length === 0 ? [] : ["", "Not simulated:", ...without]),
    "",
    ...(monitors.length > 1 ? [totalOf(monitors, span)] : []),
    ...(monitors.length > 0 ? [basis] : []),
  ];
}
