import fc from "fast-check";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field, Shape } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { shapesOf } from "../../dist/provider/schema/walk.js";
import { isZero, type Json, minutesOf, objectsIn } from "./equivalence.js";
import {
  addresses,
  among,
  compiles,
  exactlyOne,
  inside,
  labeled,
  labelFilters,
  needs,
  noneBlank,
  notBlank,
  once,
  promql,
  range,
  type Rule,
  secretUrl,
  shaped,
  url,
  without,
} from "./ruleBuilders.js";

/** Datasets that every service under test holds: what a log allocation may name. */
export const knownDatasets = ["known-logs-1", "known-logs-2", "known-logs-3", "known-logs-4"];

const sharesOf = ({ datasetAllocations = [], defaultDataset = {} }: Json): number[] =>
  [...datasetAllocations, defaultDataset].map((each: Json) => each.allocation?.percentOfLicense ?? 0);
const sumOf = (value: Json) => sharesOf(value).reduce((sum, each) => sum + each, 0);

const metricName = shaped("metricName", /^[A-Za-z_:][\w:./-]*$/, fc.stringMatching(/^[a-z_:][a-z0-9_:.]{0,8}$/));

const times = ["00:00", "08:30", "19:05", "23:59"];
export const durations = ["1m", "90m", "24h", "1d", "1440m", "28d", "4w", "672h"];
const aRange = { startHhMm: "08:00", endHhMm: "18:00" };
const seconds = (field: string) => inside(field, fc.integer({ min: 1, max: 3_600 }), (number) => number >= 0);
const timeslices = { queryTemplate: "up", condition: { op: "GT" }, timesliceSize: "TIMESLICE_SIZE_ONE_MINUTE" };
const aCondition = { conditions: [{ op: "GT", value: 1 }] };
const conditionsOf = ({ seriesConditions: { defaults = {}, overrides = [] } = {} }: Json): unknown[] =>
  [defaults.critical, defaults.warn, ...overrides.map((each: Json) => each.severityConditions)].flatMap(
    (severity) => severity?.conditions ?? [],
  );
