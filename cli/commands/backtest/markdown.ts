import { type BacktestResult, type Backtested, sentenceOf, totalOf } from "../../backtest/result";
import { basis, pictureOf } from "./text";

/** A comment may have 65,536 characters; the rest is for what a pipeline adds. */
const longest = 60_000;

/** The first line: a pipeline finds its own comment by it, and updates it in place. */
const marker = "<!-- pulumi-observability backtest -->";

/** A result for a pull request, always below the limit of a comment: monitors without room are counted. */
export function markdownOf(
  { monitors, notSimulated, span }: BacktestResult,
  stack: string,
  /** The address of a monitor's picture; without it, the picture is text. */
  imageOf?: (title: string) => string,
): string {
  const head = [marker, `### Backtest of ${stack}`, "", totalOf(monitors, span), ""].join("\n");
  const foot = `\n${basis}\n`;
  const parts = [
    ...monitors.map((each) => monitorPart(each, span, imageOf)),
    ...(notSimulated.length === 0 ? [] : ["\n**Not simulated:**\n\n"]),
    ...notSimulated.map(({ title, reason }) => `- ${code(title)}: ${oneLine(reason)}\n`),
  ];
  let text = head;
  let left = 0;
  for (const part of parts) {
    if (text.length + part.length + foot.length > longest) left += 1;
    else text += part;
  }
  return `${text}${left === 0 ? "" : `\n${left} more without room here: see the job's log.\n`}${foot}`;
}

/** What `review --backtest` puts under a changed monitor. */
export function monitorPart(
  monitor: Backtested,
  span: BacktestResult["span"],
  imageOf?: (title: string) => string,
): string {
  const { title } = monitor;
  const words = sentenceOf(monitor, span).slice(title.length);
  const picture = pictureOf(monitor, span).map((line) => line.slice(2));
  if (picture.length === 0) return `- ${code(title)}${words}\n`;
  const shown =
    imageOf === undefined
      ? ["```text", ...picture, "```"].map((line) => `  ${line}`).join("\n")
      : `  ![time line of ${title}](<${imageOf(title)}>)`;
  return `- ${code(title)}${words}\n\n${shown}\n\n`;
}

/** A name is never Markdown; slugs have no backticks, but names of monitors without one may. */
const code = (text: string) => `\`${text.replaceAll("`", "'")}\``;

const oneLine = (text: string) => text.replace(/\s+/g, " ").replaceAll("@", "@\u200b").slice(0, 500);
