import type { Path } from "../../../provider/schema/walk";
import type * as types from "../../../sdk/types.gen";
import { gone } from "../parts";
import { type Direction, type LocatedFinding, together } from "../risk";
import { arrow, bare, shown, withUnit } from "../values";
import { growing, located, loosening, tending, withoutCommon } from "./rules";

type Condition = types.Condition;
export type Conditions = readonly Condition[];

/** The conditions of every series without an override, by severity. */
export interface Defaults {
  readonly critical: Conditions;
  readonly warn: Conditions;
}

/** How the values on one side of a threshold are compared. */
const above = ["GT", "GEQ"];
const below = ["LT", "LEQ"];
const comparisons = [...above, ...below, "EQ", "NEQ"];
const withEquals = ["GEQ", "LEQ"];

/** The conditions in one place, before and after a change. */
export interface ConditionLists {
  readonly path: Path;
  readonly before: Conditions;
  readonly after: Conditions;
}

/**
 * What a change of one list of conditions means; any of them fires.
 * @param before The conditions of the list that are compared; by default all.
 */
export function conditionFindings(
  what: string,
  lists: ConditionLists,
  before = lists.before,
  after = lists.after,
): readonly LocatedFinding[] {
  const { pairs, removed, added } = paired(before, after);
  const end = before.length > 0 && after.length === 0 ? `: no longer fires as ${what}` : "";
  return [
    ...pairs.flatMap(([old, now]) =>
      located([wasAt(lists, old), ...spokenOf(now, isAt(lists, now))], changeOf(what, old, now)),
    ),
    ...removed.map((old) =>
      loosening("laxer", `${what} condition ${conditionText(old)} is removed${end}`, [wasAt(lists, old)]),
    ),
    ...added.map((now) =>
      loosening("stricter", `${what} condition ${conditionText(now)} is added: fires more often`, [isAt(lists, now)]),
    ),
  ];
}

/** The paths of a condition that is removed, and of one of now. */
const wasAt = ({ path, before }: ConditionLists, old: Condition): Path => [...path, gone(before.indexOf(old))];
const isAt = ({ path, after }: ConditionLists, now: Condition): Path => [...path, after.indexOf(now)];

/** The paths of a condition of which its text speaks: no value is compared if any sample will do. */
export const spokenOf = ({ op = "" }: Condition, path: Path): readonly Path[] =>
  isExistence(op) ? ["op", "sustainSecs", "resolveSustainSecs"].map((name) => [...path, name]) : [path];

/** Whether conditions fire later or earlier than others; undefined if they are the same. */
export function directionOf(before: Conditions = [], after: Conditions = []): Direction | undefined {
  return together(conditionFindings("", { path: [], before, after }).map(({ direction }) => direction));
}

/** `GT 0.05 for 120 s` */
export const conditionText = (condition: Condition) => `${comparisonText(condition)}${sustainText(condition)}`;

const comparisonText = ({ op = "", value = 0 }: Condition) =>
  (isExistence(op) ? bare(op) : `${bare(op)} ${shown(value)}`).trim();
/** What ignores the value. */
const isExistence = (op: string) => op === "EXISTS" || op === "NOT_EXISTS";
const sustainText = ({ sustainSecs }: Condition) => (sustainSecs ? ` for ${withUnit(sustainSecs, "s")}` : "");

/** The conditions that differ: those of the same operator side by side, and what is left of one side. */
function paired(before: Conditions, after: Conditions) {
  const [old, added] = withoutCommon(before, after, conditionKey);
  const rest = [...added];
  const partners = old.map(({ op }) => {
    const at = rest.findIndex((each) => each.op === op);
    return at < 0 ? undefined : rest.splice(at, 1)[0];
  });
  const all = old.map((each, i) => [each, partners[i] ?? rest.shift()] as const);
  const pairs = all.filter((pair): pair is readonly [Condition, Condition] => pair[1] !== undefined);
  return { pairs, removed: all.flatMap(([each, now]) => (now === undefined ? [each] : [])), added: rest };
}

/** A text that is the same for conditions that mean the same. */
export const conditionKey = ({ op = "", value = 0, sustainSecs = 0, resolveSustainSecs = 0 }: Condition) =>
  JSON.stringify([op, value, sustainSecs, resolveSustainSecs]);

function changeOf(what: string, old: Condition, now: Condition) {
  const sustain = growing(old.sustainSecs, now.sustainSecs);
  const firing = together([thresholdDirection(old, now), sustain].filter((each) => each !== undefined));
  // The longer it must be quiet to end, the longer an alert is seen.
  const ending = growing(now.resolveSustainSecs, old.resolveSustainSecs);
  const held = sustain === undefined ? sustainText(now) : `, sustain ${secsText(old.sustainSecs, now.sustainSecs)}`;
  const resolve = secsText(old.resolveSustainSecs, now.resolveSustainSecs);
  return [
    ...tending(firing, `${what} ${thresholdText(old, now)}${held}`, firesText),
    ...tending(ending, `${what} ${conditionText(now)}, resolve sustain ${resolve}`, resolvesText),
  ];
}

const secsText = (before = 0, after = 0) => arrow(before, after, "s");
/** What comes of a condition that changes. */
export const firesText = { laxer: "fires later", stricter: "fires earlier", unclear: "fires at other times" };
const resolvesText = { laxer: "resolves earlier", stricter: "resolves later", unclear: "resolves at another time" };

function thresholdText(old: Condition, now: Condition): string {
  if (old.op !== now.op || isExistence(now.op ?? "")) return `${comparisonText(old)} → ${comparisonText(now)}`;
  const [from, to] = [old.value ?? 0, now.value ?? 0];
  return from === to ? `threshold ${shown(to)}` : `threshold ${arrow(from, to)}`;
}

function thresholdDirection(old: Condition, now: Condition): Direction | undefined {
  const [from, to] = [old.op ?? "", now.op ?? ""];
  const side = [above, below].find((ops) => ops.includes(from) && ops.includes(to));
  if (side === undefined) {
    if (from === to && (old.value ?? 0) === (now.value ?? 0)) return undefined;
    // Every comparison needs a sample.
    if (to === "EXISTS" && comparisons.includes(from)) return "stricter";
    return from === "EXISTS" && comparisons.includes(to) ? "laxer" : "unclear";
  }
  const further = side === above ? growing(old.value, now.value) : growing(now.value, old.value);
  if (further !== undefined && from === to) return further;
  // The same side, but once with the threshold itself.
  const inclusive = withEquals.includes(from) === withEquals.includes(to) ? undefined : withEquals.includes(to);
  const widened: Direction | undefined = inclusive === undefined ? undefined : inclusive ? "stricter" : "laxer";
  return together([further, widened].filter((each) => each !== undefined));
}
