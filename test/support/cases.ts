import * as obs from "pulumi-observability";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Kind } from "../../dist/provider/schema/kind.js";

type Args = Readonly<Record<string, unknown>>;

/** What the tests know of a kind beyond its schema. */
export interface KindCase {
  readonly kind: Kind;
  /** A complete valid configuration. */
  readonly args: Args;
  /** For each top-level field, arguments that change it and stay valid; `undefined` takes an argument away. */
  readonly changes: Readonly<Record<string, Args>>;
  /** Arguments that the service refuses, and the place it names, in the arguments' spelling. */
  readonly refused: { readonly change: Args; readonly path: string };
}

const critical = (value: number) => ({ conditions: [{ op: "GT", value, sustainSecs: 60 }] });

const facts: Readonly<Record<string, Pick<KindCase, "changes" | "refused">>> = {
  Notifier: {
    changes: {
      name: { name: "Another name" },
      discard: { oncallB: undefined, discard: true },
      skipResolved: { skipResolved: false },
      email: { oncallB: undefined, email: { to: "team@example.com", html: "<b>{{ . }}</b>", text: "plain" } },
      oncallA: {
        oncallB: undefined,
        oncallA: {
          apiKey: "key-a",
          details: { "a.b": "c" },
          responders: [{ name: "checkout", responderType: "TEAM" }],
        },
      },
      oncallB: { oncallB: { serviceKey: "key-b", images: [{ alt: "a", href: "https://h", src: "https://s" }] } },
      oncallC: { oncallB: undefined, oncallC: { apiKey: "key-c", routingKey: "route-c", customFields: { x: "y" } } },
      chat: {
        oncallB: undefined,
        chat: {
          apiUrl: "https://chat.example.com/hook",
          fields: [{ title: "t", value: "v", short: true }],
          mrkdwnIn: ["text"],
          actions: [{ type: "button", text: "Undo", confirmField: { title: "Sure?", okText: "Yes" } }],
        },
      },
      webhook: {
        oncallB: undefined,
        webhook: {
          url: "https://hook.example.com",
          httpConfig: { basicAuth: { username: "u", password: "p" }, proxyUrl: "http://proxy.example.com" },
        },
      },
    },
    refused: { change: { oncallB: { severity: "high" } }, path: "oncallB" },
  },
  Monitor: {
    changes: {
      name: { name: "Another name" },
      annotations: { annotations: { "run.book": "x", camelCase: "kept" } },
      labels: { labels: { team: "payments", snake_case: "kept" } },
      bucketSlug: { bucketSlug: "a-bucket" },
      collection: { collection: { slug: "a-collection" } },
      collectionSlug: { collectionSlug: "a-collection" },
      notificationPolicySlug: { notificationPolicySlug: "another" },
      intervalSecs: { intervalSecs: 120 },
      dottedQuery: { labelQuery: undefined, dottedQuery: "a.b.c" },
      labelQuery: { labelQuery: "sum(up)" },
      loggingQuery: { labelQuery: undefined, loggingQuery: 'service = "checkout"' },
      schedule: { schedule: { timezone: "UTC", weeklySchedule: { friday: { active: "NEVER" } } } },
      seriesConditions: { seriesConditions: { defaults: { critical: critical(9) } } },
      signalGrouping: { signalGrouping: { signalPerSeries: true } },
    },
    refused: { change: { schedule: { timezone: "Mars/Olympus" } }, path: "schedule.timezone" },
  },
  TraceMetricsRule: {
    changes: {
      name: { name: "Another name" },
      metricName: { metricName: "another_latency" },
      metricLabels: { metricLabels: { team: "payments" } },
      histogramBucketsSecs: { histogramBucketsSecs: [0, 0.2, 1] },
      groupBy: { groupBy: [{ key: { type: "SERVICE" }, label: "service" }] },
      traceFilter: { traceFilter: { span: [{ error: { value: true }, duration: { minSecs: 1 } }] } },
      scopeFilter: { scopeFilter: { spanScopes: [{ service: { match: "EXACT", value: "cart" } }] } },
    },
    refused: { change: { histogramBucketsSecs: [2, 1] }, path: "histogramBucketsSecs" },
  },
  Dataset: {
    changes: {
      name: { name: "Another name" },
      description: { description: "Another description" },
      configuration: {
        configuration: { type: "TRACES", traceDataset: { matchCriteria: { trace: { error: { value: true } } } } },
      },
    },
    refused: { change: { configuration: { type: "TRACES" } }, path: "configuration" },
  },
  LogAllocationConfig: {
    changes: {
      datasetAllocations: {
        datasetAllocations: [{ datasetSlug: "checkout-logs", allocation: { percentOfLicense: 12.5 } }],
      },
      defaultDataset: {
        defaultDataset: {
          allocation: { percentOfLicense: 10 },
          priorities: { highPriorityFilters: [{ query: "a" }] },
        },
      },
    },
    refused: { change: { defaultDataset: { allocation: { percentOfLicense: 101 } } }, path: "defaultDataset" },
  },
  DerivedMetric: {
    changes: {
      name: { name: "Another name" },
      description: { description: "Another description" },
      metricName: { metricName: "another:ratio" },
      queries: { queries: [{ query: { labelExpr: "up" } }] },
    },
    refused: { change: { queries: [] }, path: "queries" },
  },
  CloudxMetricsIntegration: {
    changes: {
      name: { name: "Another name" },
      countMetricsEnabled: { countMetricsEnabled: false },
      usageMetricsEnabled: { usageMetricsEnabled: false },
      propagateTags: { propagateTags: false },
      principal: { principal: { clientId: "another", tenantId: "a-tenant" } },
      scrapeConfig: {
        scrapeConfig: { locations: ["northeurope"], resourceTypes: [{ name: "vm", metricNames: ["cpu"] }] },
      },
    },
    refused: { change: { principal: { clientId: "only" } }, path: "principal" },
  },
  SLO: {
    changes: {
      name: { name: "Another name" },
      annotations: { annotations: { "run.book": "x" } },
      labels: { labels: { team: "payments" } },
      description: { description: "Another promise" },
      collectionRef: { collectionRef: { slug: "a-collection" } },
      notificationPolicySlug: { notificationPolicySlug: "another" },
      signalGrouping: { signalGrouping: { labelNames: ["region"] } },
      definition: { definition: { objective: 95 } },
      sli: {
        sli: {
          customTimesliceIndicator: {
            queryTemplate: "up",
            condition: { op: "GT", value: 0 },
            timesliceSize: "TIMESLICE_SIZE_ONE_MINUTE",
          },
        },
      },
    },
    refused: { change: { definition: { objective: 100 } }, path: "definition.objective" },
  },
};

