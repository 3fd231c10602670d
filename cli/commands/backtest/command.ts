import { nearest } from "../../../provider/values/nearest";
import { type BacktestResult, sentenceOf } from "../../backtest/result";
import { backtestMonitors, type CountingFlags } from "../../backtest/run";
import { chartsOf, reportContent } from "../../report/build";
import { writeReport } from "../../report/write";
import { stackBacktests } from "../../review/backtests";
import { reviewOf } from "../../review/build";
import { writeText } from "../../output/files";
import { CommandError, exitStatus, type Output } from "../../output/output";
import { type MonitorChange, monitorsIn } from "../../preview/monitors";
import { type PreviewSource, readPreview } from "../../pulumi/previews";
import type { Limit } from "./limits";
import { backtestMarkdown } from "./markdown";
import { backtestText } from "./text";

export interface BacktestFlags extends CountingFlags, PreviewSource {
  readonly all?: boolean;
  readonly monitor?: readonly string[];
  readonly markdown?: string;
  readonly failOn?: readonly Limit[];
}

/** Reports how often the monitors of a program would have paged, before and after the change that its preview shows. */
export async function backtestProgram(flags: BacktestFlags, output: Output): Promise<void> {
  const preview = await readPreview(flags);
  const monitors = chosen(monitorsIn(preview), flags);
  if (monitors.length === 0) {
    output.line(`${preview.stack}: no monitor changes. Add --all to include unchanged monitors.`);
    output.result({ command: "backtest", stack: preview.stack, monitors: [], notSimulated: [], exceeded: [] });
    return;
  }
  const found = await backtestMonitors(monitors, flags, output);
  const { outcomes, span, cost } = found;
  const all = [...outcomes.values()];
  const result: BacktestResult = {
    span,
    monitors: all.filter((each) => "op" in each),
    notSimulated: all.flatMap((each) => ("op" in each ? [] : [each])),
  };

  const exceeded = (flags.failOn ?? []).flatMap((limit) =>
    result.monitors.filter(limit.exceeds).map(({ title }) => ({ monitor: title, limit: limit.text })),
  );
  for (const line of backtestText(result, output.screen)) output.line(line);
  if (flags.markdown !== undefined) writeText(flags.markdown, backtestMarkdown(result, preview.stack));
  if (flags.report !== undefined) {
    const { reviews: backtests, charts } = stackBacktests(found);
    const options = { charts: chartsOf(preview.stack, charts) };
    writeReport(flags.report, reportContent([preview], reviewOf([{ preview, backtests }]), options));
  }
  output.result({
    command: "backtest",
    stack: preview.stack,
    span,
    ...(cost === undefined ? {} : { cost }),
    monitors: result.monitors.map((each) => ({ ...each, sentence: sentenceOf(each, span) })),
    notSimulated: result.notSimulated,
    exceeded,
  });
  for (const { title, warnings } of result.monitors) {
    for (const warning of warnings) output.warn(`${title}: the query API warns: ${warning}`);
  }
  for (const { monitor, limit } of exceeded) output.warn(`${monitor} exceeds --fail-on ${limit}`);
  const isFailed = result.notSimulated.some((each) => each.isFailed);
  if (exceeded.length > 0 || isFailed) process.exitCode = exitStatus.rejected;
}

function chosen(monitors: readonly MonitorChange[], { all, monitor: slugs }: BacktestFlags): readonly MonitorChange[] {
  if (slugs === undefined) return all === true ? monitors : monitors.filter(({ op }) => op !== "same");
  const titles = monitors.map(({ title }) => title);
  for (const slug of slugs) {
    if (titles.includes(slug)) continue;
    const near = nearest(slug, titles);
    throw new CommandError(`there is no monitor "${slug}".${near === undefined ? "" : ` Did you mean "${near}"?`}`);
  }
  return monitors.filter(({ title }) => slugs.includes(title));
}
