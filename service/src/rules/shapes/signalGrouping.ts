import { rule, type Rules } from "../rules.js";

export const signalGrouping: Rules = {
  SignalGrouping: rule<{ label_names: string[]; signal_per_series: boolean }>(
    ({ label_names = [], signal_per_series }, report) => {
      if (signal_per_series && label_names.length > 0)
        report("", "has both label_names and signal_per_series, only one is allowed");
    },
  ),
};
