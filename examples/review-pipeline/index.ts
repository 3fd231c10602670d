import * as pulumi from "@pulumi/pulumi";
import * as obs from "pulumi-observability";

const config = new pulumi.Config();

// The people to notify. The key comes from config, is encrypted in the state, and is never shown.
const onCall = new obs.Notifier("payments-on-call", {
  oncallA: {
    apiKey: config.requireSecret("onCallKey"),
    priority: "P2",
    responders: [{ name: "payments", responderType: "TEAM" }],
  },
});

// What the team promises: the numbers that pull requests argue about.
const services = [
  { name: "payments-api", errorRatio: 0.01, slowSecs: 0.4, availability: 99.9 },
  { name: "payments-ledger", errorRatio: 0.001, slowSecs: 1.5, availability: 99.95 },
];

for (const { name, errorRatio, slowSecs, availability } of services) {
  const labels = { team: "payments", service: name, notifier: onCall.slug };
  const annotations = { runBook: `https://runbooks.example.com/${name}` };
  const requests = `http_requests_total{service="${name}"}`;
  const errors = `http_requests_total{service="${name}",status=~"5.."}`;

  new obs.Monitor(`${name}-errors`, {
    labels,
    annotations,
    intervalSecs: 30,
    labelQuery: `sum(rate(${errors}[5m])) / sum(rate(${requests}[5m]))`,
    seriesConditions: {
      defaults: {
        critical: { conditions: [{ op: "GT", value: errorRatio, sustainSecs: 120 }] },
        warn: { conditions: [{ op: "GT", value: errorRatio / 2, sustainSecs: 600 }] },
      },
    },
  });

  new obs.Monitor(`${name}-latency`, {
    labels,
    annotations,
    labelQuery: `histogram_quantile(0.99, sum(rate(http_request_secs_bucket{service="${name}"}[5m])) by (le, route))`,
    seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: slowSecs, sustainSecs: 300 }] } } },
    signalGrouping: { labelNames: ["route"] },
    // Nobody is called at night because a page is slow.
    schedule: {
      timezone: "Europe/Berlin",
      weeklySchedule: Object.fromEntries(
        ["monday", "tuesday", "wednesday", "thursday", "friday"].map((day) => [
          day,
          { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "08:00", endHhMm: "20:00" }] },
        ]),
      ),
    },
  });

  new obs.SLO(`${name}-availability`, {
    labels,
    annotations,
    definition: { objective: availability, timeWindow: "28d", enableBurnRateAlerting: true },
    sli: {
      customIndicator: {
        totalQueryTemplate: `sum(rate(${requests}[5m]))`,
        badQueryTemplate: `sum(rate(${errors}[5m]))`,
      },
    },
  });
}

// What the team reads when it has been called.
new obs.Dataset("payments-logs", {
  description: "Everything that the payments services log",
  configuration: { type: "LOGS", logDataset: { matchCriteria: { query: 'service = "payments-*"' } } },
});
