import { cloudxMetricsIntegration } from "./cloudxMetricsIntegration.js";
import { dataset } from "./dataset.js";
import { derivedMetric } from "./derivedMetric.js";
import { logAllocationConfig } from "./logAllocationConfig.js";
import { monitor } from "./monitor.js";
import { notifier } from "./notifier.js";
import type { KindRules } from "./rules.js";
import { slo } from "./slo.js";
import { traceMetricsRule } from "./traceMetricsRule.js";

/** The rules of each kind by its name; a kind without rules needs no entry. */
export const rules: Readonly<Record<string, KindRules>> = {
  CloudxMetricsIntegration: cloudxMetricsIntegration,
  Dataset: dataset,
  DerivedMetric: derivedMetric,
  LogAllocationConfig: logAllocationConfig,
  Monitor: monitor,
  Notifier: notifier,
  SLO: slo,
  TraceMetricsRule: traceMetricsRule,
};