/** The rules of notifiers, monitors and SLOs, by the shape that they are about. */
const alertingRules: Readonly<Record<string, readonly Rule[]>> = {
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
        ({ discard }) => discard === true,
      ),
      orNone: true,
    },
  ],
  Email: [addresses("to"), needs("to", "team@example.com")],
  OncallA: [url("apiUrl")],
  Responder: [
    {
      // An identity.
      holds: ({ id = "", name = "", username = "" }) => `${id}${name}${username}`.trim() !== "",
      mend: (value) => ({ ...value, username: "somebody" }),
    },
  ],
  OncallB: [exactlyOne({ routingKey: "secret-b", serviceKey: "secret-b" }), url("clientUrl"), url("url")],
  OncallBImage: [url("href"), url("src")],
  OncallBLink: [url("href")],
  OncallC: [url("apiUrl")],
  Chat: [
    ...["iconUrl", "imageUrl", "thumbUrl", "titleLink"].map(url),
    secretUrl("apiUrl"),
    needs("apiUrl", "https://chat.example.com"),
  ],
  ChatAction: [url("url")],
  Webhook: [secretUrl("url"), needs("url", "https://hook.example.com")],
  HttpConfig: [
    secretUrl("proxyUrl"),
    {
      // Not both bearerToken and basicAuth.
      holds: ({ bearerToken, basicAuth }) => isZero(bearerToken) || basicAuth === undefined,
      mend: (value) => without(value, String(value.basicAuth.username).length % 2 === 0 ? "basicAuth" : "bearerToken"),
    },
  ],
  Monitor: [
    labeled("labels"),
    labeled("annotations"),
    promql("labelQuery"),
    notBlank("dottedQuery"),
    notBlank("loggingQuery"),
    exactlyOne({ dottedQuery: "a.b", labelQuery: "up", loggingQuery: "x = 1" }),
    {
      // At least one condition.
      holds: (value) => conditionsOf(value).length > 0,
      mend: (value) => ({
        ...value,
        seriesConditions: {
          ...value.seriesConditions,
          defaults: { ...value.seriesConditions?.defaults, warn: aCondition },
        },
      }),
      always: ["seriesConditions"],
    },
    {
      // intervalSecs is not negative.
      holds: ({ intervalSecs = 0 }) => intervalSecs >= 0,
      mend: (value) => ({ ...value, intervalSecs: 0 }),
      drawn: { intervalSecs: fc.oneof(fc.integer({ min: 1, max: 3600 }), fc.constant(60), fc.constant(2 ** 53 - 1)) },
    },
    {
      // collection and collectionSlug agree.
      holds: ({ collection, collectionSlug }) =>
        isZero(collection?.slug) || isZero(collectionSlug) || collection.slug === collectionSlug,
      mend: (value) => ({ ...value, collectionSlug: value.collection.slug }),
    },
  ],
  ConditionsOverride: [
    once("labelMatchers", ({ name }) => name),
    {
      // Comes to a condition.
      holds: ({ severityConditions }) => (severityConditions?.conditions ?? []).length > 0,
      mend: (value) => ({ ...value, severityConditions: aCondition }),
    },
  ],
  LabelMatcher: [compiles("value", ({ type }) => type === "REGEX")],
  Condition: [seconds("sustainSecs"), seconds("resolveSustainSecs")],
  Schedule: [
    among("timezone", ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"]),
    {
      // A timezone if there is a weeklySchedule.
      holds: ({ timezone, weeklySchedule }) => !isZero(timezone) || weeklySchedule === undefined,
      mend: (value) => ({ ...value, timezone: "UTC" }),
    },
  ],
  DaySchedule: [
    {
      // Ranges if and only if the day is limited to ranges.
      holds: ({ active, ranges = [] }) =>
        active === "ONLY_DURING_RANGES"
          ? ranges.length > 0
          : !["ALL_DAY", "NEVER"].includes(active) && !isZero(active)
            ? true
            : ranges.length === 0,
      mend: (value) =>
        value.active === "ONLY_DURING_RANGES" ? { ...value, ranges: [aRange] } : without(value, "ranges"),
      drawn: { active: fc.constantFrom("ALL_DAY", "ONLY_DURING_RANGES", "ONLY_DURING_RANGES", "NEVER", "HOLIDAYS") },
    },
    {
      // Ranges do not overlap.
      holds: ({ ranges = [] }) => {
        const sorted = [...ranges].sort((a: Json, b: Json) => (a.startHhMm < b.startHhMm ? -1 : 1));
        const isParted = (before: Json, after: Json) =>
          before.startHhMm < before.endHhMm && before.endHhMm <= after.startHhMm;
        return sorted.every((each: Json, i) => i === 0 || isParted(sorted[i - 1], each));
      },
      mend: (value) => ({ ...value, ranges: value.ranges.slice(0, 1) }),
    },
  ],
  TimeRange: [
    needs("startHhMm", "08:00"),
    needs("endHhMm", "18:00"),
    among("startHhMm", times),
    among("endHhMm", [...times, "24:00"]),
  ],
  SignalGrouping: [
    noneBlank("labelNames"),
    {
      // Not both labelNames and signalPerSeries.
      holds: ({ labelNames = [], signalPerSeries }) => labelNames.length === 0 || signalPerSeries !== true,
      mend: (value) => without(value, value.labelNames.length % 2 === 0 ? "labelNames" : "signalPerSeries"),
    },
  ],
  SLO: [
    needs("definition", { objective: 99 }),
    needs("sli", { customTimesliceIndicator: timeslices }),
    labeled("labels"),
    labeled("annotations"),
  ],
  SloDefinition: [
    {
      ...inside(
        "objective",
        fc.oneof(fc.double({ min: 1e-9, max: 99.999999, noNaN: true }), fc.constantFrom(50, 99.9, 99.99)),
        (objective) => objective > 0 && objective < 100,
      ),
      always: ["objective"],
    },
    among("timeWindow", durations),
    {
      // No alert looks back longer than the SLO.
      holds: ({ timeWindow, burnRateAlertingConfig: alerts = [] }) =>
        alerts.every(({ window }: Json) => Number(minutesOf(window)) <= Number(minutesOf(timeWindow || "28d"))),
      // All durations drawn are of at most 28 days.
      mend: (value) => without(value, "timeWindow"),
    },
  ],
  BurnRateAlert: [
    labeled("labels"),
    among("window", durations),
    needs("window", "1h"),
    {
      ...inside("budget", fc.double({ min: 1e-9, max: 100, noNaN: true }), (budget) => budget > 0 && budget <= 100),
      always: ["budget"],
    },
  ],
  Sli: [
    noneBlank("customDimensionLabels"),
    labelFilters("additionalLabelFilters"),
    exactlyOne({
      customIndicator: { totalQueryTemplate: "all", badQueryTemplate: "bad" },
      customTimesliceIndicator: timeslices,
    }),
  ],
  CustomIndicator: [
    promql("totalQueryTemplate"),
    promql("goodQueryTemplate"),
    promql("badQueryTemplate"),
    notBlank("goodQueryTemplate"),
    notBlank("badQueryTemplate"),
    exactlyOne({ goodQueryTemplate: "good", badQueryTemplate: "bad" }),
  ],
  CustomTimesliceIndicator: [promql("queryTemplate")],
};

