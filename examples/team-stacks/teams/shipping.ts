import * as obs from "pulumi-observability";
import { defineTeam } from "pulumi-observability/teams";

const carriers = ["parcel", "freight", "courier"];

export default defineTeam({
  declare() {
    const logs = new obs.Dataset("logs", {
      description: "Everything that the shipping services log",
      configuration: { type: "LOGS", logDataset: { matchCriteria: { query: 'service = "shipping-*"' } } },
    });
    for (const carrier of carriers) {
      new obs.Monitor(`${carrier}-backlog`, {
        labels: { team: "shipping", carrier },
        labelQuery: `sum(shipping_backlog{carrier="${carrier}"})`,
        seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 500, sustainSecs: 900 }] } } },
      });
    }
    return { logs: logs.slug };
  },
});
