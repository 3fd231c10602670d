import type { Path } from "../../../provider/schema/walk";
import type * as types from "../../../sdk/types.gen";
import { isImplied, withoutImplied } from "../../meaning/conditions";
import { commonDirection, type Direction, type LocatedFinding, oppositeDirection } from "../risk";
import { conditionText, type WrittenCondition } from "../conditionText";
import { secsText } from "../values";
import { classed, growing, matched, sided } from "./rules";

type Condition = types.Condition;
export type Conditions = readonly (Condition & WrittenCondition)[];

/** The conditions of every series without an override, by severity. */
export interface DefaultConditions {
  readonly critical: Conditions;
  readonly warn: Conditions;
}

/**
 * The consequences of a change of one list of conditions; the monitor fires if any of them is met.
 * @param others Conditions that another sentence is about.
 */
export function conditionFindings(
  what: string,
  before: Conditions,
  after: Conditions,
  at: Path,
  others: Conditions = [],
): readonly LocatedFinding[] {
  const told = others.map(conditionKey);
  const [old, now] = [before, after].map((all) => all.filter((each) => !told.includes(conditionKey(each))));
  // Pair the conditions that differ: first those with the same operator.
  const { pairs, removed, added } = matched(
    old ?? [],
    now ?? [],
    conditionKey,
    ({ op }) => op,
    () => "",
  );
  const find = (text: string, from: Conditions, to: Conditions, endIfLess = firesText["alerts-less"]) =>
    firingOf(before, after, from, to).map(({ direction, end }) => {
      const ends = end === firesText["alerts-less"] ? endIfLess : `${end}${lastingText(from, to)}`;
      return classed("threshold", direction, `${what} ${text}: ${ends}`, [at]);
    });
  const listText = (all: Conditions) => all.map(conditionText).join(" or ");
  // If only the interval rounds a time differently, the sentence about the interval covers it.
  const changed = pairs.filter(
    ([old, now]) => conditionKey(old) !== conditionKey(now) && conditionText(old) !== conditionText(now),
  );
  if (changed.length > 0 && removed.length + added.length > 0) {
    const [from, to] = [
      [...changed.map(([old]) => old), ...removed],
      [...changed.map(([, now]) => now), ...added],
    ];
    return find(`${listText(from)} → ${listText(to)}`, from, to);
  }
  const last = after.length === 0 ? "no other one is left" : undefined;
  return [
    ...changed.flatMap(([old, now]) => find(`${conditionText(old)} → ${conditionText(now)}`, [old], [now])),
    ...removed.flatMap((old) => find(`${conditionText(old)} is removed`, [old], [], last)),
    ...added.flatMap((now) => find(`${conditionText(now)} is added`, [], [now])),
  ];
}

/** When a value that stays fires, if two conditions of other intervals and times leave all else open. */
function lastingText([from]: Conditions, [to]: Conditions): string {
  if (from === undefined || to === undefined || from.intervalSecs === to.intervalSecs) return "";
  const [old, now] = [from, to].map(({ sustainSecs = 0 }) => secsText(sustainSecs));
  return old === now ? "" : ` (a value that stays fires after ${now ?? ""} instead of ${old ?? ""})`;
}

/** Whether some of the conditions fire when none of the others does. */
const isLost = (conditions: Conditions, others: Conditions) => conditions.some((each) => !isImplied(each, others));

/**
 * How the conditions fire that change; nothing if they fire at the same times. With a longer time to resolve they fire
 * longer, and notify less: a value that changes often notifies once.
 */
function firingOf(before: Conditions, after: Conditions, from = before, to = after) {
  const directionOf = (some: Conditions, others: Conditions) => sided(isLost(some, after), isLost(others, before));
  const direction = directionOf(from, to);
  if (direction === undefined) return [];
  const atOnce = (all: Conditions) => all.map((each) => ({ ...each, resolveSustainSecs: 0 }));
  const begins = directionOf(atOnce(from), atOnce(to));
  if (begins === undefined) return [{ direction: oppositeDirection(direction), end: resolvesText[direction] }];
  const [[old, ...olds], [now, ...nows]] = [from, to];
  const isPair = olds.length + nows.length === 0 && old?.intervalSecs === now?.intervalSecs;
  const resolves = growing(old?.resolveSustainSecs, now?.resolveSustainSecs);
  const both = isPair ? (commonDirection([begins, resolves ?? begins]) ?? begins) : direction;
  return [{ direction: both, end: firesText[both] }];
}

/** Whether conditions fire later or earlier than others; undefined if they are the same. */
export const directionOf = (before: Conditions = [], after: Conditions = []): Direction | undefined =>
  firingOf(before, after)[0]?.direction;

/** The conditions with their times rounded up to the evaluation at which they end. */
export const roundedTo = (intervalSecs = NaN, conditions: Conditions): Conditions => {
  const up = (secs = 0) => Math.ceil(secs / intervalSecs) * intervalSecs || secs;
  const rounded = conditions.map((each) => {
    const { sustainSecs, resolveSustainSecs } = each;
    const times = { sustainSecs: up(sustainSecs), resolveSustainSecs: up(resolveSustainSecs) };
    return { ...each, ...times, intervalSecs, text: conditionText(each) };
  });
  // With longer times, one may imply another one.
  return withoutImplied(rounded);
};

/** A key that is equal for equivalent conditions. */
export const conditionKey = ({ op = "", value = 0, sustainSecs = 0, resolveSustainSecs = 0 }: Condition) =>
  JSON.stringify([op, value, sustainSecs, resolveSustainSecs]);

/** The consequence of a changed condition. */
export const firesText = {
  "alerts-less": "fires later or not at all",
  "alerts-more": "fires earlier or more often",
  unclear: "may fire at other times",
};
const resolvesText = {
  "alerts-less": "resolves earlier, with more notifications for a value that changes often",
  "alerts-more": "resolves later, with fewer notifications for a value that changes often",
  unclear: "may resolve at another time",
};
