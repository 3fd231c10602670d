import { quote } from "../../json.js";
import { type Read, type ReportProblem, rule, type Rules } from "../rules.js";
import { expressionProblem } from "./expressions.js";

export type Matcher = Record<"name" | "type" | "value", string>;

interface SignalGrouping {
  label_names: string[];
  signal_per_series: boolean;
}

export const labels: Rules = {
  LabelMatcher: rule<Matcher>(({ type, value = "" }, report, options) => {
    if (type === "REGEX") report("value", expressionProblem(value, options));
  }),
  SignalGrouping: rule<SignalGrouping>(({ label_names = [], signal_per_series }, report) => {
    if (signal_per_series && label_names.length > 0)
      report("", "has both label_names and signal_per_series, only one is allowed");
  }),
};

/** Reports the matchers of a list that repeat each other, or that no series can match together. */
export function matcherProblems(list: Read<Matcher[]> = [], path: string, report: ReportProblem): void {
  const seen = new Map<string, number>();
  const exact = new Map<string, string>();
  list.forEach(({ name = "", type = "", value = "" }, i) => {
    const key = JSON.stringify([name, type, value]);
    const same = seen.get(key);
    const other = type === "EXACT" ? exact.get(name) : undefined;
    if (same !== undefined) report(`${path}[${i}]`, `repeats ${path}[${same}]`);
    else if (other !== undefined && other !== value) {
      report(`${path}[${i}]`, `${quote(name)} can't be both ${quote(other)} and ${quote(value)}`);
    }
    seen.set(key, same ?? i);
    if (type === "EXACT") exact.set(name, other ?? value);
  });
}
