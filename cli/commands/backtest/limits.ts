import type { Backtested, BacktestSide } from "../../backtest/result";
import { secondsIn } from "../../../provider/base/durations";

/** A limit of `--fail-on`, with its text as given. */
export type Limit = NonNullable<ReturnType<typeof limitOf>>;

const figures = {
  pages: ({ pages }) => pages,
  "night-pages": ({ pagesAtNight }) => pagesAtNight,
  warnings: ({ warnings }) => warnings,
  longest: ({ longestSecs }) => longestSecs,
  missed: ({ incidents }) => incidents?.missed,
  useless: ({ incidents }) => incidents?.pagesOutside,
  detection: ({ incidents }) => incidents?.detectionSecs,
} as const satisfies Readonly<Record<string, (side: BacktestSide) => number | undefined>>;

export const limitForms =
  'pages+50%, pages+3, "pages>20"; also night-pages, warnings, and "longest>4h"; with --incidents missed, useless, and "detection>15m"; no-data';

/**
 * Reads `pages+50%` (an increase by half or more), `night-pages+3` or `longest>4h`; undefined if the text has another form.
 * An increase compares with the figure before the change, so it does not apply to new monitors.
 */
export function limitOf(text: string) {
  if (text === "no-data")
    return { text: "no-data", needsIncidents: false, exceeds: ({ noData }: Backtested) => noData.length > 0 };
  const [, name = "", sign, amount = "", percent] = /^([a-z-]+)([+>])(\w+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  const figure = Object.entries(figures).find(([each]) => each === name)?.[1];
  const isTime = ["longest", "detection"].includes(name) && percent !== "%";
  const number = isTime ? (secondsIn(amount) ?? NaN) : Number(amount);
  const isNumber = /^\d/.test(amount) && Number.isFinite(number);
  if (figure === undefined || !isNumber || (sign === ">" && percent === "%")) return undefined;
  const exceeds = ({ before, after }: Backtested): boolean => {
    const { caught = 0, missed = 0 } = before?.incidents ?? {};
    // After its removal, a monitor misses what it has caught.
    const removed = sign === "+" && name === "missed" ? caught + missed : undefined;
    const [old, now] = [before && figure(before), after ? figure(after) : removed];
    if (now === undefined) return false;
    if (sign === ">") return now > number;
    if (old === undefined) return false;
    const increase = now - old;
    return increase > 0 && increase >= (percent === "%" ? (old * number) / 100 : number);
  };
  return { text, needsIncidents: ["missed", "useless", "detection"].includes(name), exceeds };
}
