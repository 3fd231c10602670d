import { dataset } from "./dataset.js";
import { derivedMetric } from "./derivedMetric.js";
import { datasetMentions, logAllocationConfig } from "./logAllocationConfig.js";
import { monitor } from "./monitor.js";
import { notifier } from "./notifier.js";
import type { Mentions, Rules } from "./rules.js";
import { labels } from "./shapes/labels.js";
import { schedule } from "./shapes/schedule.js";
import { spans } from "./shapes/spans.js";
import { slo } from "./slo.js";
import { traceMetricsRule } from "./traceMetricsRule.js";

/** The rule of each shape by its name in the document, if it has one. */
export const rules: Rules = {
  ...dataset,
  ...derivedMetric,
  ...logAllocationConfig,
  ...monitor,
  ...notifier,
  ...slo,
  ...traceMetricsRule,
  ...labels,
  ...schedule,
  ...spans,
};

/** The references of a kind's objects, by its name. */
export const mentions: Readonly<Record<string, Mentions>> = { LogAllocationConfig: datasetMentions };
