import { type BacktestResult, type Backtested, sentenceOf, totalOf } from "./result";
import { blocksOf } from "./timeLine";

const width = 80;

/** A result for a terminal, 80 columns wide. */
export function textOf({ monitors, notSimulated, span }: BacktestResult): readonly string[] {
  const lines = monitors.flatMap((each) => ["", ...wrapped(sentenceOf(each, span)), ...pictureOf(each, span)]);
  const without = notSimulated.flatMap(({ title, reason }) => wrapped(`${title}: ${reason}`));
  return [
    ...lines,
    ...(without.length === 0 ? [] : ["", "Not simulated:", ...without.map((line) => `  ${line}`)]),
    "",
    ...(monitors.length > 1 ? [totalOf(monitors, span)] : []),
    ...(monitors.length > 0 ? [basis] : []),
  ];
}

/** What the figures are. */
export const basis = "Simulated with recorded values by the rules in docs/behaviour.md.";

/** The picture of a monitor that ever fires. */
export const pictureOf = (monitor: Backtested, span: BacktestResult["span"]): readonly string[] =>
  [monitor.before, monitor.after].some((side) => side !== undefined && side.signals.length > 0)
    ? blocksOf(monitor, span).map((line) => `  ${line}`)
    : [];

/** The text in lines of at most 80 columns; a longer word stays whole. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(word);
    else if (last.length + 1 + word.length <= width - 2) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`    ${word}`);
  }
  return lines;
}
