import { PackedSamples } from "../behavior/packed";
import type { Labels } from "../behavior/signals";

/** A series by its values, one for each evaluation; undefined is a missing sample. */
export interface NotedSeries {
  readonly labels: Labels;
  readonly values: readonly (number | undefined)[];
}

/** A series in promtool's notation: `series({ region: "eu" }, "0 0 5x10 _ 1+1x5")`. */
export const series = (labels: Labels, notation: string): NotedSeries => ({ labels, values: valuesOf(notation) });

const digits = String.raw`\d(?:_?\d)*`;
const decimal = String.raw`(?:${digits}\.?(?:${digits})?|\.${digits})(?:[eE][+-]?${digits})?`;
const blank = /^(?:stale|_(?:x(\d+))?)$/;
// A letter belongs to the word before it, so "Infx3" is not valid, but "Inf+1x3" is.
const repeated = new RegExp(String.raw`^([+-]?${decimal})(?:([+-]${decimal})?x(\d+))?$`);
const wordRepeated = new RegExp(String.raw`^([+-]?(?:inf|nan))(?:([+-]${decimal})x(\d+))?$`, "i");
// A month at one value a minute. More is likely a mistake.
const mostValues = 100_000;

/** `count` values in a row, each `step` more than the one before, or as many missing samples. */
export interface ValueRun {
  readonly first: number | undefined;
  readonly step: number;
  readonly count: number;
}

/**
 * The values of a notation. `5` is a value, `5x3` it and three more, `1+2x3` is `1 3 5 7`, `_` a missing sample, `_x3` three
 * of them. As promtool has it, `010` is octal.
 * @throws SyntaxError with the position of the part that can't be parsed.
 */
export function runsIn(notation: string): readonly ValueRun[] {
  const runs: ValueRun[] = [];
  for (const { 0: text, index } of notation.matchAll(/\S+/g)) {
    const [gap, count = "1"] = blank.exec(text) ?? [];
    if (gap !== undefined) {
      runs.push({ first: undefined, step: 0, count: countOf(count, notation, index) });
      continue;
    }
    const [, first, change = "0", more = "0"] = repeated.exec(text) ?? wordRepeated.exec(text) ?? [];
    if (first === undefined) {
      throw problemAt(notation, index, `expected a number, 5x10, 1+1x5, _ or _x3, got "${text}"`);
    }
    const number = (word: string) => {
      const value = numberOf(word);
      if (Math.abs(value) !== Infinity || /inf$/i.test(word)) return value;
      throw problemAt(notation, index, `the number "${word}" is too large`);
    };
    const steps = countOf(more, notation, index);
    runs.push({ step: number(change), first: number(first), count: steps + 1 });
  }
  const count = countIn(runs);
  if (count > mostValues) {
    throw problemAt(notation, 0, `it has ${count} values, more than ${mostValues}. Pass samples instead`);
  }
  return runs;
}

export const countIn = (runs: readonly ValueRun[]) => runs.reduce((sum, { count }) => sum + count, 0);

/** The values as samples, at equal distances in seconds. */
export function samplesOf(runs: readonly ValueRun[], start: number, interval: number): PackedSamples {
  const numbers = new Float64Array(2 * countIn(runs));
  let [length, at] = [0, 0];
  for (const { first, step, count } of runs) {
    const end = at + count;
    if (first === undefined) at = end;
    // Added one by one, as promtool does: 0.1 three times is not 0.3.
    for (let value = first ?? NaN; at < end; value += step) {
      numbers[length++] = start + at++ * interval;
      numbers[length++] = value;
    }
  }
  return new PackedSamples([numbers.subarray(0, length)]);
}

/** The values of a notation, undefined where a sample is missing. @throws as `runsIn` */
export function valuesOf(notation: string): NotedSeries["values"] {
  const runs = runsIn(notation);
  const values = Array.from<number | undefined>({ length: countIn(runs) });
  samplesOf(runs, 0, 1).forEach((at, value) => (values[at] = value));
  return values;
}

function countOf(text: string, notation: string, index: number): number {
  const count = Number(text);
  if (count <= mostValues) return count;
  throw problemAt(notation, index, `it repeats ${text} times, more than ${mostValues}. Pass samples instead`);
}

function numberOf(text: string): number {
  const [sign, unsigned] = text.startsWith("-") ? [-1, text.slice(1)] : [1, text.replace(/^\+/, "")];
  const plain = unsigned.replaceAll("_", "").toLowerCase();
  if (plain === "inf") return sign * Infinity;
  return sign * (/^0[0-7]+$/.test(plain) ? Number.parseInt(plain, 8) : Number(plain)); // "nan" is not valid either.
}

function problemAt(notation: string, index: number, problem: string): SyntaxError {
  return new SyntaxError(`series at character ${index + 1}: ${problem}\n  ${notation}\n  ${" ".repeat(index)}^`);
}
