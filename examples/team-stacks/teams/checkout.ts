import * as obs from "pulumi-observability";
import { defineTeam, secretFrom } from "pulumi-observability/teams";

export default defineTeam({
  declare() {
    const pager = new obs.Notifier("pager", {
      oncallB: { routingKey: secretFrom("CHECKOUT_ROUTING_KEY"), severity: "critical" },
    });
    const errors = new obs.Monitor("errors", {
      labels: { team: "checkout", notifier: pager.slug },
      labelQuery: 'sum(rate(http_errors_total{service="checkout"}[5m])) by (region)',
      seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120 }] } } },
      signalGrouping: { labelNames: ["region"] },
    });
    new obs.SLO("availability", {
      labels: { team: "checkout", notifier: pager.slug },
      definition: { objective: 99.9, timeWindow: "28d", enableBurnRateAlerting: true },
      sli: {
        customIndicator: {
          totalQueryTemplate: 'sum(rate(http_requests_total{service="checkout"}[5m]))',
          badQueryTemplate: 'sum(rate(http_errors_total{service="checkout"}[5m]))',
        },
      },
    });
    return { errors: errors.slug };
  },
});
