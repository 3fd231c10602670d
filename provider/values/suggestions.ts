import { nearest } from "../base/nearest";

/** A third of the letters, at most 2: none in words like "GT". */
const fewLetters = ({ length }: string) => Math.min(2, Math.floor(length / 3));

/** Names of other languages for the API's values. The first known value is the suggestion. */
const otherNames = new Map(
  Object.entries({
    "> gt greater greater_than more more_than above over": ["GT", "GREATER_THAN"],
    ">= ge geq gte greater_or_equal greater_than_or_equal at_least": ["GEQ", "GREATER_THAN_OR_EQUAL"],
    "< lt less less_than lower lower_than below under": ["LT", "LESS_THAN"],
    "<= le leq lte less_or_equal less_than_or_equal at_most": ["LEQ", "LESS_THAN_OR_EQUAL"],
    "= == eq equal equals": ["EQ", "EQUAL", "EXACT"],
    "!= <> ne neq not_equal not_equals": ["NEQ", "NOT_EQUAL", "EXACT_NEGATION"],
    "=~ matches": ["REGEX"],
    "!~ not_regex": ["REGEX_NEGATION"],
    not_exact: ["EXACT_NEGATION"],
    exactly: ["EXACT"],
    nin: ["NOT_IN"],
    present: ["EXISTS"],
    "absent missing": ["NOT_EXISTS"],
    always: ["ALL_DAY"],
    "off none": ["NEVER"],
    "1m 1min 60s 60 1_minute": ["TIMESLICE_SIZE_ONE_MINUTE"],
    "5m 5min 300s 300 5_minutes": ["TIMESLICE_SIZE_FIVE_MINUTES"],
    crit: ["critical"],
    warning: ["warn"],
  }).flatMap(([names, intended]) => names.split(" ").map((name) => [name, intended] as const)),
);

/** The known value that an unknown one probably means. */
export function intendedBy(value: string, known: readonly string[]): string | undefined {
  const typed = wordsOf(value).join("_");
  const named = otherNames.get(typed)?.find((name) => known.includes(name));
  return named ?? nearest(typed, known, fewLetters) ?? onlyOneWith(wordsOf(value), known);
}

/** The value that alone has all these words: "ONE_MINUTE" is a part of "TIMESLICE_SIZE_ONE_MINUTE". */
function onlyOneWith(words: readonly string[], known: readonly string[]): string | undefined {
  // Alone, "not" is no part of a name.
  if (words.every((word) => word === "not")) return undefined;
  const found = known.filter((each) => words.every((word) => wordsOf(each).includes(word)));
  return found.length === 1 ? found[0] : undefined;
}

const wordsOf = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .split(/[\s_-]+/);
