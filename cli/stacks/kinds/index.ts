import { cloudxMetricsIntegration } from "./cloudxMetricsIntegration";
import { logAllocationConfig } from "./logAllocationConfig";
import { monitor } from "./monitor";
import { notifier } from "./notifier";
import { type KindRules, removing } from "./rules";
import { slo } from "./slo";

/** The rules of each kind: in the file of the same name, if a sentence is not enough. */
const rules: Readonly<Record<string, KindRules>> = {
  CloudxMetricsIntegration: cloudxMetricsIntegration,
  Dataset: removing("what reads it finds nothing"),
  DerivedMetric: removing("what queries the metric finds nothing"),
  LogAllocationConfig: logAllocationConfig,
  Monitor: monitor,
  Notifier: notifier,
  SLO: slo,
  TraceMetricsRule: removing("what queries its metric finds nothing"),
};

const none = removing("it is gone");

/** The rules of a kind; of a kind without any only its fields' meanings tell. */
export const rulesOf = (kindName: string): KindRules =>
  (Object.hasOwn(rules, kindName) ? rules[kindName] : none) ?? none;
