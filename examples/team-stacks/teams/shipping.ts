import * as obs from "pulumi-observability";
import type { Team } from "../team";

const carriers = ["parcel", "freight", "courier"];

export const team: Team = {
  slugPrefix: "shipping-",
  declare: () => {
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
};