/** Every kind of the registry; one without facts here fails the suite. */
export const cases: readonly KindCase[] = kinds.map((kind) => {
  const known = facts[kind.name];
  if (known === undefined) throw new Error(`test/support/cases.ts knows nothing of ${kind.name}`);
  return { kind, args: kind.example.args, ...known };
});

export function caseOf(kindName: string): KindCase {
  const found = cases.find(({ kind }) => kind.name === kindName);
  if (found === undefined) throw new Error(`there is no kind ${kindName}`);
  return found;
}

/** Declares a resource of a kind that is chosen at run time. */
export function newResource(kindName: string, name: string, args: Args, options: obs.ResourceOptions = {}): void {
  // Each class takes arguments of its own; here they come from the same table as the kind.
  const classes = obs as unknown as Record<
    string,
    new (name: string, args: Args, options: obs.ResourceOptions) => object
  >;
  const Resource = classes[kindName];
  if (Resource === undefined) throw new Error(`the package exports no ${kindName}`);
  new Resource(name, args, options);
}

/** Where an object of a kind stands at the service. */
export const pathOf = ({ family }: Kind, slug: string) => family.get.path.replace("{slug}", slug);

/** The arguments with a change laid over them. */
export function changed(args: Args, change: Args): Args {
  const merged = { ...args, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}
