import type * as types from "../../../sdk/types.gen";
import { listed } from "../../report/words";
import type { Direction, LocatedFinding } from "../risk";
import { valueText } from "../values";
import { classed } from "./rules";

/** The consequences of a change of the signal grouping: with fewer signals, a further series is less likely to notify. */
export function groupingFindings(
  before: types.SignalGrouping = {},
  after: types.SignalGrouping = {},
): readonly LocatedFinding[] {
  const [old, now] = [groupingText(before), groupingText(after)];
  if (old === now) return [];
  const [finer, coarser] = [isWithin(before, after), isWithin(after, before)];
  const direction = finer === coarser ? "unclear" : finer ? "alerts-more" : "alerts-less";
  const at = ["signalPerSeries", "labelNames"].map((name) => ["signalGrouping", name]);
  return [classed("grouping", direction, `signals ${old} → ${now}: ${ends[direction]}`, at)];
}

const ends: Readonly<Record<Direction, string>> = {
  "alerts-less": "one signal covers more series",
  "alerts-more": "one signal covers fewer series",
  unclear: "signals combine other series",
};

/** Whether each signal of the fine grouping is part of one signal of the coarse grouping. */
function isWithin(coarse: types.SignalGrouping, fine: types.SignalGrouping): boolean {
  if (fine.signalPerSeries === true) return true;
  if (coarse.signalPerSeries === true) return false;
  return (coarse.labelNames ?? []).every((name) => fine.labelNames?.includes(name));
}

function groupingText({ labelNames = [], signalPerSeries }: types.SignalGrouping): string {
  if (signalPerSeries === true) return "per series";
  return labelNames.length === 0 ? "of all series" : `by ${listed([...labelNames].sort().map(valueText))}`;
}
