import type { Labels } from "../behaviour/signals";

/** A series by its values, one for each evaluation; undefined is a missing sample. */
export interface NotedSeries {
  readonly labels: Labels;
  readonly values: readonly (number | undefined)[];
}

/** A series in promtool's notation: `series({ region: "eu" }, "0 0 5x10 _ 1+1x5")`. */
export const series = (labels: Labels, notation: string): NotedSeries => ({ labels, values: valuesOf(notation) });

const number = String.raw`[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[iI]nf|NaN|nan)`;
const step = String.raw`[+-](?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)`;
const missing = /^(?:_|stale)(?:x(\d+))?$/;
const repeated = new RegExp(`^(${number})(?:(${step})?x(\\d+))?$`);
// A month at one value a minute: more is likelier a slip than meant.
const mostValues = 100_000;

/**
 * The values of a notation, undefined where a sample is missing. `5` is a value, `5x3` it and three more, `1+2x3` is
 * `1 3 5 7`, `_` a missing sample, `_x3` three of them.
 * @throws SyntaxError with the position of what it cannot read.
 */
export function valuesOf(notation: string): readonly (number | undefined)[] {
  const values = [...notation.matchAll(/\S+/g)].flatMap(({ 0: text, index }) => {
    const [gap, count = "1"] = missing.exec(text) ?? [];
    if (gap !== undefined) return Array<undefined>(countOf(count, notation, index)).fill(undefined);
    const [, first, change = "0", more = "0"] = repeated.exec(text) ?? [];
    if (first === undefined) {
      throw problemAt(notation, index, `expected a number, 5x10, 1+1x5, _ or _x3, got "${text}"`);
    }
    return Array.from({ length: countOf(more, notation, index) + 1 }, (_, i) => numberOf(first) + i * Number(change));
  });
  if (values.length > mostValues) {
    throw problemAt(notation, 0, `it has ${values.length} values, more than ${mostValues}: pass samples instead`);
  }
  return values;
}

function countOf(text: string, notation: string, index: number): number {
  const count = Number(text);
  if (count <= mostValues) return count;
  throw problemAt(notation, index, `it repeats ${text} times, more than ${mostValues}: pass samples instead`);
}

const numberOf = (text: string) =>
  /nan/i.test(text) ? NaN : /inf/i.test(text) ? (text.startsWith("-") ? -Infinity : Infinity) : Number(text);

function problemAt(notation: string, index: number, problem: string): SyntaxError {
  return new SyntaxError(`series at character ${index + 1}: ${problem}\n  ${notation}\n  ${" ".repeat(index)}^`);
}
