import { RE2JS } from "re2js";
import { tried } from "../../provider/wire/json";
import type * as types from "../../sdk/types.gen";
import { onlyMatch } from "../promql/pattern";
import type { ResultSeries } from "../promql/resultSeries";

type Matcher = types.LabelMatcher;
type Override = types.ConditionsOverride;

/**
 * The overrides in one order of all that mean the same: two that a series can both match stay as they are to each other,
 * because the first holds. One whose series all match an earlier one says nothing.
 * @param keyOf The same text for overrides that mean the same.
 */
export function inOneOrder(overrides: readonly Override[], keyOf: (override: Override) => string): readonly Override[] {
  const effective = overrides.filter((each, i) => coveredBy(overrides.slice(0, i), each) !== true);
  const open = new Set(
    effective.map((override, i) => {
      const first = new Set(effective.slice(0, i).filter((before) => meets(before, override) !== false));
      return { override, key: keyOf(override), first };
    }),
  );
  const ordered: { readonly override: Override; readonly key: string }[] = [];
  while (open.size > 0) {
    const free = [...open].filter(({ first }) => first.size === 0);
    const next = free.reduce((least, each) => (each.key < least.key ? each : least));
    open.delete(next);
    for (const { first } of open) first.delete(next.override);
    ordered.push(next);
  }
  return ordered.map(({ override }) => override);
}

/** An override without the matchers that every series meets: a label that a series lacks is empty. */
export const withoutEverything = ({ labelMatchers, ...rest }: Override): Override =>
  labelMatchers === undefined ? rest : { ...rest, labelMatchers: labelMatchers.filter((each) => !isEverything(each)) };

/**
 * The overrides that some of a query's series match, without the matchers that all of them meet. A label that a series lacks
 * is empty.
 */
export const forSeries = (overrides: readonly Override[], { labels, matchers }: ResultSeries): readonly Override[] =>
  overrides.flatMap(({ labelMatchers = [], ...rest }) => {
    const lacking = labelMatchers.filter(({ name = "" }) => labels?.includes(name) === false);
    const known = {
      labelMatchers: [...matchers, ...lacking.map(({ name = "" }) => ({ name, type: "EXACT", value: "" }))],
    };
    if (meets(known, { labelMatchers }) === false) return [];
    return [
      { ...rest, labelMatchers: labelMatchers.filter((each) => covers({ labelMatchers: [each] }, known) !== true) },
    ];
  });

/** Whether a series can match both; undefined if a pattern is not read. */
export const meets = ({ labelMatchers: some = [] }: Override, { labelMatchers: others = [] }: Override) =>
  all(
    some.flatMap((one) =>
      others
        .filter(({ name }) => name === one.name)
        .map((other) => (excludes(one, other) || excludes(other, one) ? false : overlaps(one, other))),
    ),
  );

/** Whether each series of an override matches one of the others, too; undefined if a pattern is not read. */
export function coveredBy(others: readonly Override[], override: Override): boolean | undefined {
  const { labelMatchers = [] } = override;
  // No series matches it.
  if (meets(override, override) === false) return true;
  const several = labelMatchers.find((each) => each.type === "REGEX" && (valuesOf(each) ?? []).length > 1);
  if (several !== undefined) {
    const having = (value: string) =>
      labelMatchers.map((each) => (each === several ? { ...each, type: "EXACT", value } : each));
    return all((valuesOf(several) ?? []).map((value) => coveredBy(others, { labelMatchers: having(value) })));
  }
  return anyOf(others.map((each) => covers(each, override)));
}

const covers = ({ labelMatchers: wide = [] }: Override, { labelMatchers: narrow = [] }: Override) =>
  all(
    wide.map((matcher) => {
      if (isEverything(matcher)) return true;
      return anyOf(narrow.filter(({ name }) => name === matcher.name).map((other) => isNarrower(other, matcher)));
    }),
  );

/** Whether all is true; undefined if that is unknown. */
export const all = (answers: readonly (boolean | undefined)[]) =>
  !answers.includes(false) && (answers.includes(undefined) ? undefined : true);

/** Whether one is true; undefined if that is unknown. */
export const anyOf = (answers: readonly (boolean | undefined)[]) =>
  answers.includes(true) || (answers.includes(undefined) ? undefined : false);

const excludes = (some: Matcher, of: Matcher) => valuesOf(some)?.every((value) => takes(of, value) === false) === true;

const overlaps = (one: Matcher, other: Matcher) => shares(one, other) || shares(other, one) || undefined;
const shares = (some: Matcher, of: Matcher) =>
  isNarrower(some, of) === true || valuesOf(some)?.some((value) => takes(of, value)) === true;

/** The values that a matcher takes, if they are few and plain to see: `eu|us`. */
function valuesOf({ type, value = "" }: Matcher): readonly string[] | undefined {
  if (type === "EXACT") return [value];
  const texts = type === "REGEX" ? value.split("|").map(onlyMatch) : [undefined];
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

const isEverything = ({ type, value }: Matcher) => type === "REGEX" && value === ".*";

/** Whether a matcher takes all that another one of the same label takes; undefined if a pattern is not read. */
function isNarrower(narrow: Matcher, wide: Matcher): boolean | undefined {
  if ((narrow.type === wide.type && narrow.value === wide.value) || isEverything(wide)) return true;
  const values = valuesOf(narrow);
  if (values !== undefined) return all(values.map((value) => takes(wide, value)));
  // A pattern with a dot takes more values than can be listed.
  const isWider =
    (valuesOf(wide) !== undefined && isRead(narrow)) || (isEverything(narrow) && takes(wide, "") === false);
  return isWider ? false : undefined;
}

const isRead = ({ type, value = "" }: Matcher) => type === "REGEX" && /^(?:[\w|-]|\.[*+]?)*$/.test(value);

/** Whether a matcher takes a value; undefined if that is unknown. */
function takes(matcher: Matcher, value: string): boolean | undefined {
  const values = valuesOf(matcher);
  if (values !== undefined) return values.includes(value);
  return matcher.type === "REGEX" ? patternOf(matcher.value ?? "")?.matches(value) : undefined;
}

const patterns = new Map<string, RE2JS | undefined>();

/** A pattern for whole texts, which RE2 compares in a time that no pattern multiplies; undefined if it is invalid. */
function patternOf(text: string): RE2JS | undefined {
  if (!patterns.has(text))
    patterns.set(
      text,
      tried(() => RE2JS.compile(text, RE2JS.DOTALL)),
    );
  return patterns.get(text);
}
