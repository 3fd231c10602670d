import { texts } from "../constraints.js";
import { rulesFor, type Shapes } from "../rules.js";

interface SignalGrouping {
  readonly label_names?: readonly string[];
  readonly signal_per_series?: boolean;
}

export const signalGrouping: Shapes = {
  SignalGrouping: rulesFor<SignalGrouping>({
    schema: { properties: { label_names: texts } },
    check: ({ label_names = [], signal_per_series }, report) => {
      if (signal_per_series && label_names.length > 0) {
        report("", "has both label_names and signal_per_series, only one is allowed");
      }
    },
  }),
};
