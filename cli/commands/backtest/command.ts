import { meant } from "../../../provider/base/nearest";
import { incidentsText, notesOf } from "../../backtest/incidentText";
import { noDataLines, shortPart } from "../../backtest/markdown";
import {
  type Backtested,
  type BacktestResult,
  basis,
  firingStateOf,
  ranked,
  sentenceOf,
  statesText,
  totalOf,
} from "../../backtest/result";
import { backtestMonitors, type CountingFlags } from "../../backtest/run";
import { pictureOf } from "../../backtest/timeLine";
import { reportContent } from "../../report/build";
import { writeReport } from "../../report/write";
import { stackBacktests } from "../../review/backtests";
import { reviewOf } from "../../review/build";
import { writeText } from "../../output/files";
import { codeSpan, pullRequestComment, sentenceMarkdown, titled } from "../../output/markdown";
import { CommandError, exitStatus, type Output, type Screen } from "../../output/output";
import { hanging } from "../../output/text";
import { plainly, quote } from "../../output/words";
import { type MonitorChange, monitorsIn } from "../../preview/monitors";
import type { StackPreview } from "../../preview/stackPreview";
import { type PreviewSource, readPreview } from "../../pulumi/previews";
import type { Limit } from "./limits";

export interface BacktestFlags extends CountingFlags, PreviewSource {
  readonly all?: boolean;
  readonly monitor?: readonly string[];
  readonly markdown?: string;
  readonly failOn?: readonly Limit[];
}

/** Reports how often the monitors of a program would have paged, before and after the change that its preview shows. */
export async function backtestProgram(flags: BacktestFlags, output: Output): Promise<void> {
  const limited = flags.incidents === undefined && flags.failOn?.find(({ needsIncidents }) => needsIncidents);
  if (limited) throw new CommandError(`--fail-on ${limited.text} needs --incidents <file>`);
  const preview = await readPreview(flags);
  const monitors = chosen(preview, flags);
  if (monitors.length === 0) {
    const none = flags.all ? "no monitor" : "no monitor changes. Add --all to include unchanged monitors";
    output.line(`${preview.stack}: ${none}.`);
    // Without a new file, a pipeline would fail, or show that of an earlier run.
    if (flags.markdown !== undefined)
      writeText(
        flags.markdown,
        pullRequestComment({ ...commentOn(preview.stack), intro: ["", `${none}.`], parts: [] }),
      );
    if (flags.report !== undefined) writeReport(flags.report, reportContent([preview], reviewOf([{ preview }])));
    output.result({ command: "backtest", stack: preview.stack, monitors: [], notSimulated: [], exceeded: [] });
    return;
  }
  const found = await backtestMonitors(monitors, flags, output);
  const { outcomes, simulated, span, cost, incidents } = found;
  const shown = flags.all === true ? ranked(simulated) : { monitors: simulated };
  const exceeded = (flags.failOn ?? []).flatMap((limit) =>
    shown.monitors.filter(limit.exceeds).map(({ title }) => ({ monitor: title, limit: limit.text })),
  );
  const result: BacktestResult = {
    span,
    ...shown,
    notSimulated: [...outcomes.values()].flatMap((each) => ("op" in each ? [] : [each])),
    ...(incidents && { incidents }),
    exceeded,
  };
  for (const line of backtestText(result, output.screen)) output.line(line);
  if (flags.markdown !== undefined) writeText(flags.markdown, backtestMarkdown(result, preview.stack));
  if (flags.report !== undefined) {
    const { backtests, charts } = stackBacktests(preview.stack, found);
    writeReport(flags.report, reportContent([preview], reviewOf([{ preview, backtests, incidents }]), charts));
  }
  output.result({
    command: "backtest",
    stack: preview.stack,
    ...(cost === undefined ? {} : { cost }),
    ...result,
    monitors: result.monitors.map((each) => {
      const { judged: _, noData: __, ...shown } = each;
      return { ...shown, sentence: sentenceOf(each, span), notes: notesOf(each) };
    }),
  });
  for (const { title, warnings } of result.monitors) {
    for (const warning of warnings) output.warn(plainly(`${title}: the query API warns: ${warning}`));
  }
  for (const { monitor, limit } of exceeded) output.warn(plainly(`${monitor} exceeds --fail-on ${limit}`));
  const isFailed = result.notSimulated.some((each) => each.isFailed);
  if (exceeded.length > 0 || isFailed) process.exitCode = exitStatus.rejected;
}

