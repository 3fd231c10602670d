import { severities } from "../../../sdk/behavior/signals";
import type * as types from "../../../sdk/types.gen";
import { listed } from "../../output/words";
import { items } from "../../../provider/wire/json";
import { holdsHidden, shownAt } from "../../meaning/hidden";
import { all, coveredBy, meets } from "../../meaning/matchers";
import { orderOf } from "../../meaning/parts";
import { type LocatedFinding, commonDirection } from "../risk";
import { conditionText } from "../conditionText";
import { unquotedText, valueText } from "../values";
import { conditionFindings, type Conditions, type DefaultConditions, directionOf, firesText } from "./conditions";
import { classed, ending, matched, tending, type Written } from "./rules";

type Override = types.ConditionsOverride;

/** The overrides and defaults of one side of a change. */
export interface ConditionsSide {
  readonly overrides: readonly Override[];
  readonly defaults: DefaultConditions;
}
type Pairs = readonly (readonly [mine: Override, theirs: Override])[];

const list = ["seriesConditions", "overrides"];

/** Whether no series has the default conditions. */
export const hidesDefaults = ({ overrides }: ConditionsSide) => coveredBy(overrides, {}) === true;

/**
 * The consequences of a change of the overrides, for the series that another one applies to, or one that changes.
 * @param written Both declarations, with the overrides that have no effect.
 */
export function overrideFindings(
  before: ConditionsSide,
  after: ConditionsSide,
  written: Pick<Written<object>, "before" | "after">,
): readonly LocatedFinding[] {
  const { pairs, removed, added } = matched(before.overrides, after.overrides, matchersKey);
  const back = pairs.map(([old, now]) => [now, old] as const);
  const isIn = (declared: object, override: Override) =>
    (items(shownAt(declared, list)) as readonly Override[]).some(
      (each) => !holdsHidden(each) && matchersKey(each) === matchersKey(override),
    );
  return [
    ...pairs.flatMap(([old, now]) => pairFindings(old, now, before, after)),
    ...severityFindings(pairs, before.defaults, after.defaults),
    // One that is written on both sides is hidden by another one on the other side.
    ...added.flatMap((each) => {
      const verb = isIn(written.before, each) ? "applies now" : "is new";
      return loneFindings({ each, mine: after, other: before, pairs: back, isNew: true }, verb);
    }),
    ...removed.flatMap((each) => {
      const verb = isIn(written.after, each) ? "no longer applies" : "is removed";
      return loneFindings({ each, mine: before, other: after, pairs, isNew: false }, verb);
    }),
    ...orderFindings(pairs, before, after),
  ];
}

/** The consequences of other conditions for the same series. */
function pairFindings(old: Override, now: Override, before: ConditionsSide, after: ConditionsSide) {
  const what = `override for ${seriesOf(now)}, condition`;
  const findings = conditionFindings(what, conditionsOf(old), conditionsOf(now), list);
  if (isSeen(old, before) && isSeen(now, after)) return findings;
  return ending(`${firesText.unclear}, unless an earlier override applies`, findings);
}

/** Whether some of its series, or of the given ones, get the override: no earlier one matches all of them. */
function isSeen(override: Override, { overrides }: ConditionsSide, series = override): boolean | undefined {
  const isCovered = coveredBy(overrides.slice(0, overrides.indexOf(override)), series);
  return isCovered === undefined ? undefined : !isCovered;
}

/** Whether some series get the one override on its side, and the other one on the other side. */
function isMet(one: Override, other: Override, ofOne: ConditionsSide, ofOther: ConditionsSide) {
  const both = { labelMatchers: [...(one.labelMatchers ?? []), ...(other.labelMatchers ?? [])] };
  return all([meets(one, other), isSeen(one, ofOne, both), isSeen(other, ofOther, both)]);
}

/** An override that only one side has, and the overrides of both sides. */
interface Lone {
  readonly each: Override;
  readonly mine: ConditionsSide;
  readonly other: ConditionsSide;
  readonly pairs: Pairs;
  readonly isNew: boolean;
}

/** The consequences of an override that is new or removed, compared with all that applies to its series on the other side. */
function loneFindings(lone: Lone, verb: string): readonly LocatedFinding[] {
  const { each, mine, isNew } = lone;
  const own = effectOf(each, mine.defaults);
  const inOrder = <T>(theirs: T, own: T) => (isNew ? ([theirs, own] as const) : ([own, theirs] as const));
  const compared = rivalsOf(lone).map((rival) => ({
    ...rival,
    direction: directionBetween(...inOrder(rival.effect, own)),
  }));
  const told = compared.filter(({ direction }) => direction !== undefined);
  const same = compared.filter(({ direction, of }) => direction === undefined && of !== "");
  const direction = commonDirection(told.flatMap(({ direction, isSure }) => (isSure ? (direction ?? []) : "unclear")));
  const others = told.map(({ effect, of }) => `${effectText(effect)}${of}`);
  const theirs = listed(others.length > 1 ? others.map((text) => `(${text})`) : others);
  const [before, after] = inOrder(theirs, effectText(own));
  const except = same.length === 0 ? "" : `, except${listed(same.map(({ of }) => of))}`;
  const text = `override for ${seriesOf(each)} ${verb}, ${after} instead of ${before}${except}`;
  return tending("override", direction, text, firesText, [list]);
}

