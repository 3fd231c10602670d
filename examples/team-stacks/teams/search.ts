import * as obs from "pulumi-observability";
import { defineTeam } from "pulumi-observability/teams";

export default defineTeam({
  declare() {
    // The metric that the monitor asks for is made from traces.
    new obs.TraceMetricsRule("slow-queries", {
      metricName: "search_query_secs",
      histogramBucketsSecs: [0.05, 0.1, 0.25, 0.5, 1, 2.5],
      groupBy: [{ key: { type: "OPERATION" }, label: "operation" }],
      traceFilter: { span: [{ service: { match: "EXACT", value: "search" } }] },
    });
    const latency = new obs.Monitor("latency", {
      labels: { team: "search" },
      labelQuery: "histogram_quantile(0.95, sum(rate(search_query_secs_bucket[5m])) by (le, operation))",
      seriesConditions: { defaults: { warn: { conditions: [{ op: "GT", value: 0.5, sustainSecs: 600 }] } } },
      signalGrouping: { labelNames: ["operation"] },
    });
    return { latency: latency.slug };
  },
});