/** All rules, by the shape that they are about. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  ...alertingRules,
  TraceMetricsRule: [
    metricName,
    labeled("metricLabels"),
    once("groupBy", ({ label }) => label || undefined),
    {
      // Ascending buckets.
      holds: ({ histogramBucketsSecs: buckets = [] }) =>
        buckets.every((each: number, i: number) => each >= 0 && (i === 0 || each > buckets[i - 1])),
      mend: (value) => ({
        ...value,
        histogramBucketsSecs: [...new Set<number>(value.histogramBucketsSecs.map(Math.abs))].sort((a, b) => a - b),
      }),
    },
  ],
  GroupBy: [
    {
      // label is not __name__.
      holds: ({ label }) => label !== "__name__",
      mend: (value) => without(value, "label"),
    },
    notBlank("label"),
  ],
  GroupByKey: [
    {
      // A tag has a key.
      holds: ({ type, namedKey = "" }) => type !== "TAG" || namedKey.trim() !== "",
      mend: (value) => ({ ...value, namedKey: "http.route" }),
    },
  ],
  DurationRange: range("minSecs", "maxSecs"),
  SpanCount: range("min", "max"),
  StringMatch: [
    compiles("value", ({ match }) => ["REGEX", "REGEX_NEGATION"].includes(match)),
    {
      // IN has values.
      holds: ({ match, inValues = [] }) => !["IN", "NOT_IN"].includes(match) || inValues.length > 0,
      mend: (value) => ({ ...value, inValues: ["a"] }),
    },
  ],
  Tag: [
    {
      // value or numericValue.
      holds: ({ value, numericValue }) => value !== undefined || numericValue !== undefined,
      mend: (tag) => ({ ...tag, value: {} }),
    },
  ],
  Dataset: [needs("configuration", { type: "LOGS", logDataset: {} })],
  DatasetConfiguration: [
    {
      // The selection that its type names.
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
      drawn: { type: fc.constantFrom("LOGS", "TRACES", "LOGS", "TRACES", "METRICS") },
    },
  ],
  LogMatchCriteria: [notBlank("query")],
  LogAllocationConfig: [
    once("datasetAllocations", ({ datasetSlug }) => datasetSlug),
    {
      // The shares sum up to at most 100.
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
    },
  ],
  DatasetAllocation: [needs("datasetSlug", "known-logs-1"), among("datasetSlug", knownDatasets)],
  Allocation: [
    inside(
      "percentOfLicense",
      fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.integer({ min: 0, max: 100 })),
      (percent) => percent >= 0 && percent <= 100,
    ),
  ],
  DerivedMetric: [
    metricName,
    {
      // At least one query.
      holds: ({ queries = [] }) => queries.length > 0,
      mend: (value) => ({ ...value, queries: [{ query: { labelExpr: "up" } }] }),
      always: ["queries"],
    },
  ],
  DerivedQuery: [needs("query", { labelExpr: "up" })],
  ParameterisedQuery: [
    once("variables", ({ name }) => name),
    promql("labelExpr", fc.constant("up{$scope} > 2")),
    needs("labelExpr", "up"),
  ],
  QueryVariable: [
    { ...needs("name", "scope"), drawn: { name: fc.constantFrom("scope", "other") } },
    labelFilters("defaultLabelSelector"),
  ],
  QuerySelector: [once("labels", ({ name }) => name)],
  ScrapeConfig: [noneBlank("locations"), noneBlank("subscriptionIds")],
  ResourceType: [noneBlank("metricNames")],
};

/** What the service asks of the objects of one shape, beyond their types: the rules above, and what the schema requires. */
export const rulesOf = (shape: string): readonly Rule[] => {
  const own = rules[shape] ?? [];
  const isAsked = (field: string) => own.some(({ always = [] }) => always.includes(field));
  const asked = requiredIn(shapes.get(shape)).filter(([field]) => !isAsked(field));
  return [
    ...own,
    ...asked.map(([name, field]) => needs(name, leastOf(field))),
    ...(named.has(shape) ? [notBlank("name")] : []),
  ];
};

const shapes = new Map(kinds.flatMap(({ args }) => [args, ...shapesOf(args)]).map((shape) => [shape.name, shape]));
const requiredIn = (shape?: Shape) =>
  Object.entries(shape?.fields ?? {}).filter(([, { options }]) => options.required === "always");

/** A value that says as little as the schema allows. */
const leastOf = (field: Field): unknown =>
  field.visit<unknown>({
    // Of a secret that is shorter, a message would be garbled.
    scalar: ({ type, options: { secret, suggestions = [secret === undefined ? "a" : "secret-a"] } }) =>
      ({ string: suggestions[0], boolean: true, number: 1, integer: 1 })[type],
    list: ({ item }) => [leastOf(item)],
    map: () => ({ a: "b" }),
    object: ({ shape }) => Object.fromEntries(requiredIn(shape).map(([name, inner]) => [name, leastOf(inner)])),
  });

const named = new Set(kinds.filter(({ isSingleton }) => !isSingleton).map(({ name }) => name));

/** Whether the service accepts a configuration of right types. */
export const isValid = (kind: Kind, config: Json) =>
  objectsIn(kind.root, config).every(({ shape, value }) => rulesOf(shape).every(({ holds }) => holds(value)));
