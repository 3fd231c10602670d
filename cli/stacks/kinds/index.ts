import { dataset } from "./dataset";
import { derivedMetric } from "./derivedMetric";
import { logAllocationConfig } from "./logAllocationConfig";
import { monitor } from "./monitor";
import { notifier } from "./notifier";
import type { KindRules } from "./rules";
import { slo } from "./slo";
import { traceMetricsRule } from "./traceMetricsRule";

/** The rules of each kind, by the file of the same name. */
const rules: Readonly<Record<string, KindRules>> = {
  Dataset: dataset,
  DerivedMetric: derivedMetric,
  LogAllocationConfig: logAllocationConfig,
  Monitor: monitor,
  Notifier: notifier,
  SLO: slo,
  TraceMetricsRule: traceMetricsRule,
};

const none: KindRules = { removed: "it is gone", areas: [], changed: () => [] };

/** The rules of a kind; a kind without any is only known to be removed or replaced. */
export const rulesOf = (kindName: string): KindRules =>
  (Object.hasOwn(rules, kindName) ? rules[kindName] : none) ?? none;
