import fc, { type Arbitrary } from "fast-check";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { isZero, type Json, objectsIn } from "./meaning.js";

/** Datasets that every service under test holds: what a log allocation may name. */
export const knownDatasets = ["known-logs-1", "known-logs-2", "known-logs-3", "known-logs-4"];

/** A rule of the service about the objects of one shape. */
interface Rule {
  readonly says: string;
  readonly holds: (value: Json) => boolean;
  /** The object with the least change that makes the rule hold. */
  readonly mend: (value: Json) => Json;
  /** The object with the rule broken, and where the service puts the blame, seen from the object. */
  readonly broken: (value: Json) => readonly { readonly value: Json; readonly at: Path }[];
  /** Fields that the rule wants there, and what their values are drawn from, if types do not tell. */
  readonly always?: readonly string[];
  readonly drawn?: Readonly<Record<string, Arbitrary<unknown>>>;
  /** Fields of which exactly one is there, or in addition none. */
  readonly alternatives?: readonly string[];
  readonly orNone?: boolean;
}

const without = (value: Json, ...fields: readonly string[]) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name)));

/** The field is there, and not zero. */
function needs(field: string, fallback: unknown, { blame = [field] as Path } = {}): Rule {
  return {
    says: `needs ${field}`,
    holds: (value) => !isZero(value[field]),
    mend: (value) => ({ ...value, [field]: fallback }),
    broken: (value) => [
      { value: without(value, field), at: blame },
      ...(typeof fallback === "string" ? [{ value: { ...value, [field]: "" }, at: blame }] : []),
    ],
    always: [field],
  };
}

/** If the field is set, it holds one of these. */
const among = (field: string, good: readonly string[], bad: readonly string[]): Rule => ({
  says: `${field} is one of its kind`,
  holds: (value) => isZero(value[field]) || good.includes(value[field]),
  mend: (value) => without(value, field),
  broken: (value) => bad.map((each) => ({ value: { ...value, [field]: each }, at: [field] })),
  drawn: { [field]: fc.constantFrom(...good) },
});

/** The number is inside its range. */
const inside = (
  field: string,
  numbers: Arbitrary<number>,
  isGood: (number: number) => boolean,
  bad: readonly number[],
): Rule => ({
  says: `${field} is in its range`,
  holds: (value) => isGood(value[field] ?? 0),
  mend: (value) => ({ ...value, [field]: 50 }),
  broken: (value) => bad.map((each) => ({ value: { ...value, [field]: each }, at: [field] })),
  drawn: { [field]: numbers },
});

/** Exactly one of the fields is set. Texts are set if they are not zero, objects if they are there. */
function exactlyOne(
  fallbacks: Readonly<Record<string, unknown>>,
  {
    orNone = () => false,
    makeNone = (value) => value,
  }: { readonly orNone?: (value: Json) => boolean; readonly makeNone?: (value: Json) => Json } = {},
): Rule {
  const names = Object.keys(fallbacks);
  const set = (value: Json) => names.filter((name) => !isZero(value[name]));
  const [first = "", second = ""] = names;
  return {
    says: `exactly one of ${names.join(", ")}`,
    holds: (value) => set(value).length === 1 || (set(value).length === 0 && orNone(value)),
    mend: (value) => {
      const [kept] = set(value);
      if (kept === undefined) return { ...value, [first]: fallbacks[first] };
      return without(value, ...set(value).filter((name) => name !== kept));
    },
    broken: (value) => {
      const more = set(value).length === 0 ? [first, second] : names.filter((name) => isZero(value[name])).slice(0, 1);
      return [
        { value: makeNone(without(value, ...names)), at: [] },
        { value: { ...value, ...Object.fromEntries(more.map((name) => [name, fallbacks[name]])) }, at: [] },
      ];
    },
    alternatives: names,
  };
}

const rule = (says: string, facts: Omit<Rule, "says">): Rule => ({ says, ...facts });

const times = ["00:00", "08:30", "19:05", "23:59"];
export const durations = ["1m", "90m", "24h", "1d", "1440m", "28d", "4w", "672h"];
const wrongDurations = ["28", "0d", "1y", "1.5h", "-1d", "four weeks"];
const range = { startHhMm: "08:00", endHhMm: "18:00" };
const aCondition = { conditions: [{ op: "GT", value: 1 }] };
const conditionsOf = ({ seriesConditions: { defaults = {}, overrides = [] } = {} }: Json): unknown[] =>
  [defaults.critical, defaults.warn, ...overrides.map((each: Json) => each.severityConditions)].flatMap(
    (severity) => severity?.conditions ?? [],
  );