function chosen(preview: StackPreview, { all = false, monitor: slugs }: BacktestFlags): readonly MonitorChange[] {
  const monitors = monitorsIn(preview);
  const titles = monitors.map(({ title }) => title);
  const missing = slugs?.find((slug) => !titles.includes(slug));
  if (preview.isPartial && (all || missing !== undefined))
    throw new CommandError("the preview has no unchanged resources. Run it with --show-sames");
  if (missing !== undefined)
    throw new CommandError(`there is no monitor "${missing}". ${meant(missing, titles) ?? ""}`.trimEnd());
  return monitors.filter(({ op, title }) => slugs?.includes(title) ?? (all || op !== "same"));
}

/** A result for a terminal. */
export function backtestText(result: BacktestResult, { width }: Screen): readonly string[] {
  const { monitors, notSimulated, span, states } = result;
  const lines = monitors.flatMap((each) => [
    "",
    ...hanging(sentenceOf(each, span), { indent: 4, width }),
    ...notesOf(each).flatMap((note) => hanging(note, { start: "  ", indent: 4, width })),
    ...pictureOf(each, span),
  ]);
  const indented = (text: string) => hanging(text, { start: "  ", indent: 6, width });
  const without = notSimulated.flatMap(({ title, reason }) => indented(`${title}: ${reason}`));
  const incidents = incidentsText(result.incidents);
  return [
    ...lines,
    ...(without.length === 0 ? [] : ["", "Not simulated:", ...without]),
    ...(incidents ? ["", incidents.title, ...incidents.lines.flatMap(indented)] : []),
    "",
    ...(states ? [statesText(states)] : []),
    ...(monitors.length > 1 ? [totalOf(monitors, span)] : []),
    ...(monitors.length > 0 ? [basis] : []),
  ];
}

const commentOn = (stack: string) => ({ command: "backtest", title: `Backtest of ${stack}` });

/** A result for a pull request. */
export function backtestMarkdown(result: BacktestResult, stack: string): string {
  const { monitors, notSimulated, span, states, exceeded = [] } = result;
  const incidents = incidentsText(result.incidents);
  const limits = exceeded.map(({ monitor, limit }) => `${quote(monitor)} exceeds ${quote(limit)}`);
  const parts = [
    shortPart("Exceeded limits", limits),
    ...(incidents ? [shortPart(incidents.title, incidents.lines)] : []),
    titled(
      "**Monitors:**",
      monitors.map((each) => monitorText(each, span)),
    ),
    titled(
      "**Not simulated:**",
      notSimulated.map(({ title, reason }) => `${codeSpan(title)}: ${sentenceMarkdown(reason)}`),
    ),
  ];
  const dead = monitors.flatMap((each) => (firingStateOf(each) === "noData" ? [each.title] : []));
  const intro = ["", ...(states ? [`${statesText(states)}.`] : []), totalOf(monitors, span), ...noDataLines(dead)];
  return pullRequestComment({ ...commentOn(stack), intro, parts, foot: ["", basis] });
}

function monitorText(monitor: Backtested, span: BacktestResult["span"]): string {
  const { title } = monitor;
  const notes = notesOf(monitor).map((note) => `; ${sentenceMarkdown(note)}`);
  const words = `${codeSpan(title)}${sentenceMarkdown(sentenceOf(monitor, span).slice(title.length))}${notes.join("")}`;
  const picture = pictureOf(monitor, span);
  if (picture.length === 0) return words;
  return `${words}\n\n${["  ```text", ...picture, "  ```"].join("\n")}\n`;
}