/** What applies on the other side to the series of an override: its defaults, and other overrides. */
function rivalsOf({ each, mine, other, pairs, isNew }: Lone) {
  const { overrides, defaults } = mine;
  // Series that an override of both sides applies to first are not concerned.
  const first = pairs.flatMap(([own, theirs]) => (overrides.indexOf(own) < overrides.indexOf(each) ? [theirs] : []));
  const rest = other.overrides.filter((they) => !first.includes(they) && isMet(they, each, other, mine) !== false);
  const isCovered = coveredBy(other.overrides, each);
  // A removed override is compared with a new one where the new one is reported.
  const isCompared = (they: Override) => isNew || pairs.some(([, theirs]) => theirs === they);
  const isSure = isSeen(each, mine) === true && isCovered === false;
  return [
    ...(isCovered === true ? [] : [{ effect: other.defaults, of: "", isSure }]),
    ...rest.map((they) => ({
      effect: isCompared(they) ? effectOf(they, other.defaults) : effectOf(each, defaults),
      of: ` for ${seriesOf(they)}`,
      isSure: isMet(they, each, other, mine) === true,
    })),
  ];
}

/** An override has no severity of its own: it gets the highest severity of the defaults. */
export const overrideSeverity = (defaults: DefaultConditions) =>
  severities.find((each) => defaults[each].length > 0) ?? "critical";

/** The conditions of an override's series: it replaces all defaults. */
const effectOf = (override: Override, defaults: DefaultConditions): DefaultConditions => ({
  critical: [],
  warn: [],
  [overrideSeverity(defaults)]: conditionsOf(override),
});

/** `critical > 2 or < 0 and warn > 1` */
function effectText(effect: DefaultConditions): string {
  const own = severities.filter((each) => effect[each].length > 0);
  return own.length === 0
    ? "no condition"
    : listed(own.map((each) => `${each} ${effect[each].map(conditionText).join(" or ")}`));
}

const directionBetween = (before: DefaultConditions, after: DefaultConditions) =>
  commonDirection(severities.flatMap((each) => directionOf(before[each], after[each]) ?? []));

function severityFindings(
  pairs: Pairs,
  before: DefaultConditions,
  after: DefaultConditions,
): readonly LocatedFinding[] {
  const [old, now] = [overrideSeverity(before), overrideSeverity(after)];
  if (old === now || pairs.every(([, each]) => conditionsOf(each).length === 0)) return [];
  const text = `overrides fire as ${now}, no longer as ${old}, because the defaults do`;
  return [classed("override", now === "warn" ? "alerts-less" : "alerts-more", text, [list])];
}

/** Pairs of overrides that change places: the first one applies to series that match both. */
function orderFindings(pairs: Pairs, before: ConditionsSide, after: ConditionsSide): readonly LocatedFinding[] {
  const at = (side: ConditionsSide, each: Override) => side.overrides.indexOf(each);
  return pairs.flatMap(([old, gone]) =>
    pairs.flatMap(([later, now]) => {
      const isTurned = at(before, old) < at(before, later) && at(after, now) < at(after, gone);
      const isSure = isMet(old, now, before, after);
      if (!isTurned || isSure === false) return [];
      const [was, is] = [effectOf(old, before.defaults), effectOf(now, after.defaults)];
      const between = directionBetween(was, is);
      const direction = between && (isSure ? between : "unclear");
      const text = `order of overrides changed, ${seriesOf(now)} before ${seriesOf(gone)}, ${effectText(is)} instead of ${effectText(was)} for series of both`;
      return tending("override", direction, text, firesText, [orderOf(list)]);
    }),
  );
}

export const conditionsOf = ({ severityConditions }: Override): Conditions => severityConditions?.conditions ?? [];

/** `{env=~"p.*", region="eu"}` */
export const seriesOf = ({ labelMatchers = [] }: Override) => {
  const texts = labelMatchers.map(
    ({ name = "", type, value = "" }) =>
      `${unquotedText(name)}${signs[type ?? ""] ?? ` ${unquotedText(type || "?")} `}${valueText(value)}`,
  );
  return texts.length === 0 ? "every series" : `{${texts.join(", ")}}`;
};

const signs: Readonly<Record<string, string>> = { EXACT: "=", REGEX: "=~" };

const matchersKey = ({ labelMatchers = [] }: Override) =>
  JSON.stringify(
    labelMatchers.map(({ name = "", type = "", value = "" }) => JSON.stringify([name, type, value])).sort(),
  );
