import { type Backtested, type BacktestResult, basis, sentenceOf, totalOf } from "../../backtest/result";
import { pictureOf } from "../../backtest/timeLine";
import { codeSpan, pullRequestComment, sentenceMarkdown, titled } from "../../output/markdown";

/** A result for a pull request. */
export function backtestMarkdown({ monitors, notSimulated, span }: BacktestResult, stack: string): string {
  const parts = [
    titled(
      "**Monitors:**",
      monitors.map((each) => monitorText(each, span)),
    ),
    titled(
      "**Not simulated:**",
      notSimulated.map(({ title, reason }) => `${codeSpan(title)}: ${sentenceMarkdown(reason)}`),
    ),
  ];
  const intro = ["", totalOf(monitors, span)];
  return pullRequestComment({ command: "backtest", title: `Backtest of ${stack}`, intro, parts, foot: ["", basis] });
}

function monitorText(monitor: Backtested, span: BacktestResult["span"]): string {
  const { title } = monitor;
  const words = `${codeSpan(title)}${sentenceMarkdown(sentenceOf(monitor, span).slice(title.length))}`;
  const picture = pictureOf(monitor, span);
  if (picture.length === 0) return words;
  return `${words}\n\n${["  ```text", ...picture, "  ```"].join("\n")}\n`;
}
