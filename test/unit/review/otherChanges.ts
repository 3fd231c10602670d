import { type Change, critical, definition, gt, ofKind, query } from "./changes.js";

type Inputs = Readonly<Record<string, unknown>>;

const burning = (...burnRateAlertingConfig: readonly Inputs[]) => definition({ burnRateAlertingConfig });
const signals = (signalGrouping: Inputs) => ({ ...query, signalGrouping });
const scraping = (scrapeConfig: Inputs) => ({ scrapeConfig });
const both = (...overrides: readonly Inputs[]) => ({
  ...query,
  seriesConditions: {
    defaults: { critical: { conditions: [gt(2)] }, warn: { conditions: [gt(1)] } },
    overrides,
  },
});
const eu = {
  labelMatchers: [{ name: "region", type: "EXACT", value: "eu" }],
  severityConditions: { conditions: [gt(3)] },
};
const dataset = (datasetSlug: string, priorities: Inputs = {}) => ({
  datasetSlug,
  allocation: { percentOfLicense: 10 },
  ...priorities,
});
const allocation = (...datasetAllocations: readonly Inputs[]) => ({ datasetAllocations });
const dropping = (query: string) => ({ priorities: { lowPriorityFilters: [{ query }] } });
const long = (end: string) => `sum(rate(http_requests_total{service="checkout",region="europe"}[5m])) by (${end})`;

