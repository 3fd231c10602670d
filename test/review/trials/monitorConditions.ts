import { any, edits, named, orSilent } from "./trial.js";

const errorRatio = `sum by (region) (rate(http_requests_total{service="checkout",code=~"5.."}[5m]))
  / sum by (region) (rate(http_requests_total{service="checkout"}[5m]))`;

/** Two severities, no overrides. */
export const errors = edits("Monitor", {
  labels: { team: "checkout", service: "checkout-api" },
  annotations: { runBook: "https://runbooks.example.com/checkout/errors", summary: "Buyers see errors" },
  notificationPolicySlug: "checkout-primary",
  intervalSecs: 30,
  labelQuery: errorRatio,
  seriesConditions: {
    defaults: {
      critical: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 }] },
      warn: { conditions: [{ op: "GT", value: 0.01, sustainSecs: 600 }] },
    },
  },
  signalGrouping: { labelNames: ["region"] },
});

type Condition = { op: string; value?: number; sustainSecs?: number; resolveSustainSecs?: number };
const critical = (...conditions: Condition[]) => ({ seriesConditions: { defaults: { critical: { conditions } } } });
const warn = (...conditions: Condition[]) => ({ seriesConditions: { defaults: { warn: { conditions } } } });
const only = (...conditions: Condition[]) => ({
  seriesConditions: { defaults: { critical: { conditions }, warn: undefined } },
});

const disk = edits("Monitor", {
  labels: { team: "storage" },
  labelQuery: 'min by (instance) (node_filesystem_avail_bytes{mountpoint="/var"} / node_filesystem_size_bytes) * 100',
  seriesConditions: {
    defaults: {
      critical: { conditions: [{ op: "LT", value: 10, sustainSecs: 300 }] },
      warn: { conditions: [{ op: "LT", value: 20, sustainSecs: 300 }] },
    },
  },
});

const up = edits("Monitor", {
  labelQuery: 'up{job="ledger"}',
  seriesConditions: { defaults: { critical: { conditions: [{ op: "EQ", value: 0, sustainSecs: 60 }] } } },
});

const heartbeat = edits("Monitor", {
  labelQuery: 'sum by (job) (backup_last_success{job="ledger-backup"})',
  seriesConditions: { defaults: { critical: { conditions: [{ op: "NOT_EXISTS", sustainSecs: 900 }] } } },
});

const queue = errors.from(
  critical({ op: "GT", value: 0.05, sustainSecs: 120 }, { op: "GT", value: 0.2, sustainSecs: 0 }),
);

