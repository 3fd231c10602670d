import { type BacktestResult, type Backtested, sentenceOf, totalOf } from "../../backtest/result";
import { blocksOf } from "../../backtest/timeLine";

const width = 80;

/** A result for a terminal, 80 columns wide. */
export function textOf({ monitors, notSimulated, span }: BacktestResult): readonly string[] {
  const lines = monitors.flatMap((each) => ["", ...wrapped(sentenceOf(each, span)), ...pictureOf(each, span)]);
  const without = notSimulated.flatMap(({ title, reason }) => wrapped(`${title}: ${reason}`, width - 2));
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

/** The text in lines, broken best after a semicolon; a longer word stays whole. */
function wrapped(text: string, columns = width): readonly string[] {
  if (text.length <= columns) return [text];
  const room = columns - indent.length;
  const packed = (parts: readonly string[]) =>
    parts.reduce<readonly string[]>((lines, part) => {
      const last = lines.at(-1);
      return last === undefined || last.length + 1 + part.length > room
        ? [...lines, part]
        : [...lines.slice(0, -1), `${last} ${part}`];
    }, []);
  const parts = text.split(/(?<=;) /).flatMap((part) => (part.length > room ? packed(part.split(" ")) : [part]));
  return packed(parts).map((line, i) => (i === 0 ? line : indent + line));
}

const indent = "    ";
