import { quote } from "../json.js";
import { either, Problems, rulesFor } from "./rules.js";
import { type TraceFilter, traceFilterProblems } from "./shapes/spans.js";

interface Dataset {
  readonly configuration?: {
    readonly type?: string;
    readonly log_dataset?: object;
    readonly trace_dataset?: { readonly match_criteria?: TraceFilter };
  };
}

const configurationOf: Readonly<Record<string, "log_dataset" | "trace_dataset">> = {
  LOGS: "log_dataset",
  TRACES: "trace_dataset",
};
const configurations = Object.values(configurationOf);

export const dataset = rulesFor<Dataset>({
  check: ({ configuration }) => {
    const problems = new Problems();
    problems.require("configuration", configuration);
    if (configuration === undefined) return problems.found;
    const { type = "", trace_dataset } = configuration;
    problems.require("configuration.type", type);
    const set = configurations.filter((name) => configuration[name] !== undefined);
    const named = Object.hasOwn(configurationOf, type) ? configurationOf[type] : undefined;
    if (named !== undefined) {
      if (!set.includes(named)) problems.add(`configuration.${named}`, `is required if type is ${quote(type)}`);
      for (const other of set.filter((name) => name !== named)) {
        problems.add(`configuration.${other}`, `is not allowed if type is ${quote(type)}`);
      }
    } else if (set.length !== 1) {
      // Enumerations are open: an unknown type may need either configuration.
      problems.add("configuration", `needs exactly one of ${either(configurations)}`);
    }
    problems.addAll(traceFilterProblems(trace_dataset?.match_criteria, "configuration.trace_dataset.match_criteria"));
    return problems.found;
  },
});