const sharesOf = ({ datasetAllocations = [], defaultDataset = {} }: Json): number[] =>
  [...datasetAllocations, defaultDataset].map((each: Json) => each.allocation?.percentOfLicense ?? 0);
const sumOf = (value: Json) => sharesOf(value).reduce((sum, each) => sum + each, 0);

/** All rules, by the shape that they are about. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  Notifier: [
    {
      ...exactlyOne(
        {
          email: { to: "team@example.com" },
          oncallA: { apiKey: "secret-a" },
          oncallB: { routingKey: "secret-b" },
          oncallC: { apiKey: "secret-c", routingKey: "secret-route" },
          chat: { apiUrl: "https://chat.example.com" },
          webhook: { url: "https://hook.example.com" },
        },
        { orNone: ({ discard }) => discard === true, makeNone: (value) => without(value, "discard") },
      ),
      orNone: true,
    },
  ],
  Email: [needs("to", "team@example.com")],
  OncallA: [needs("apiKey", "secret-a")],
  OncallB: [
    rule("routingKey or serviceKey", {
      holds: ({ routingKey, serviceKey }) => !isZero(routingKey) || !isZero(serviceKey),
      mend: (value) => ({ ...value, serviceKey: "secret-b" }),
      broken: (value) => [{ value: without(value, "routingKey", "serviceKey"), at: [] }],
    }),
  ],
  OncallC: [needs("apiKey", "secret-c"), needs("routingKey", "secret-route")],
  Chat: [needs("apiUrl", "https://chat.example.com")],
  Webhook: [needs("url", "https://hook.example.com")],
  HttpConfig: [
    rule("not both bearerToken and basicAuth", {
      holds: ({ bearerToken, basicAuth }) => isZero(bearerToken) || basicAuth === undefined,
      mend: (value) => without(value, String(value.basicAuth.username).length % 2 === 0 ? "basicAuth" : "bearerToken"),
      broken: (value) => [{ value: { ...value, bearerToken: "secret-bearer", basicAuth: {} }, at: [] }],
    }),
  ],
  Monitor: [
    exactlyOne({ dottedQuery: "a.b", labelQuery: "up", loggingQuery: "x = 1" }),
    rule("at least one condition", {
      holds: (value) => conditionsOf(value).length > 0,
      mend: (value) => ({
        ...value,
        seriesConditions: {
          ...value.seriesConditions,
          defaults: { ...value.seriesConditions?.defaults, warn: aCondition },
        },
      }),
      broken: (value) => [
        { value: without(value, "seriesConditions"), at: ["seriesConditions"] },
        { value: { ...value, seriesConditions: { defaults: { critical: {} } } }, at: ["seriesConditions"] },
      ],
      always: ["seriesConditions"],
    }),
    rule("intervalSecs is not negative", {
      holds: ({ intervalSecs = 0 }) => intervalSecs >= 0,
      mend: (value) => ({ ...value, intervalSecs: 0 }),
      broken: (value) => [{ value: { ...value, intervalSecs: -1 }, at: ["intervalSecs"] }],
      drawn: { intervalSecs: fc.oneof(fc.integer({ min: 1, max: 3600 }), fc.constant(60), fc.constant(2 ** 53 - 1)) },
    }),
    rule("collection and collectionSlug agree", {
      holds: ({ collection, collectionSlug }) =>
        isZero(collection?.slug) || isZero(collectionSlug) || collection.slug === collectionSlug,
      mend: (value) => ({ ...value, collectionSlug: value.collection.slug }),
      broken: (value) => [
        { value: { ...value, collection: { slug: "a" }, collectionSlug: "b" }, at: ["collectionSlug"] },
      ],
    }),
  ],
  Condition: [needs("op", "GT")],
  Schedule: [
    among("timezone", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"], ["Mars/Olympus", "+01:00", "Berlin"]),
    rule("a timezone if there is a weeklySchedule", {
      holds: ({ timezone, weeklySchedule }) => !isZero(timezone) || weeklySchedule === undefined,
      mend: (value) => ({ ...value, timezone: "UTC" }),
      broken: (value) => [{ value: { ...without(value, "timezone"), weeklySchedule: {} }, at: ["timezone"] }],
    }),
  ],
  DaySchedule: [
    rule("ranges if and only if the day is limited to ranges", {
      holds: ({ active, ranges = [] }) =>
        active === "ONLY_DURING_RANGES"
          ? ranges.length > 0
          : !["ALL_DAY", "NEVER"].includes(active) && !isZero(active)
            ? true
            : ranges.length === 0,
      mend: (value) =>
        value.active === "ONLY_DURING_RANGES" ? { ...value, ranges: [range] } : without(value, "ranges"),
      broken: (value) => [
        { value: { ...value, active: "ONLY_DURING_RANGES", ranges: [] }, at: ["ranges"] },
        { value: { ...value, active: "NEVER", ranges: [range] }, at: ["ranges"] },
        { value: { ranges: [range] }, at: ["ranges"] },
      ],
      drawn: { active: fc.constantFrom("ALL_DAY", "ONLY_DURING_RANGES", "ONLY_DURING_RANGES", "NEVER", "HOLIDAYS") },
    }),
  ],
  TimeRange: [
    needs("startHhMm", "08:00"),
    needs("endHhMm", "18:00"),
    among("startHhMm", times, ["24:00", "8:00", "12:60", "noon"]),
    among("endHhMm", [...times, "24:00"], ["24:01", "8:00", "-1:00"]),
  ],
  SignalGrouping: [
    rule("not both labelNames and signalPerSeries", {
      holds: ({ labelNames = [], signalPerSeries }) => labelNames.length === 0 || signalPerSeries !== true,
      mend: (value) => without(value, value.labelNames.length % 2 === 0 ? "labelNames" : "signalPerSeries"),
      broken: (value) => [{ value: { ...value, labelNames: ["a"], signalPerSeries: true }, at: [] }],
    }),
  ],
  TraceMetricsRule: [
    needs("metricName", "a_metric"),
    needs("traceFilter", {}),
    rule("ascending buckets", {
      holds: ({ histogramBucketsSecs: buckets = [] }) =>
        buckets.every((each: number, i: number) => i === 0 || each > buckets[i - 1]),
      mend: (value) => ({
        ...value,
        histogramBucketsSecs: [...new Set<number>(value.histogramBucketsSecs)].sort((a, b) => a - b),
      }),
      broken: (value) => [
        { value: { ...value, histogramBucketsSecs: [0.5, 2, 1] }, at: ["histogramBucketsSecs", 2] },
        { value: { ...value, histogramBucketsSecs: [1, 1] }, at: ["histogramBucketsSecs", 1] },
      ],
    }),
  ],
  Tag: [
    rule("value or numericValue", {
      holds: ({ value, numericValue }) => value !== undefined || numericValue !== undefined,
      mend: (tag) => ({ ...tag, value: {} }),
      broken: (tag) => [{ value: without(tag, "value", "numericValue"), at: [] }],
    }),
  ],
  Dataset: [needs("configuration", { type: "LOGS", logDataset: {} })],
  DatasetConfiguration: [
    needs("type", "LOGS"),
    rule("the selection that its type names", {
      holds: ({ type, logDataset, traceDataset }) =>
        type === "LOGS"
          ? logDataset !== undefined && traceDataset === undefined
          : type === "TRACES"
            ? traceDataset !== undefined && logDataset === undefined
            : (logDataset === undefined) !== (traceDataset === undefined),
      mend: (value) =>
        value.type === "LOGS"
          ? { ...without(value, "traceDataset"), logDataset: value.logDataset ?? {} }
          : { ...without(value, "logDataset"), traceDataset: value.traceDataset ?? {} },
      broken: (value) => [
        { value: { ...without(value, "logDataset", "traceDataset"), type: "LOGS" }, at: ["logDataset"] },
        { value: { type: "LOGS", logDataset: {}, traceDataset: {} }, at: ["traceDataset"] },
        { value: { type: "METRICS" }, at: [] },
      ],
      drawn: { type: fc.constantFrom("LOGS", "TRACES", "LOGS", "TRACES", "METRICS") },
    }),
  ],
  LogAllocationConfig: [
    rule("each dataset once", {
      holds: ({ datasetAllocations = [] }) =>
        new Set(datasetAllocations.map((each: Json) => each.datasetSlug)).size === datasetAllocations.length,
      mend: (value) => ({
        ...value,
        datasetAllocations: value.datasetAllocations.filter(
          (each: Json, i: number, all: Json[]) =>
            all.findIndex((other) => other.datasetSlug === each.datasetSlug) === i,
        ),
      }),
      broken: (value) => [
        {
          value: {
            ...value,
            datasetAllocations: [{ datasetSlug: knownDatasets[0] }, { datasetSlug: knownDatasets[0] }],
          },
          at: ["datasetAllocations", 1, "datasetSlug"],
        },
      ],
    }),
    rule("the shares sum up to at most 100", {
      holds: (value) => sumOf(value) <= 100 + 1e-6,
      mend: (value) => {
        const share = (each: Json) =>
          each?.allocation?.percentOfLicense === undefined
            ? each
            : { ...each, allocation: { percentOfLicense: (each.allocation.percentOfLicense * 100) / sumOf(value) } };
        return {
          ...value,
          ...(value.datasetAllocations && { datasetAllocations: value.datasetAllocations.map(share) }),
          ...(value.defaultDataset && { defaultDataset: share(value.defaultDataset) }),
        };
      },
      broken: () => [
        {
          value: {
            datasetAllocations: [{ datasetSlug: knownDatasets[1], allocation: { percentOfLicense: 60 } }],
            defaultDataset: { allocation: { percentOfLicense: 40.1 } },
          },
          at: [],
        },
      ],
    }),
  ],
  DatasetAllocation: [
    needs("datasetSlug", "known-logs-1"),
    among("datasetSlug", knownDatasets, ["no-such-dataset", "no such dataset"]),
  ],
  Allocation: [
    inside(
      "percentOfLicense",
      fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.integer({ min: 0, max: 100 })),
      (percent) => percent >= 0 && percent <= 100,
      [-1, 100.5],
    ),
  ],
  DerivedMetric: [
    needs("metricName", "a:metric"),
    rule("at least one query", {
      holds: ({ queries = [] }) => queries.length > 0,
      mend: (value) => ({ ...value, queries: [{}] }),
      broken: (value) => [
        { value: without(value, "queries"), at: ["queries"] },
        { value: { ...value, queries: [] }, at: ["queries"] },
      ],
      always: ["queries"],
    }),
  ],
  CloudxMetricsIntegration: [
    needs("principal", { clientId: "a", tenantId: "b" }, { blame: ["principal", "clientId"] }),
  ],
  Principal: [needs("clientId", "a"), needs("tenantId", "b")],
  SLO: [needs("definition", { objective: 99 }), needs("sli", { customTimesliceIndicator: { queryTemplate: "up" } })],
  SloDefinition: [
    {
      ...inside(
        "objective",
        fc.oneof(fc.double({ min: 1e-9, max: 99.999999, noNaN: true }), fc.constantFrom(50, 99.9, 99.99)),
        (objective) => objective > 0 && objective < 100,
        [0, 100, -1, 100.5],
      ),
      always: ["objective"],
    },
    among("timeWindow", durations, wrongDurations),
  ],
  BurnRateAlert: [needs("window", "1h"), among("window", durations, wrongDurations)],
  Sli: [
    exactlyOne({
      customIndicator: { totalQueryTemplate: "all", badQueryTemplate: "bad" },
      customTimesliceIndicator: { queryTemplate: "up" },
    }),
  ],
  CustomIndicator: [
    needs("totalQueryTemplate", "all"),
    exactlyOne({ goodQueryTemplate: "good", badQueryTemplate: "bad" }),
  ],
  CustomTimesliceIndicator: [needs("queryTemplate", "up")],
};

/** What the service asks of the objects of one shape, beyond their types. */
export const rulesOf = (shape: string) => rules[shape] ?? [];

/** The rules of name and slug, which every kind but a singleton has. */
export const identityMistakes: readonly { readonly field: string; readonly value: string }[] = [
  { field: "name", value: "n".repeat(1_001) },
  { field: "slug", value: "has space" },
  { field: "slug", value: "dotted.slug" },
  { field: "slug", value: "slashed/slug" },
  { field: "slug", value: "ümlaut" },
  { field: "slug", value: "s".repeat(256) },
  { field: "slug", value: ".." },
];

/** Whether the service accepts a configuration of right types. */
export const isValid = (kind: Kind, config: Json) =>
  objectsIn(kind.root, config).every(({ shape, value }) => rulesOf(shape).every(({ holds }) => holds(value)));
