import type { Resources } from "../../../sdk/standards/resources.gen";
import type { LocatedFinding, RiskClass } from "../risk";
import { changeText } from "../values";
import { classed, removing, rulesFor } from "./rules";

type Rule = Resources["TraceMetricsRule"];

/** What of the metrics themselves changes, and what that may do to the queries of them. */
const ofMetrics = [
  ["metricLabels", "collection", "the metrics have other labels"],
  ["groupBy", "query", "the metrics have other labels"],
  ["histogramBucketsSecs", "query", "quantiles may change"],
] as const satisfies readonly (readonly [keyof Rule, RiskClass, string])[];

export const traceMetricsRule = rulesFor("TraceMetricsRule", {
  ...removing("queries of its metric may find nothing"),
  changed: (before, after) =>
    ofMetrics.flatMap(([field, riskClass, end]): readonly LocatedFinding[] => {
      const [old, now] = [before[field], after[field]];
      if (JSON.stringify(old) === JSON.stringify(now)) return [];
      return [classed(riskClass, "unclear", `${field} ${changeText(old, now)}: ${end}`, [[field]])];
    }),
});
