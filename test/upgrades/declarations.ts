import { cases } from "../support/cases.js";

type Args = Readonly<Record<string, unknown>>;

/** What a program declares, as data, so that it can be kept beside the state it made. */
export interface Declarations {
  /** Arguments of an explicit provider, which is then handed down by a component that all resources are part of. */
  readonly provider?: Args;
  readonly resources: readonly Declared[];
}

export interface Declared {
  readonly kind: string;
  /** The resource's Pulumi name. */
  readonly name: string;
  readonly args: Args;
  /** The arguments that change when everything is changed once. */
  readonly change?: Args;
  /** Arguments that the program itself calls secret. */
  readonly secrets?: readonly string[];
  /** The slug of an object of somebody else's, which is only read. */
  readonly read?: string;
}

/** The declarations with one change in every resource that is managed. */
export const changedOnce = ({ resources, ...rest }: Declarations): Declarations => ({
  ...rest,
  resources: resources.map(({ change = {}, ...declared }) => ({ ...declared, args: { ...declared.args, ...change } })),
});

/** An object that stands at the service before the program runs. */
export interface Standing {
  readonly kind: string;
  /** As it stands on the wire. */
  readonly object: Readonly<Record<string, unknown>>;
}

/** A program whose state is kept for each version. */
export interface Program {
  readonly declarations: Declarations;
  /** What others have made and the program reads. */
  readonly standing?: readonly Standing[];
}

// Datasets first, to which the log allocation refers.
const order = (kindName: string) => (kindName === "LogAllocationConfig" ? 1 : 0);

const complete: Declarations = {
  resources: cases
    .map(({ kind, args, changes }) => ({
      kind: kind.name,
      name: `a-${kind.name}`,
      args,
      // An argument that has to go makes room for another; all kinds have one that needs no such thing.
      change: Object.values(changes).find((change) => !Object.values(change).includes(undefined)) ?? {},
    }))
    .sort((one, other) => order(one.kind) - order(other.kind)),
};

const conditions = { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } };

// Names, slugs and much of what was left out are filled in: by the provider, or by the service.
const least: Declarations = {
  resources: [
    { kind: "Notifier", name: "silence", args: { discard: true }, change: { name: "Silence" } },
    {
      kind: "Monitor",
      name: "errors",
      args: { labelQuery: "sum(errors)", intervalSecs: 0, labels: {}, seriesConditions: conditions },
      change: { intervalSecs: 30 },
    },
    {
      kind: "TraceMetricsRule",
      name: "latency",
      args: { metricName: "latency", traceFilter: { span: [{ error: { value: false } }] }, groupBy: [] },
      change: { metricName: "another_latency" },
    },
    {
      kind: "Dataset",
      name: "logs",
      args: { configuration: { type: "LOGS", logDataset: { matchCriteria: { query: 'service = "checkout"' } } } },
      change: { description: "The checkout's logs" },
    },
    {
      kind: "DerivedMetric",
      name: "ratio",
      args: { metricName: "checkout:ratio", queries: [{ query: { labelExpr: "up" } }] },
      change: { description: "The checkout's ratio" },
    },
    {
      kind: "CloudxMetricsIntegration",
      name: "cloud",
      args: { principal: { clientId: "a-client", tenantId: "a-tenant" } },
      change: { propagateTags: true },
    },
    {
      kind: "SLO",
      name: "promise",
      args: {
        definition: { objective: 99.9, enableBurnRateAlerting: true },
        sli: { customIndicator: { goodQueryTemplate: "good", totalQueryTemplate: "total" } },
      },
      change: { description: "What we promise" },
    },
    {
      kind: "LogAllocationConfig",
      name: "budget",
      args: { datasetAllocations: [{ datasetSlug: "logs", allocation: { percentOfLicense: 0 } }] },
      change: { defaultDataset: { allocation: { percentOfLicense: 10 } } },
    },
  ],
};

const basicAuth = { username: "alerts", password: "a-password" };

// Secrets at every depth, also where the program calls a whole argument secret, and an object that is only read.
const provided: Declarations = {
  provider: { apiToken: "token-of-the-tests", slugPrefix: "own-" },
  resources: [
    { kind: "Monitor", name: "theirs", args: {}, read: "of-another-team" },
    {
      kind: "Notifier",
      name: "page",
      args: { oncallA: { apiKey: "a-key", details: { "a.b": "c" }, httpConfig: { basicAuth } } },
      change: { skipResolved: true },
    },
    {
      kind: "Notifier",
      name: "incident",
      args: { oncallC: { apiKey: "a-key", routingKey: "a-route", customFields: { camelCase: "kept" } } },
      change: { oncallC: { apiKey: "another-key", routingKey: "a-route", customFields: { camelCase: "kept" } } },
    },
    {
      kind: "Notifier",
      name: "chat",
      args: { chat: { apiUrl: "https://chat.example.com/a-secret", mrkdwnIn: ["text"], linkNames: false } },
      change: { name: "Chat" },
    },
    {
      kind: "Notifier",
      name: "hook",
      args: { webhook: { url: "https://hook.example.com/a-secret", httpConfig: { bearerToken: "a-bearer-token" } } },
      secrets: ["webhook"],
      change: { name: "Hook" },
    },
    {
      kind: "Monitor",
      name: "errors",
      args: { labelQuery: "a-secret-query", seriesConditions: conditions, annotations: { "run.book": "x" } },
      secrets: ["labelQuery"],
      change: { intervalSecs: 90 },
    },
  ],
};

/** The programs whose states are kept, by the file's name. */
export const programs = {
  complete: { declarations: complete },
  least: { declarations: least },
  provided: {
    declarations: provided,
    standing: [
      {
        kind: "Monitor",
        object: {
          name: "Of another team",
          slug: "of-another-team",
          label_query: "up",
          series_conditions: { defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } } },
        },
      },
    ],
  },
} satisfies Readonly<Record<string, Program>>;
