import type { Figures } from "../../backtest/figures";
import type { Backtested } from "../../backtest/result";
import { secondsIn } from "../../../provider/base/durations";

/** A limit of `--fail-on`. */
export interface Limit {
  /** The limit as given. */
  readonly text: string;
  readonly exceeds: (monitor: Backtested) => boolean;
}

const figures = {
  pages: ({ pages }) => pages,
  "night-pages": ({ pagesAtNight }) => pagesAtNight,
  warnings: ({ warnings }) => warnings,
  longest: ({ longestSecs }) => longestSecs,
} as const satisfies Readonly<Record<string, (figures: Figures) => number>>;

export const limitForms = 'pages+50%, pages+3, "pages>20"; also night-pages, warnings, and "longest>4h"';

/**
 * Reads `pages+50%` (an increase by half or more), `night-pages+3` or `longest>4h`; undefined if the text has another form.
 * An increase compares with the figure before the change, so it does not apply to new monitors.
 */
export function limitOf(text: string): Limit | undefined {
  const [, name = "", sign, amount = "", percent] = /^([a-z-]+)([+>])(\w+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  const figure = Object.entries(figures).find(([each]) => each === name)?.[1];
  const isTime = name === "longest" && percent !== "%";
  const number = isTime ? (secondsIn(amount) ?? NaN) : Number(amount);
  const isNumber = /^\d/.test(amount) && Number.isFinite(number);
  if (figure === undefined || !isNumber || (sign === ">" && percent === "%")) return undefined;
  const exceeds = ({ before, after }: Backtested): boolean => {
    if (after === undefined) return false;
    if (sign === ">") return figure(after) > number;
    if (before === undefined) return false;
    const increase = figure(after) - figure(before);
    return increase > 0 && increase >= (percent === "%" ? (figure(before) * number) / 100 : number);
  };
  return { text: text.trim(), exceeds };
}