/** More changes, of routes, severities, grouping, delivery, collection and precedence, told as those of `changes.ts` are. */
export const otherChanges: readonly Change[] = [
  ...ofKind(
    "Monitor",
    [
      critical(gt(1, { sustainSecs: 60 })),
      { ...query, seriesConditions: { defaults: { warn: { conditions: [gt(1, { sustainSecs: 60 })] } } } },
      "laxer laxer x: GT 1 for 60 s fires as warn, no longer as critical",
      "stricter stricter x: GT 1 for 60 s fires as critical, no longer as warn",
    ],
    [
      both(),
      both(eu),
      'override-widened laxer x: override for region="eu" is new, with GT 3 in place of GT 2: fires later for them, and no longer as warn with GT 1',
      'stricter stricter x: override for region="eu" is removed: fires earlier for them, with GT 2, and again as warn with GT 1',
    ],
    [
      { ...query, labels: { team: "a", tier: "1" } },
      { ...query, labels: { team: "b" } },
      'routing-changed unclear x: labels.team "a" → "b" and labels.tier "1" → nothing: may be routed elsewhere',
      'routing-changed unclear x: labels.team "b" → "a" and labels.tier nothing → "1": may be routed elsewhere',
    ],
    [
      { loggingQuery: long("pod") },
      { loggingQuery: long("zone") },
      'query-changed unclear x: loggingQuery "…\\"europe\\"}[5m])) by (pod)" → "…\\"europe\\"}[5m])) by (zone)": other data is read',
      'query-changed unclear x: loggingQuery "…\\"europe\\"}[5m])) by (zone)" → "…\\"europe\\"}[5m])) by (pod)": other data is read',
    ],
    [
      signals({ labelNames: ["region", "pod"] }),
      signals({ labelNames: ["region"] }),
      'grouping-changed laxer x: signals by "pod" and "region" → by "region": one signal stands for more series',
      'stricter stricter x: signals by "region" → by "pod" and "region": one signal stands for fewer series',
    ],
  ),
  [
    "SLO",
    signals({ signalPerSeries: true }),
    query,
    "grouping-changed laxer x: signals per series → of all series: one signal stands for more series",
    "stricter stricter x: signals of all series → per series: one signal stands for fewer series",
  ],
  [
    "Monitor",
    signals({ labelNames: ["region"] }),
    signals({ labelNames: ["pod"] }),
    'grouping-changed unclear x: signals by "region" → by "pod": other series make one signal',
    'grouping-changed unclear x: signals by "pod" → by "region": other series make one signal',
  ],
  ...ofKind(
    "SLO",
    [
      burning({ window: "1h", budget: 2, severity: "critical" }),
      burning({ window: "1h", budget: 2, severity: "warn" }),
      'routing-changed laxer x: burn-rate alert 2 % in "1h": severity "critical" → "warn": wakes fewer people',
      'stricter stricter x: burn-rate alert 2 % in "1h": severity "warn" → "critical": wakes more people',
    ],
    [
      burning({ window: "1h", budget: 2, labels: { page: "yes" } }),
      burning({ window: "1h", budget: 2, labels: { page: "no" } }),
      'routing-changed unclear x: definition.burnRateAlertingConfig[0].labels.page "yes" → "no": may be routed elsewhere',
      'routing-changed unclear x: definition.burnRateAlertingConfig[0].labels.page "no" → "yes": may be routed elsewhere',
    ],
  ),
  ...ofKind(
    "Notifier",
    [
      { email: { to: "a@example.com" } },
      { email: { to: "a@example.com" }, skipResolved: true },
      "delivery-changed laxer x: says no longer that an alert has resolved",
      "stricter stricter x: says again that an alert has resolved",
    ],
    [
      { oncallB: { severity: "critical", httpConfig: { tlsConfig: { insecureSkipVerify: true } } } },
      { oncallB: { severity: "info", httpConfig: {} } },
      'delivery-changed unclear x: oncallB.httpConfig {"tlsConfig":{"insecureSkipVerify":true}} → nothing and oncallB.severity "critical" → "info": notifications are delivered otherwise',
      'delivery-changed unclear x: oncallB.httpConfig nothing → {"tlsConfig":{"insecureSkipVerify":true}} and oncallB.severity "info" → "critical": notifications are delivered otherwise',
    ],
    [
      { oncallC: { httpConfig: { basicAuth: { username: "a" } } } },
      { oncallC: { httpConfig: { basicAuth: { username: "b" } } } },
      'credentials-changed unclear x: oncallC.httpConfig.basicAuth.username "a" → "b": requests may be refused',
      'credentials-changed unclear x: oncallC.httpConfig.basicAuth.username "b" → "a": requests may be refused',
    ],
  ),
  ...ofKind(
    "CloudxMetricsIntegration",
    [
      { usageMetricsEnabled: true },
      { usageMetricsEnabled: false },
      "collection-narrowed laxer x: usageMetricsEnabled true → false: collects less",
      "stricter stricter x: usageMetricsEnabled false → true: collects more",
    ],
    [
      scraping({}),
      scraping({ subscriptionIds: ["a"] }),
      'collection-narrowed laxer x: subscriptions all → "a": collects less',
      'stricter stricter x: subscriptions "a" → all: collects more',
    ],
    [
      scraping({ resourceTypes: [{ name: "vm", metricNames: ["cpu", "disk"] }] }),
      scraping({ resourceTypes: [{ name: "vm", metricNames: ["cpu"] }] }),
      'collection-narrowed laxer x: metrics of "vm" "cpu" and "disk" → "cpu": collects less',
      'stricter stricter x: metrics of "vm" "cpu" → "cpu" and "disk": collects more',
    ],
    [
      scraping({ locations: ["a"] }),
      scraping({ locations: ["b"] }),
      'collection-narrowed unclear x: locations "a" → "b": collects other data',
      'collection-narrowed unclear x: locations "b" → "a": collects other data',
    ],
  ),
  ...ofKind(
    "TraceMetricsRule",
    [
      { metricName: "m", metricLabels: { team: "a" } },
      { metricName: "m", metricLabels: {} },
      'collection-narrowed unclear x: metricLabels.team "a" → nothing: other data is collected',
      'collection-narrowed unclear x: metricLabels.team nothing → "a": other data is collected',
    ],
    [
      { metricName: "m" },
      { metricName: "n" },
      'query-changed unclear x: metricName "m" → "n": what queries the old name finds nothing',
      'query-changed unclear x: metricName "n" → "m": what queries the old name finds nothing',
    ],
  ),
  ...ofKind(
    "LogAllocationConfig",
    [
      allocation(dataset("a"), dataset("b")),
      allocation(dataset("b"), dataset("a")),
      'precedence-changed unclear x: datasets in another order, "b" before "a": records may count for another one',
      'precedence-changed unclear x: datasets in another order, "a" before "b": records may count for another one',
    ],
    [
      allocation(dataset("a", dropping("x"))),
      allocation(dataset("a", dropping("y"))),
      'precedence-changed unclear x: datasetAllocations[0].priorities.lowPriorityFilters[0].query "x" → "y": others come first',
      'precedence-changed unclear x: datasetAllocations[0].priorities.lowPriorityFilters[0].query "y" → "x": others come first',
    ],
  ),
];
