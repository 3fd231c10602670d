import { cloudxMetricsIntegration } from "./cloudxMetricsIntegration";
import { dataset } from "./dataset";
import { derivedMetric } from "./derivedMetric";
import { logAllocationConfig } from "./logAllocationConfig";
import { monitor } from "./monitor";
import { notifier } from "./notifier";
import { type KindRules, removing } from "./rules";
import { slo } from "./slo";
import { traceMetricsRule } from "./traceMetricsRule";

/** The rules of each kind, by the file of the same name. */
const rules: Readonly<Record<string, KindRules>> = {
  CloudxMetricsIntegration: cloudxMetricsIntegration,
  Dataset: dataset,
  DerivedMetric: derivedMetric,
  LogAllocationConfig: logAllocationConfig,
  Monitor: monitor,
  Notifier: notifier,
  SLO: slo,
  TraceMetricsRule: traceMetricsRule,
};

const none = removing("it is gone");

/** The rules of a kind; of a kind without any only its fields' meanings tell. */
export const rulesOf = (kindName: string): KindRules =>
  (Object.hasOwn(rules, kindName) ? rules[kindName] : none) ?? none;
