import type { Problem } from "../../errors.js";

export interface SignalGrouping {
  readonly label_names?: readonly string[];
  readonly signal_per_series?: boolean;
}

export function signalGroupingProblems(grouping: SignalGrouping | undefined): readonly Problem[] {
  if (!grouping?.signal_per_series || (grouping.label_names ?? []).length === 0) return [];
  return [{ path: "signal_grouping", message: "has both label_names and signal_per_series, only one is allowed" }];
}
