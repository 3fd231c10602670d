import { quote } from "../json.js";
import { either, rule, type Rules } from "./rules.js";

const configurationOf: Readonly<Record<string, "log_dataset" | "trace_dataset">> = {
  LOGS: "log_dataset",
  TRACES: "trace_dataset",
};
const configurations = Object.values(configurationOf);

export const dataset: Rules = {
  DatasetConfiguration: rule<{ type: string; log_dataset: object; trace_dataset: object }>((configuration, report) => {
    const { type = "" } = configuration;
    const set = configurations.filter((name) => configuration[name] !== undefined);
    const named = Object.hasOwn(configurationOf, type) ? configurationOf[type] : undefined;
    if (named !== undefined) {
      if (!set.includes(named)) report(named, `is required if type is ${quote(type)}`);
      for (const other of set.filter((name) => name !== named)) {
        report(other, `is not allowed if type is ${quote(type)}`);
      }
    } else if (set.length !== 1) {
      // Enumerations are open: an unknown type may need either configuration.
      report("", `needs exactly one of ${either(configurations)}`);
    }
  }),
};
