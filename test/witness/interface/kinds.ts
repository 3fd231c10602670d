import { cloudxMetricsIntegration } from "./cloudxMetricsIntegration.js";
import { dataset } from "./dataset.js";
import { derivedMetric } from "./derivedMetric.js";
import { logAllocationConfig } from "./logAllocationConfig.js";
import { monitor } from "./monitor.js";
import { notifier } from "./notifier.js";
import type { Paths } from "./paths.js";
import { slo } from "./slo.js";
import { traceMetricsRule } from "./traceMetricsRule.js";

/** The eight kinds of the interface document, each with every path of its objects on the wire; typed by hand. */
export const interfaceKinds: Readonly<Record<string, Paths>> = {
  Notifier: notifier,
  Monitor: monitor,
  TraceMetricsRule: traceMetricsRule,
  Dataset: dataset,
  LogAllocationConfig: logAllocationConfig,
  DerivedMetric: derivedMetric,
  CloudxMetricsIntegration: cloudxMetricsIntegration,
  SLO: slo,
};
