import { cloudxMetricsIntegration } from "./cloudxMetricsIntegration";
import { logAllocationConfig } from "./logAllocationConfig";
import { monitor } from "./monitor";
import { notifier } from "./notifier";
import { type KindRules, removing } from "./rules";
import { slo } from "./slo";

/** The rules of each kind: in the file of the same name, if there is more than a sentence. */
const rules: Readonly<Record<string, KindRules>> = {
  CloudxMetricsIntegration: cloudxMetricsIntegration,
  Dataset: removing("queries of the dataset find nothing"),
  DerivedMetric: removing("queries of the metric may find nothing"),
  LogAllocationConfig: logAllocationConfig,
  Monitor: monitor,
  Notifier: notifier,
  SLO: slo,
  TraceMetricsRule: removing("queries of its metric may find nothing"),
};

const none = removing("it no longer exists");

/** The rules of a kind; a kind without rules is reviewed by its fields' effects. */
export const rulesOf = (kindName: string): KindRules =>
  (Object.hasOwn(rules, kindName) ? rules[kindName] : none) ?? none;
