import type * as types from "../../../sdk/types.gen";

type Matcher = types.LabelMatcher;
type Override = types.ConditionsOverride;

/**
 * The overrides in one order of all that mean the same: two that a series can both match stay as they are to each other,
 * because the first holds. One that says the same as the one right before it says nothing.
 * @param keyOf The same text for overrides that mean the same.
 */
export function inOneOrder(overrides: readonly Override[], keyOf: (override: Override) => string): readonly Override[] {
  const open = new Set(
    overrides.map((override, i) => {
      const first = new Set(overrides.slice(0, i).filter((before) => meet(before, override)));
      return { override, key: keyOf(override), first };
    }),
  );
  const ordered: { readonly override: Override; readonly key: string }[] = [];
  while (open.size > 0) {
    const free = [...open].filter(({ first }) => first.size === 0);
    const next = free.reduce((least, each) => (each.key < least.key ? each : least));
    open.delete(next);
    for (const { first } of open) first.delete(next.override);
    if (next.key !== ordered.at(-1)?.key) ordered.push(next);
  }
  return ordered.map(({ override }) => override);
}

/** Whether a series can match both: not if one label would need two values. */
const meet = ({ labelMatchers: some = [] }: Override, { labelMatchers: others = [] }: Override) =>
  !some.some((one) =>
    others.some((other) => one.name === other.name && (excludes(one, other) || excludes(other, one))),
  );

const excludes = (some: Matcher, of: Matcher) => valuesOf(some)?.every((value) => takes(of, value) === false) === true;

/** The values that a matcher takes, if they are few and plain to see: `eu|us`. */
function valuesOf({ type, value = "" }: Matcher): readonly string[] | undefined {
  if (type === "EXACT") return [value];
  return type === "REGEX" && /^[\w|-]+$/.test(value) ? value.split("|") : undefined;
}

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
