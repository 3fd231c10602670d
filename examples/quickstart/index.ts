import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";

const config = new pulumi.Config();
const runBook = config.get("runBook") ?? "https://runbooks.example.com/checkout";

// Who is told. The key comes from config, stays encrypted in state, and is shown nowhere.
const pager = new obs.Notifier("checkout-pager", {
  skipResolved: true,
  oncallB: { routingKey: config.requireSecret("routingKey"), severity: "critical", details: { runBook } },
});

// What wakes them.
const errors = new obs.Monitor("checkout-errors", {
  name: "Checkout error rate",
  labels: { team: "checkout", notifier: pager.slug },
  annotations: { runBook },
  intervalSecs: 30,
  labelQuery: 'sum(rate(http_errors_total{service="checkout"}[5m])) by (region)',
  seriesConditions: {
    defaults: {
      critical: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120 }] },
      warn: { conditions: [{ op: "GT", value: 0.01, sustainSecs: 300 }] },
    },
  },
  signalGrouping: { labelNames: ["region"] },
});

// What they look at, and how much of the log budget it may take.
const logs = new obs.Dataset("checkout-logs", {
  description: "Everything that the checkout service logs",
  configuration: { type: "LOGS", logDataset: { matchCriteria: { query: 'service = "checkout"' } } },
});

new obs.LogAllocationConfig("log-budget", {
  datasetAllocations: [
    {
      datasetSlug: logs.slug,
      allocation: { percentOfLicense: 40 },
      priorities: { lowPriorityFilters: [{ query: 'severity = "DEBUG"' }] },
    },
  ],
  defaultDataset: { allocation: { percentOfLicense: 60 } },
});

export const monitor = errors.slug;
export const dataset = logs.slug;
