import fc from "fast-check";
import { isZero, type Json, minutesOf } from "./equivalence.js";
import {
  addresses,
  among,
  compiles,
  entitled,
  exactlyOne,
  inside,
  labelFilters,
  labeled,
  matchers,
  needs,
  noneBlank,
  notBlank,
  promql,
  type Rule,
  rule,
  secretUrl,
  url,
  without,
} from "./ruleBuilders.js";

const times = ["00:00", "08:30", "19:05", "23:59"];
export const durations = ["1m", "90m", "24h", "1d", "1440m", "28d", "4w", "672h"];
const wrongDurations = ["91d", "13w", "28", "0d", "1y", "1.5h", "-1d", "four weeks"];
const aRange = { startHhMm: "08:00", endHhMm: "18:00" };
const seconds = (field: string) => inside(field, fc.integer({ min: 1, max: 3_600 }), (number) => number >= 0, [-1]);
const timeslices = { queryTemplate: "up", condition: { op: "GT" }, timesliceSize: "TIMESLICE_SIZE_ONE_MINUTE" };
const aCondition = { conditions: [{ op: "GT", value: 1 }] };
const conditionsOf = ({ seriesConditions: { defaults = {}, overrides = [] } = {} }: Json): unknown[] =>
  [defaults.critical, defaults.warn, ...overrides.map((each: Json) => each.severityConditions)].flatMap(
    (severity) => severity?.conditions ?? [],
  );
