import type * as types from "../../../sdk/types.gen";
import { isHidden } from "../../meaning/hidden";
import { listed } from "../../output/words";
import type { Direction, LocatedFinding } from "../risk";
import { valueText } from "../values";
import { classed, sided, tending } from "./rules";

/**
 * The consequences of a change of the signal grouping: with fewer signals, a further series is less likely to notify.
 * @param known The labels that the series of each side can have; undefined if that can't be determined.
 */
export function groupingFindings(
  before: types.SignalGrouping = {},
  after: types.SignalGrouping = {},
  known: readonly (readonly string[] | undefined)[] = [],
): readonly LocatedFinding[] {
  const [old, now] = [groupingText(before), groupingText(after)];
  if (old === now) return lostFindings(after, known);
  const [was, is] = [effective(before, known[0]), effective(after, known[1])];
  const isKnown = ![before, after].some(({ signalPerSeries }) => isHidden(signalPerSeries));
  const direction = isKnown ? sided(!isCoarser(was, is), !isCoarser(is, was)) : "unclear";
  const at = ["signalPerSeries", "labelNames"].map((name) => ["signalGrouping", name]);
  const lacking = lackingIn(after, known[1]);
  const but = lacking.length === 0 ? "" : `, but ${hasText(lacking)}`;
  return tending("grouping", direction, `signals ${old} → ${now}${but}`, ends, at);
}

/** The consequence for the same grouping of labels that the series no longer have, or have now. */
function lostFindings(
  grouping: types.SignalGrouping,
  known: readonly (readonly string[] | undefined)[],
): readonly LocatedFinding[] {
  const [was = [], is = []] = [0, 1].map((side) => lackingIn(grouping, known[side]));
  const [lost, gained] = [is.filter((each) => !was.includes(each)), was.filter((each) => !is.includes(each))];
  const left = (grouping.labelNames ?? []).filter((each) => !is.includes(each));
  const rest = `${left.length === 0 ? "one signal" : "signals"} ${groupingText({ labelNames: left })}`;
  const text = lost.length > 0 ? `${hasText(lost)} any more` : `series may have ${labelsText(gained)} now`;
  // The query that changes the labels may change the series, too.
  return lost.length + gained.length === 0 ? [] : [classed("grouping", "unclear", `${text}: there may be ${rest}`)];
}

/** The labels of a grouping that no series has. */
const lackingIn = ({ labelNames = [], signalPerSeries }: types.SignalGrouping, known?: readonly string[]) =>
  known === undefined || signalPerSeries === true ? [] : labelNames.filter((name) => !known.includes(name));

const labelsText = (names: readonly string[]) =>
  `the ${names.length === 1 ? "label" : "labels"} ${listed([...names].sort().map(valueText))}`;
const hasText = (names: readonly string[]) => `no series has ${labelsText(names)}`;

const ends: Readonly<Record<Direction, string>> = {
  "alerts-less": "one signal covers more series",
  "alerts-more": "one signal covers fewer series",
  unclear: "signals may combine other series",
};

/** A grouping by the labels that series have: a signal per series is one for each value of all. */
const effective = (grouping: types.SignalGrouping, known: readonly string[] | undefined): types.SignalGrouping =>
  known === undefined
    ? grouping
    : { labelNames: known.filter((name) => grouping.signalPerSeries === true || grouping.labelNames?.includes(name)) };

/** Whether each signal of the fine grouping is part of one signal of the coarse grouping. */
function isCoarser(coarse: types.SignalGrouping, fine: types.SignalGrouping): boolean {
  if (fine.signalPerSeries === true) return true;
  if (coarse.signalPerSeries === true) return false;
  return (coarse.labelNames ?? []).every((name) => fine.labelNames?.includes(name));
}

function groupingText({ labelNames = [], signalPerSeries }: types.SignalGrouping): string {
  if (signalPerSeries === true) return "per series";
  return labelNames.length === 0 ? "of all series" : `by ${listed([...labelNames].sort().map(valueText))}`;
}
