import type { Path } from "../../../provider/schema/walk";
import type * as types from "../../../sdk/types.gen";
import { isExistence, isImplied } from "../normal/conditions";
import type { Direction, LocatedFinding } from "../risk";
import { bare, shown, withUnit } from "../values";
import { matched, sided, tending } from "./rules";

type Condition = types.Condition;
export type Conditions = readonly Condition[];

/** The conditions of every series without an override, by severity. */
export interface Defaults {
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
  const { pairs, removed, added } = matched(
    old ?? [],
    now ?? [],
    conditionKey,
    // Pair the conditions that differ: first those with the same operator.
    ({ op }) => op,
    () => "",
  );
  const find = (text: string, from: Conditions, to: Conditions, ends = firesText) =>
    tending("threshold", sided(isLost(from, after), isLost(to, before)), `${what} condition ${text}`, ends, [at]);
  const lastOf = { ...firesText, ...(after.length === 0 && { "alerts-less": "no other one is left" }) };
  return [
    ...pairs.flatMap(([old, now]) => {
      const ends = onlyResolves(old, now) ? resolvesText : firesText;
      return find(`${conditionText(old)} → ${conditionText(now)}`, [old], [now], ends);
    }),
    ...removed.flatMap((old) => find(`${conditionText(old)} is removed`, [old], [], lastOf)),
    ...added.flatMap((now) => find(`${conditionText(now)} is added`, [], [now])),
  ];
}

/** Whether some of the conditions fire when none of the others does. */
const isLost = (conditions: Conditions, others: Conditions) => conditions.some((each) => !isImplied(each, others));

/** Whether conditions fire later or earlier than others; undefined if they are the same. */
export const directionOf = (before: Conditions = [], after: Conditions = []): Direction | undefined =>
  sided(isLost(before, after), isLost(after, before));

/** `GT 0.05 for 120 s` */
export const conditionText = (condition: Condition) => {
  const { op = "", value = 0, sustainSecs, resolveSustainSecs } = condition;
  const comparison = (isExistence(condition) ? op : `${bare(op)} ${shown(value)}`).trim();
  const sustain = sustainSecs ? ` for ${withUnit(sustainSecs, "s")}` : "";
  return `${comparison}${sustain}${resolveSustainSecs ? ` (resolves after ${withUnit(resolveSustainSecs, "s")})` : ""}`;
};

/** A key that is equal for equivalent conditions. */
export const conditionKey = ({ op = "", value = 0, sustainSecs = 0, resolveSustainSecs = 0 }: Condition) =>
  JSON.stringify([op, value, sustainSecs, resolveSustainSecs]);

const onlyResolves = (old: Condition, now: Condition) =>
  conditionKey({ ...old, resolveSustainSecs: 0 }) === conditionKey({ ...now, resolveSustainSecs: 0 });

/** The consequence of a changed condition. */
export const firesText = {
  "alerts-less": "fires later or not at all",
  "alerts-more": "fires earlier or more often",
  unclear: "fires at other times",
};
const resolvesText = {
  "alerts-less": "resolves earlier",
  "alerts-more": "resolves later",
  unclear: "resolves at another time",
};
