import { combined } from "./combined.js";
import { datasets, derivedMetrics, integrations } from "./data.js";
import { lives } from "./lives.js";
import { logAllocation } from "./logAllocation.js";
import { monitorConditions } from "./monitorConditions.js";
import { monitorOverrides } from "./monitorOverrides.js";
import { monitorQueries } from "./monitorQueries.js";
import { monitorRouting } from "./monitorRouting.js";
import { monitorSchedules } from "./monitorSchedules.js";
import { notifier } from "./notifier.js";
import { notifierDelivery } from "./notifierDelivery.js";
import { same } from "./same.js";
import { secrets } from "./secrets.js";
import { slo } from "./slo.js";
import { traceMetricsRule } from "./traceMetricsRule.js";
import type { Trial } from "./trial.js";
import { unknowns } from "./unknown.js";

/** Changes that people propose, with what a review has to say of each. */
export const trials: readonly Trial[] = [
  ...monitorConditions,
  ...monitorOverrides,
  ...monitorSchedules,
  ...monitorQueries,
  ...monitorRouting,
  ...slo,
  ...notifier,
  ...notifierDelivery,
  ...traceMetricsRule,
  ...datasets,
  ...derivedMetrics,
  ...integrations,
  ...logAllocation,
  ...lives,
  ...combined,
  ...unknowns,
  ...secrets,
  ...same,
];
