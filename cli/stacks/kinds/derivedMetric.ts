import { derivedMetric as kind } from "../../../provider/kinds/derivedMetric";
import { selecting } from "./selections";

export const derivedMetric = selecting(kind, "what queries the metric finds nothing", {
  metricName: { words: "metric name", end: "what queries the old name finds nothing" },
  queries: { words: "queries", end: "computes something else" },
});
