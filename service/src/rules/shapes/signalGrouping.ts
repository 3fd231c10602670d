import { texts } from "../constraints.js";
import { rulesFor, type Shapes } from "../rules.js";

export const signalGrouping: Shapes = {
  SignalGrouping: rulesFor<{ label_names: string[]; signal_per_series: boolean }>({
    schema: { properties: { label_names: texts } },
    check: ({ label_names = [], signal_per_series }, report) => {
      if (signal_per_series && label_names.length > 0) {
        report("", "has both label_names and signal_per_series, only one is allowed");
      }
    },
  }),
};
