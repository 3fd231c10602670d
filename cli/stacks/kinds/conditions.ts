import type { Path } from "../../../provider/schema/walk";
import type * as types from "../../../sdk/types.gen";
import { takesNoMore } from "../normal/formats";
import { type Direction, type LocatedFinding, together } from "../risk";
import { arrow, bare, shown, withUnit } from "../values";
import { classed, growing, type ItemPaths, itemPaths, located, matched, tending } from "./rules";

type Condition = types.Condition;
export type Conditions = readonly Condition[];

/** The conditions of every series without an override, by severity. */
export interface Defaults {
  readonly critical: Conditions;
  readonly warn: Conditions;
}

const comparisons = ["GT", "GEQ", "LT", "LEQ", "EQ", "NEQ"];

/** The consequences of a change of one list of conditions; the monitor fires if any of them is met. */
export function conditionFindings(
  what: string,
  before: Conditions,
  after: Conditions,
  { was, is }: ItemPaths<Condition> = itemPaths([], before, after),
): readonly LocatedFinding[] {
  // Pair the conditions that differ: first those with the same operator.
  const { pairs, removed, added } = matched(
    before,
    after,
    conditionKey,
    ({ op }) => op,
    () => "",
  );
  const end = before.length > 0 && after.length === 0 ? `: no longer fires as ${what}` : "";
  return [
    ...pairs.flatMap(([old, now]) => located([was(old), ...spokenOf(now, is(now))], changeOf(what, old, now))),
    ...removed.map((old) =>
      classed("threshold", "alerts-less", `${what} condition ${conditionText(old)} is removed${end}`, [was(old)]),
    ),
    ...added.map((now) =>
      classed("threshold", "alerts-more", `${what} condition ${conditionText(now)} is added: fires more often`, [
        is(now),
      ]),
    ),
  ];
}

/** The paths of a condition that its text covers: EXISTS and NOT_EXISTS ignore the value. */
export const spokenOf = ({ op = "" }: Condition, path: Path): readonly Path[] =>
  isExistence(op) ? ["op", "sustainSecs", "resolveSustainSecs"].map((name) => [...path, name]) : [path];

/** Whether conditions fire later or earlier than others; undefined if they are the same. */
export function directionOf(before: Conditions = [], after: Conditions = []): Direction | undefined {
  return together(conditionFindings("", before, after).map(({ direction }) => direction));
}

/** `GT 0.05 for 120 s` */
export const conditionText = (condition: Condition) => `${comparisonText(condition)}${sustainText(condition)}`;

const comparisonText = ({ op = "", value = 0 }: Condition) =>
  (isExistence(op) ? bare(op) : `${bare(op)} ${shown(value)}`).trim();
/** Whether the operator ignores the value. */
const isExistence = (op: string) => op === "EXISTS" || op === "NOT_EXISTS";
const sustainText = ({ sustainSecs }: Condition) => (sustainSecs ? ` for ${withUnit(sustainSecs, "s")}` : "");

/** A key that is equal for equivalent conditions. */
export const conditionKey = ({ op = "", value = 0, sustainSecs = 0, resolveSustainSecs = 0 }: Condition) =>
  JSON.stringify([op, value, sustainSecs, resolveSustainSecs]);

function changeOf(what: string, old: Condition, now: Condition) {
  const sustain = growing(old.sustainSecs, now.sustainSecs);
  const firing = together([thresholdDirection(old, now), sustain].filter((each) => each !== undefined));
  // A longer resolve sustain keeps an alert open for longer.
  const ending = growing(now.resolveSustainSecs, old.resolveSustainSecs);
  const held = sustain === undefined ? sustainText(now) : `, sustain ${secsText(old.sustainSecs, now.sustainSecs)}`;
  const resolve = secsText(old.resolveSustainSecs, now.resolveSustainSecs);
  return [
    ...tending("threshold", firing, `${what} ${thresholdText(old, now)}${held}`, firesText),
    ...tending("threshold", ending, `${what} ${conditionText(now)}, resolve sustain ${resolve}`, resolvesText),
  ];
}

const secsText = (before = 0, after = 0) => arrow(before, after, "s");
/** The consequence of a changed condition. */
export const firesText = {
  "alerts-less": "fires later",
  "alerts-more": "fires earlier",
  unclear: "fires at other times",
};
const resolvesText = {
  "alerts-less": "resolves earlier",
  "alerts-more": "resolves later",
  unclear: "resolves at another time",
};

function thresholdText(old: Condition, now: Condition): string {
  if (old.op !== now.op || isExistence(now.op ?? "")) return `${comparisonText(old)} → ${comparisonText(now)}`;
  const [from, to] = [old.value ?? 0, now.value ?? 0];
  return from === to ? `threshold ${shown(to)}` : `threshold ${arrow(from, to)}`;
}

function thresholdDirection(old: Condition, now: Condition): Direction | undefined {
  const [from, to] = [old.op ?? "", now.op ?? ""];
  if (from === to && (old.value ?? 0) === (now.value ?? 0)) return undefined;
  // Every comparison needs a sample.
  if (takesNoMore(now, old) || (from === "EXISTS" && comparisons.includes(to))) return "alerts-less";
  return takesNoMore(old, now) || (to === "EXISTS" && comparisons.includes(from)) ? "alerts-more" : "unclear";
}
