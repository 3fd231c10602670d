import type * as types from "../../../sdk/types.gen";
import { listed } from "../../report/words";
import type { Direction, LocatedFinding } from "../risk";
import { shown } from "../values";
import { classed } from "./rules";

/** What a change of the signal grouping means: the fewer signals there are, the less one hears of a further series. */
export function groupingFindings(
  before: types.SignalGrouping = {},
  after: types.SignalGrouping = {},
): readonly LocatedFinding[] {
  const [old, now] = [textOf(before), textOf(after)];
  if (old === now) return [];
  const [finer, coarser] = [isWithin(before, after), isWithin(after, before)];
  const direction = finer === coarser ? "unclear" : finer ? "stricter" : "laxer";
  // Per series no label counts.
  const fields = after.signalPerSeries === true ? ["signalPerSeries"] : ["signalPerSeries", "labelNames"];
  const at = fields.map((name) => ["signalGrouping", name]);
  return [classed("grouping-changed", direction, `signals ${old} → ${now}: ${ends[direction]}`, at)];
}

const ends: Readonly<Record<Direction, string>> = {
  laxer: "one signal stands for more series",
  stricter: "one signal stands for fewer series",
  unclear: "other series make one signal",
};

/** Whether each signal of the other grouping is a part of one signal of this one. */
function isWithin(coarse: types.SignalGrouping, fine: types.SignalGrouping): boolean {
  if (fine.signalPerSeries === true) return true;
  if (coarse.signalPerSeries === true) return false;
  return (coarse.labelNames ?? []).every((name) => fine.labelNames?.includes(name));
}

function textOf({ labelNames = [], signalPerSeries }: types.SignalGrouping): string {
  if (signalPerSeries === true) return "per series";
  return labelNames.length === 0 ? "of all series" : `by ${listed([...labelNames].sort().map(shown))}`;
}
