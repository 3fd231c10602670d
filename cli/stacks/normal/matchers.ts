import type * as types from "../../../sdk/types.gen";

type Matcher = types.LabelMatcher;

/** The values that a matcher takes, if they are few and plain to see: `eu|us`. */
function valuesOf({ type, value = "" }: Matcher): readonly string[] | undefined {
  if (type === "EXACT") return [value];
  return type === "REGEX" && /^[\w|-]+$/.test(value) ? value.split("|") : undefined;
}

/** Whether a series can match both lists of matchers: not if one label would need two values. */
export const canMeet = (some: readonly Matcher[], others: readonly Matcher[]) =>
  !some.some((one) => others.some((other) => one.name === other.name && areApart(one, other)));

const areApart = (one: Matcher, other: Matcher) =>
  [
    [one, other],
    [other, one],
  ].some(([some, of]) => some && of && valuesOf(some)?.every((value) => takes(of, value) === false));

/** Whether a matcher takes all that another one of the same label takes, for certain. */
export const isWithin = (narrow: Matcher, wide: Matcher) =>
  (narrow.type === wide.type && narrow.value === wide.value) ||
  (wide.type === "REGEX" && wide.value === ".*") ||
  valuesOf(narrow)?.every((value) => takes(wide, value)) === true;

/** Whether a matcher takes a value; undefined if that is not plain to see. No pattern is run as one. */
function takes({ type, value: pattern = "" }: Matcher, value: string): boolean | undefined {
  if (type === "EXACT") return pattern === value;
  if (type !== "REGEX" || !/^(?:[\w|-]|\.[*+]?)*$/.test(pattern)) return undefined;
  return pattern.split("|").some((alternative) => matches(alternative.match(/\.?[*+]|./g) ?? [], [...value]));
}

/** Whether texts, `.`, `.*` and `.+` match all letters, in no more steps than both are long multiplied. */
function matches(steps: readonly string[], letters: readonly string[]): boolean {
  // Which first letters the steps so far match: none yet, before the first step.
  const first = letters.map(() => false);
  const ends = steps.reduce(
    (ends, step) => {
      const next = [...first, false];
      const repeats = step === ".*" || step === ".+";
      ends.forEach((isEnd, i) => {
        if (step === ".*" && isEnd) next[i] = true;
        const takesOne = repeats ? isEnd || next[i] === true : isEnd;
        if (takesOne && i < letters.length && (step.startsWith(".") || step === letters[i])) next[i + 1] = true;
      });
      return next;
    },
    [true, ...first],
  );
  return ends.at(-1) === true;
}