/** The rules of notifiers, monitors and SLOs, by the shape that they are about. */
export const alertingRules: Readonly<Record<string, readonly Rule[]>> = {
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
  Email: [addresses("to"), needs("to", "team@example.com")],
  OncallA: [url("apiUrl")],
  Responder: [
    rule("an identity", {
      holds: ({ id = "", name = "", username = "" }) => `${id}${name}${username}`.trim() !== "",
      mend: (value) => ({ ...value, username: "somebody" }),
      broken: (value) => [
        { value: without(value, "id", "name", "username"), at: [] },
        { value: { ...without(value, "id", "username"), name: " " }, at: [] },
      ],
    }),
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
    rule("not both bearerToken and basicAuth", {
      holds: ({ bearerToken, basicAuth }) => isZero(bearerToken) || basicAuth === undefined,
      mend: (value) => without(value, String(value.basicAuth.username).length % 2 === 0 ? "basicAuth" : "bearerToken"),
      broken: (value) => [{ value: { ...value, bearerToken: "secret-bearer", basicAuth: {} }, at: [] }],
    }),
  ],
  Monitor: [
    labeled("labels"),
    entitled("annotations"),
    promql("labelQuery", { besides: ["dottedQuery", "loggingQuery"] }),
    notBlank("dottedQuery"),
    notBlank("loggingQuery"),
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
  ConditionsOverride: [
    matchers("labelMatchers"),
    rule("comes to a condition", {
      holds: ({ severityConditions }) => (severityConditions?.conditions ?? []).length > 0,
      mend: (value) => ({ ...value, severityConditions: aCondition }),
      broken: (value) => [
        { value: without(value, "severityConditions"), at: ["severityConditions"] },
        { value: { ...value, severityConditions: {} }, at: ["severityConditions", "conditions"] },
        { value: { ...value, severityConditions: { conditions: [] } }, at: ["severityConditions", "conditions"] },
      ],
    }),
  ],
  LabelMatcher: [
    compiles(
      "value",
      ({ type }) => type === "REGEX",
      (value) => ({ ...value, type: "REGEX" }),
    ),
  ],
  Condition: [seconds("sustainSecs"), seconds("resolveSustainSecs")],
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
        value.active === "ONLY_DURING_RANGES" ? { ...value, ranges: [aRange] } : without(value, "ranges"),
      broken: (value) => [
        { value: { ...value, active: "ONLY_DURING_RANGES", ranges: [] }, at: ["ranges"] },
        { value: { ...value, active: "NEVER", ranges: [aRange] }, at: ["ranges"] },
        { value: { ranges: [aRange] }, at: ["ranges"] },
      ],
      drawn: { active: fc.constantFrom("ALL_DAY", "ONLY_DURING_RANGES", "ONLY_DURING_RANGES", "NEVER", "HOLIDAYS") },
    }),
    rule("ranges do not overlap", {
      holds: ({ ranges = [] }) => {
        const sorted = [...ranges].sort((a: Json, b: Json) => (a.startHhMm < b.startHhMm ? -1 : 1));
        const isParted = (before: Json, after: Json) =>
          before.startHhMm < before.endHhMm && before.endHhMm <= after.startHhMm;
        return sorted.every((each: Json, i) => i === 0 || isParted(sorted[i - 1], each));
      },
      mend: (value) => ({ ...value, ranges: value.ranges.slice(0, 1) }),
      broken: (value) => [
        {
          value: { ...value, active: "ONLY_DURING_RANGES", ranges: [aRange, { startHhMm: "17:59", endHhMm: "24:00" }] },
          at: ["ranges", 1],
        },
      ],
    }),
  ],
  TimeRange: [
    needs("startHhMm", "08:00"),
    needs("endHhMm", "18:00"),
    among("startHhMm", times, ["24:00", "8:00", "12:60", "noon"]),
    among("endHhMm", [...times, "24:00"], ["24:01", "8:00", "-1:00"]),
  ],
  SignalGrouping: [
    noneBlank("labelNames"),
    rule("not both labelNames and signalPerSeries", {
      holds: ({ labelNames = [], signalPerSeries }) => labelNames.length === 0 || signalPerSeries !== true,
      mend: (value) => without(value, value.labelNames.length % 2 === 0 ? "labelNames" : "signalPerSeries"),
      broken: (value) => [{ value: { ...value, labelNames: ["a"], signalPerSeries: true }, at: [] }],
    }),
  ],
  SLO: [
    needs("definition", { objective: 99 }),
    needs("sli", { customTimesliceIndicator: timeslices }),
    labeled("labels"),
    entitled("annotations"),
  ],
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
    rule("no alert looks back longer than the SLO", {
      holds: ({ timeWindow, burnRateAlertingConfig: alerts = [] }) =>
        alerts.every(({ window }: Json) => Number(minutesOf(window)) <= Number(minutesOf(timeWindow || "28d"))),
      // All durations drawn are of at most 28 days.
      mend: (value) => without(value, "timeWindow"),
      broken: (value) =>
        [
          { slo: { timeWindow: "7d" }, window: "8d" },
          { slo: {}, window: "29d" },
        ].map(({ slo, window }) => ({
          value: {
            objective: value.objective,
            ...slo,
            enableBurnRateAlerting: true,
            burnRateAlertingConfig: [{ window, budget: 1 }],
          },
          at: ["burnRateAlertingConfig", 0, "window"],
        })),
    }),
  ],
  BurnRateAlert: [
    labeled("labels"),
    among("window", durations, wrongDurations),
    needs("window", "1h"),
    {
      ...inside(
        "budget",
        fc.double({ min: 1e-9, max: 100, noNaN: true }),
        (budget) => budget > 0 && budget <= 100,
        [0, -1, 101],
      ),
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
    promql("totalQueryTemplate", { templates: true }),
    promql("goodQueryTemplate", { templates: true, besides: ["badQueryTemplate"] }),
    promql("badQueryTemplate", { templates: true, besides: ["goodQueryTemplate"] }),
    notBlank("goodQueryTemplate"),
    notBlank("badQueryTemplate"),
    exactlyOne({ goodQueryTemplate: "good", badQueryTemplate: "bad" }),
  ],
  CustomTimesliceIndicator: [promql("queryTemplate", { templates: true })],
};