export const monitorConditions = [
  errors(
    "the critical threshold is doubled because the pager is noisy",
    critical({ op: "GT", value: 0.1, sustainSecs: 120, resolveSustainSecs: 60 }),
    named("laxer", "laxer", "critical", "0.05", "0.1"),
  ),
  errors(
    "the critical threshold is lowered after an incident that nobody saw",
    critical({ op: "GT", value: 0.02, sustainSecs: 120, resolveSustainSecs: 60 }),
    named("stricter", "stricter", "critical", "0.05", "0.02"),
  ),
  errors(
    "the warn threshold goes up by a hair",
    warn({ op: "GT", value: 0.0125, sustainSecs: 600 }),
    named("laxer", "laxer", "warn", "0.01", "0.0125"),
  ),
  errors(
    "somebody writes the threshold in percent, so that it can never be reached",
    critical({ op: "GT", value: 5, sustainSecs: 120, resolveSustainSecs: 60 }),
    named("laxer", "laxer", "0.05", "5"),
  ),
  disk(
    "a disk must be fuller before anybody is paged",
    critical({ op: "LT", value: 5, sustainSecs: 300 }),
    named("laxer", "laxer", "critical", "10", "5"),
  ),
  disk(
    "a disk is warned of earlier",
    warn({ op: "LT", value: 25, sustainSecs: 300 }),
    named("stricter", "stricter", "warn", "20", "25"),
  ),
  disk(
    "the comparison of free space is turned round",
    critical({ op: "GT", value: 10, sustainSecs: 300 }),
    named("laxer", ["unclear", "laxer"], "critical"),
  ),
  disk.from(critical({ op: "LEQ", value: 10, sustainSecs: 300 }))(
    "at most becomes less than",
    critical({ op: "LT", value: 10, sustainSecs: 300 }),
    named("laxer", "laxer", "critical", "10"),
  ),
  up(
    "down becomes anything but down",
    critical({ op: "NEQ", value: 0, sustainSecs: 60 }),
    named("laxer", ["unclear", "laxer"], "critical"),
  ),
  up(
    "a target that reports 0 pages only if it reports 2",
    critical({ op: "EQ", value: 2, sustainSecs: 60 }),
    named("laxer", ["unclear", "laxer"], "2"),
  ),
  up(
    "the monitor fires whenever there is a sample at all",
    critical({ op: "EXISTS", sustainSecs: 60 }),
    named("stricter", "stricter", "critical"),
  ),
  heartbeat(
    "a missing backup is no alert any more, a reported one is",
    critical({ op: "EXISTS", sustainSecs: 900 }),
    named("laxer", ["unclear", "laxer"], "critical"),
  ),
  heartbeat(
    "a missing backup is told after six hours instead of 15 minutes",
    critical({ op: "NOT_EXISTS", sustainSecs: 21_600 }),
    named("laxer", "laxer", "critical"),
  ),
  errors(
    "a page waits ten minutes instead of two",
    critical({ op: "GT", value: 0.05, sustainSecs: 600, resolveSustainSecs: 60 }),
    named("laxer", "laxer", "critical", "120", "600"),
  ),
  errors(
    "the warning waits half as long",
    warn({ op: "GT", value: 0.01, sustainSecs: 300 }),
    named("stricter", "stricter", "warn", "600", "300"),
  ),
  errors(
    "the sustain is removed, so that a single sample pages",
    critical({ op: "GT", value: 0.05, resolveSustainSecs: 60 }),
    named("stricter", "stricter", "critical", "120"),
  ),
  errors(
    "a page resolves only after ten quiet minutes",
    critical({ op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 600 }),
    named(["laxer", "stricter", "delivery-changed"], any, "60", "600"),
  ),
  errors(
    "a page resolves at once",
    critical({ op: "GT", value: 0.05, sustainSecs: 120 }),
    named(["laxer", "stricter", "delivery-changed"], any, "60"),
  ),
  errors(
    "the threshold goes up and the sustain down",
    critical({ op: "GT", value: 0.08, sustainSecs: 30, resolveSustainSecs: 60 }),
    named("laxer", "unclear", "0.05", "0.08", "30"),
  ),
  errors(
    "what paged is only a warning from now on",
    {
      seriesConditions: {
        defaults: {
          critical: undefined,
          warn: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 }] },
        },
      },
    },
    named("laxer", "laxer", "critical", "warn"),
    orSilent(named("stricter", "stricter", "warn")),
  ),
  errors.from({ seriesConditions: { defaults: { warn: undefined } } })(
    "the only condition moves from critical to warn",
    {
      seriesConditions: {
        defaults: {
          critical: undefined,
          warn: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 }] },
        },
      },
    },
    named("laxer", "laxer", "critical", "warn"),
    orSilent(named("stricter", "stricter", "warn")),
  ),
  errors.from({ seriesConditions: { defaults: { critical: undefined } } })(
    "what only warned pages from now on",
    {
      seriesConditions: {
        defaults: { warn: undefined, critical: { conditions: [{ op: "GT", value: 0.01, sustainSecs: 600 }] } },
      },
    },
    named("stricter", "stricter", "critical"),
    orSilent(named("laxer", any, "warn")),
  ),
  errors(
    "the critical conditions are removed",
    { seriesConditions: { defaults: { critical: undefined } } },
    named("laxer", "laxer", "critical"),
  ),
  errors(
    "the warning is removed",
    { seriesConditions: { defaults: { warn: undefined } } },
    named("laxer", "laxer", "warn"),
  ),
  errors.from({ seriesConditions: { defaults: { warn: undefined } } })(
    "a warning is added below the page",
    warn({ op: "GT", value: 0.01, sustainSecs: 600 }),
    named("stricter", "stricter", "warn", "0.01"),
  ),
  errors(
    "a second critical condition fires at once on a high error rate",
    critical(
      { op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 },
      { op: "GT", value: 0.3, sustainSecs: 0 },
    ),
    named("stricter", "stricter", "critical", "0.3"),
  ),
  queue(
    "the fast one of two critical conditions is removed",
    critical({ op: "GT", value: 0.05, sustainSecs: 120 }),
    named("laxer", "laxer", "critical", "0.2"),
  ),
  queue(
    "the slow one of two critical conditions is removed",
    critical({ op: "GT", value: 0.2, sustainSecs: 0 }),
    named("laxer", "laxer", "critical", "0.05"),
  ),
  errors(
    "the threshold is forgotten, and so is 0",
    critical({ op: "GT", sustainSecs: 120, resolveSustainSecs: 60 }),
    named("stricter", "stricter", "critical", "0.05"),
  ),
  errors("the monitor is evaluated every five minutes", { intervalSecs: 300 }, named("laxer", "laxer", "30", "300")),
  errors("the monitor is evaluated twice as often", { intervalSecs: 15 }, named("stricter", "stricter", "30", "15")),
  errors(
    "the interval is removed, and the service evaluates every minute",
    { intervalSecs: undefined },
    named("laxer", "laxer", "30", "60"),
  ),
  errors("the interval is 0, the service's own", { intervalSecs: 0 }, named("laxer", ["laxer", "unclear"], "30")),
  errors(
    "the severities change places",
    {
      seriesConditions: {
        defaults: {
          critical: { conditions: [{ op: "GT", value: 0.01, sustainSecs: 600 }] },
          warn: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 }] },
        },
      },
    },
    named("laxer", ["unclear", "laxer"], "warn", "0.05"),
    named(["laxer", "stricter"], ["unclear", "stricter", "laxer"], "critical", "0.01"),
  ),
  errors.from(only({ op: "GT", value: 0.05, sustainSecs: 120 }))(
    "a negative threshold fires for every series",
    only({ op: "GT", value: -1, sustainSecs: 120 }),
    named("stricter", "stricter", "0.05", "-1"),
  ),
];
