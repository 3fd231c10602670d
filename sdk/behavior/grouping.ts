import type { SignalGrouping } from "../types.gen";
import type { Labels } from "./signals";
import type { ConditionFiring } from "./sustain";

/** The labels by which series are one group (rule 9): their own, some of them, or none. */
export function grouper({ labelNames = [], signalPerSeries = false }: SignalGrouping, problems: string[]) {
  if (signalPerSeries && labelNames.length > 0) {
    problems.push("signalGrouping: has both labelNames and signalPerSeries, only one is allowed");
  }
  return (labels: Labels): Labels => {
    const names = signalPerSeries ? Object.keys(labels) : labelNames;
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = labels[name] ?? "";
        return value === "" ? [] : [[name, value]]; // An empty label is no label.
      }),
    );
  };
}

/** A key that is equal for equal labels, in any order. */
export const groupKey = (labels: Labels): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The times in which at least one fires. One that ends as another begins makes no gap. */
export function union(firings: readonly ConditionFiring[]): readonly ConditionFiring[] {
  const merged: ConditionFiring[] = [];
  for (const { start, end } of [...firings].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last === undefined || (last.end !== undefined && last.end < start)) {
      merged.push(end === undefined ? { start } : { start, end });
    } else if (end === undefined) delete last.end;
    else if (last.end !== undefined) last.end = Math.max(last.end, end);
  }
  return merged;
}
