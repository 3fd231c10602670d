import { monitor } from "../../provider/kinds/monitor";
import type { SeriesFlags } from "../commands/backtest/options";
import type { StackPreview } from "../stacks/changes";
import { type MonitorChange, monitorsIn } from "../stacks/monitors";
import type { Output } from "../report/output";
import type { BacktestReport, Report } from "./report";

/** The report with what each changed monitor would have done over recorded series. One stack after another is asked for. */
export async function withBacktests(
  report: Report,
  previews: readonly StackPreview[],
  flags: SeriesFlags,
  output: Output,
): Promise<Report> {
  const found = new Map<StackPreview["stack"], ReadonlyMap<string, BacktestReport>>();
  for (const preview of previews) {
    const changed = monitorsIn(preview).filter(({ op }) => op !== "same");
    if (changed.length > 0) found.set(preview.stack, await backtestsOf(changed, flags, output));
  }
  const stacks = report.stacks.map((each) => ({
    ...each,
    changes: each.changes.map((change) => {
      const backtest = change.kind === monitor.name ? found.get(each.stack)?.get(change.name) : undefined;
      return backtest === undefined ? change : { ...change, backtest };
    }),
  }));
  return { ...report, stacks };
}

/** By the monitors' Pulumi names. */
async function backtestsOf(
  monitors: readonly MonitorChange[],
  flags: SeriesFlags,
  output: Output,
): Promise<ReadonlyMap<string, BacktestReport>> {
  const [{ backtestMonitors }, { sentenceOf }, { pictureOf }] = await Promise.all([
    import("../commands/backtest/command.js"),
    import("../backtest/result.js"),
    import("../commands/backtest/text.js"),
  ]);
  const { result } = await backtestMonitors(monitors, flags, output);
  const byTitle = new Map<string, BacktestReport>([
    ...result.monitors.map((each): [string, BacktestReport] => [
      each.title,
      { sentence: sentenceOf(each, result.span), picture: pictureOf(each, result.span) },
    ]),
    ...result.notSimulated.map(({ title, reason }): [string, BacktestReport] => [
      title,
      { sentence: `${title}: not simulated: ${reason}`, picture: [] },
    ]),
  ]);
  return new Map(
    monitors.flatMap(({ name, title }) => {
      const found = byTitle.get(title);
      return found === undefined ? [] : [[name, found] as const];
    }),
  );
}
