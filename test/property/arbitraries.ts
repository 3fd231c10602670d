import fc, { type Arbitrary } from "fast-check";
import type { Field, ScalarField, Shape } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import type { Path } from "../../dist/provider/schema/walk.js";
import { at, isObject, isZero, type Json, minutesOf, objectsIn, sameMeaning, setAt } from "./meaning.js";

/** Datasets that every service under test holds: what a log allocation may name. */
export const knownDatasets = ["known-logs-1", "known-logs-2", "known-logs-3", "known-logs-4"];

// ---- What the service asks of a configuration beyond its types -----------------------------------------------------

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
const durations = ["1m", "90m", "24h", "1d", "1440m", "28d", "4w", "672h"];
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

const rulesOf = (shape: string) => rules[shape] ?? [];

/** The rules of name and slug, which every kind but a singleton has. */
const identityMistakes: readonly { readonly field: string; readonly value: string }[] = [
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

// ---- Configurations ------------------------------------------------------------------------------------------------

const awkwardKeys = [
  "a.b",
  "a/b",
  "til~de",
  "~1~0",
  "snake_case",
  "camelCase",
  "with space",
  "constructor",
  "toString",
  "__name__",
  "ключ",
  "🔑",
  "0",
  "",
  'quo"te',
  "a[0]",
];
const awkwardTexts = [
  "🦉 beyond the BMP 𝒳",
  "two\nlines",
  "a\u0000b",
  "\u2028",
  " ",
  "null",
  "0",
  "false",
  "***",
  "snake_case",
  "{{ .Values }} ${x} %s",
  "\\u0041",
];

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 4, unit: "grapheme" }) },
  { weight: 2, arbitrary: fc.constantFrom(...awkwardTexts) },
);
const anyText = fc.oneof({ weight: 5, arbitrary: text }, { weight: 1, arbitrary: fc.constant("") });
// Never a mask, nor so short that striking it from a message would garble the message.
const secret = fc.string({ maxLength: 6, unit: "grapheme" }).map((end) => `secret-${end}`);
const wholeNumber = fc.oneof(fc.integer(), fc.constantFrom(1, 60, -1, 2 ** 53 - 1, -(2 ** 53 - 1)));
const anyNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0.1 + 0.2, 1e21, 1e-7, 5e-324, Number.MAX_VALUE, -0.5),
);
const nonZero = <T>(values: Arbitrary<T>) => values.filter((value) => !isZero(value));

const scalars = { string: text, boolean: fc.constant(true), number: nonZero(anyNumber), integer: nonZero(wholeNumber) };
const zeros = { string: "", boolean: false, number: 0, integer: 0 } as const;
/** Items of arrays are data: there a zero is a value. */
const items = { string: anyText, boolean: fc.boolean(), number: anyNumber, integer: wholeNumber };

/** A value that is there: no zero, not empty. */
function present(field: Field, drawn?: Arbitrary<unknown>): Arbitrary<unknown> {
  return field.visit<Arbitrary<unknown>>({
    scalar: ({ type, options }) => {
      if (drawn !== undefined) return nonZero(drawn);
      if (options.secret !== undefined) return secret;
      if (options.suggestions === undefined) return scalars[type];
      return fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...options.suggestions) },
        { weight: 1, arbitrary: text },
      );
    },
    list: ({ item }) =>
      fc.array(
        item.visit<Arbitrary<unknown>>({
          scalar: ({ type }) => items[type],
          object: ({ shape }) => objectOf(shape),
          list: (inner) => present(inner),
          map: (inner) => present(inner),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    map: () =>
      fc
        .uniqueArray(fc.tuple(fc.oneof(fc.constantFrom(...awkwardKeys), text), anyText), {
          minLength: 1,
          maxLength: 3,
          selector: ([key]) => key,
        })
        .map((entries) => Object.fromEntries(entries)),
    object: ({ shape }) => objectOf(shape),
  });
}

/** The spelling of "nothing" that is not absence; an object has none. */
function zeroOf(field: Field): unknown {
  return field.visit<unknown>({
    scalar: ({ type }) => zeros[type],
    list: () => [],
    map: () => ({}),
    object: () => undefined,
  });
}

const known = new Map<Shape, Arbitrary<Json>>();

function objectOf(shape: Shape): Arbitrary<Json> {
  const made = known.get(shape) ?? makeObject(shape);
  known.set(shape, made);
  return made;
}

function makeObject(shape: Shape): Arbitrary<Json> {
  const own = rulesOf(shape.name);
  const always = own.flatMap((each) => each.always ?? []);
  const drawn: Record<string, Arbitrary<unknown>> = Object.assign({}, ...own.map((each) => each.drawn));
  const choice = own.find((each) => each.alternatives !== undefined);
  const record = (chosen: string | undefined) => {
    const required = chosen === undefined ? always : [...always, chosen];
    const fields = Object.entries(shape.fields).flatMap(([name, field]): [string, Arbitrary<unknown>][] => {
      const zero = zeroOf(field);
      if (choice?.alternatives?.includes(name) && name !== chosen) {
        return zero === undefined ? [] : [[name, fc.constant(zero)]];
      }
      const value = present(field, drawn[name]);
      if (required.includes(name) || zero === undefined) return [[name, value]];
      return [[name, fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: fc.constant(zero) })]];
    });
    return fc.record(Object.fromEntries(fields), { requiredKeys: required, noNullPrototype: true }) as Arbitrary<Json>;
  };
  const chosen = [...(choice?.alternatives ?? []), ...(choice === undefined || choice.orNone ? [undefined] : [])];
  return fc
    .oneof(...chosen.map((each) => record(each)))
    .map((value) => own.reduce((mended, { holds, mend }) => (holds(mended) ? mended : mend(mended)), value));
}

/** A valid configuration of a kind: everything but the slug, which the tests give so that it is free. */
export const configurationOf = (kind: Kind): Arbitrary<Json> =>
  objectOf(kind.args)
    .map(({ slug: _, ...config }) =>
      // Without a receiver a notifier says that it discards.
      isValid(kind, config) ? config : { ...config, discard: true },
    )
    .filter((config) => isValid(kind, config));

// ---- Edits, spellings and mistakes ---------------------------------------------------------------------------------

export interface Edit {
  readonly config: Json;
  /** The place that says something else now. */
  readonly path: Path;
}

interface Change {
  readonly path: Path;
  readonly value: unknown;
  /** The wrong place, if that is not the changed one. */
  readonly blame?: Path;
}

/**
 * The configuration with one place changed in meaning, still valid: one of its own values varied, or one taken over
 * from `other`. `choice` is any whole number.
 */
export function edit(
  kind: Kind,
  config: Json,
  other: Json,
  choice: number,
  accepts: (edited: Json) => boolean = () => true,
): Edit | undefined {
  const changes = [...variations(kind.root, config, []), ...takenOver(kind.root, config, other, [])];
  for (let i = 0; i < changes.length; i++) {
    const change = changes[(choice + i) % changes.length];
    if (change === undefined || change.path[0] === "slug") continue;
    if (change.path[0] === "name" && isZero(change.value)) continue;
    const edited = setAt(config, change.path, change.value) as Json;
    if (!isValid(kind, edited) || sameMeaning(kind.root, config, edited) || !accepts(edited)) continue;
    return { config: edited, path: change.path };
  }
  return undefined;
}

/** A small change of every value that is there, and a beginning of every one that is not. */
function variations(field: Field, value: any, path: Path): Change[] {
  return field.visit<Change[]>({
    scalar: (scalar) => [{ path, value: varied(scalar, value) }],
    list: ({ item }) => {
      const list: unknown[] = value ?? [];
      const isData = !item.visit({ object: () => true, scalar: () => false, list: () => true, map: () => true });
      return [
        ...(isData
          ? [{ path, value: [...list, varied(item as ScalarField, list.at(-1))] }]
          : [{ path, value: [...list, {}] }]),
        ...(list.length > 0 ? [{ path, value: list.slice(0, -1) }] : []),
        ...(list.length > 1 ? [{ path, value: [...list].reverse() }] : []),
        ...list.flatMap((each, i) => variations(item, each, [...path, i])),
      ];
    },
    map: () => [
      ...Object.entries((value ?? {}) as Json).flatMap(([key, each]) => [
        { path: [...path, key], value: `${each}x` },
        { path: [...path, key], value: undefined },
      ]),
      { path: [...path, "added/by~somebody else"], value: "" },
    ],
    object: ({ shape }) =>
      isObject(value)
        ? [
            ...(typeof path.at(-1) === "string" ? [{ path, value: undefined }] : []),
            ...Object.entries(shape.fields).flatMap(([name, inner]) => variations(inner, value[name], [...path, name])),
          ]
        : [{ path, value: {} }],
  });
}

const varied = ({ type }: ScalarField, value: any) =>
  ({
    string: `${value ?? ""}x`,
    boolean: value !== true,
    number: (value ?? 0) + 0.5,
    integer: (value ?? 0) > 0 ? value - 1 : (value ?? 0) + 1,
  })[type];

/** Every place where `other` says something else, with what it says. */
function takenOver(field: Field, value: any, other: any, path: Path): Change[] {
  if (sameMeaning(field, value, other)) return [];
  const here = path.length === 0 ? [] : [{ path, value: other }];
  return field.visit<Change[]>({
    scalar: () => here,
    map: () => here,
    list: ({ item }) => [
      ...here,
      ...((value ?? []) as unknown[]).flatMap((each, i) =>
        i in (other ?? []) ? takenOver(item, each, other[i], [...path, i]) : [],
      ),
    ],
    object: ({ shape }) => [
      ...here,
      ...(isObject(value) && isObject(other)
        ? Object.entries(shape.fields).flatMap(([name, inner]) =>
            takenOver(inner, value[name], other[name], [...path, name]),
          )
        : []),
    ],
  });
}

/**
 * The same meaning in other words: zeros and empty parts added or dropped, absent ones as null, keys and unordered lists
 * in other order, durations in other units.
 */
export function respelled(field: Field, value: any, seed: number): any {
  const random = generator(seed);
  const enter = (here: Field, inner: any): any =>
    here.visit<unknown>({
      scalar: ({ options }) => {
        if (options.format !== "duration") return inner;
        const same = durations.filter((each) => minutesOf(each) === minutesOf(inner));
        return same[Math.floor(random() * same.length)] ?? inner;
      },
      map: () => (isObject(inner) ? Object.fromEntries(shuffled(Object.entries(inner), random)) : inner),
      list: ({ item, options }) => {
        if (!Array.isArray(inner)) return inner;
        const each = inner.map((one: unknown) => enter(item, one) as unknown);
        return options.unordered ? shuffled(each, random) : each;
      },
      object: ({ shape }) =>
        isObject(inner)
          ? Object.fromEntries(
              shuffled(
                Object.entries(shape.fields).flatMap(([name, each]): [string, unknown][] => {
                  const spelt = enter(each, inner[name]);
                  const zero = zeroOf(each);
                  const isNothing = zero === undefined ? spelt === undefined : sameMeaning(each, spelt, zero);
                  if (!isNothing) return [[name, spelt]];
                  const spellings = zero === undefined ? [undefined, null] : [undefined, null, zero];
                  const said = spellings[Math.floor(random() * spellings.length)];
                  return said === undefined ? [] : [[name, said]];
                }),
                random,
              ),
            )
          : inner,
    });
  return enter(field, value);
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((each) => [random(), each] as const)
    .sort(([a], [b]) => a - b)
    .map(([, each]) => each);
}

/** Numbers from 0 to 1 that one seed decides (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const sorts = ["wrong type", "unknown key", "broken rule"] as const;

export interface Mistake {
  readonly sort: (typeof sorts)[number];
  /** What is wrong, shortly. */
  readonly says: string;
  readonly config: Json;
  /** Where it is wrong. */
  readonly path: Path;
}

/** Every mistake of one sort that can be made in a configuration. */
export function mistakesIn(kind: Kind, config: Json, sort: Mistake["sort"]): Mistake[] {
  const make = (path: Path, value: unknown, says: string, blame: Path = path): Mistake => ({
    sort,
    says,
    config: setAt(config, path, value) as Json,
    path: blame,
  });
  switch (sort) {
    case "wrong type":
      return wrongTypes(kind.root, config, []).map(({ path, value, blame }) => make(path, value, "wrong type", blame));
    case "unknown key":
      return objectsIn(kind.root, config).flatMap(({ value, path }) =>
        ["colour", `${Object.keys(value)[0] ?? "some"}X`, "constructor", "toString"].map((key) =>
          make([...path, key], "x", "unknown key"),
        ),
      );
    case "broken rule":
      return [
        ...objectsIn(kind.root, config).flatMap(({ shape, value, path }) =>
          rulesOf(shape).flatMap((each) =>
            each.broken(value).map((wrong) => make(path, wrong.value, each.says, [...path, ...wrong.at])),
          ),
        ),
        ...(kind.isSingleton ? [] : identityMistakes).map(({ field, value }) => make([field], value, `bad ${field}`)),
      ];
  }
}

/** For every field of every object, values of other types; for arrays and maps, also in their items. */
function wrongTypes(field: Field, value: any, path: Path): Change[] {
  const wrong = (...values: readonly unknown[]) => values.map((each) => ({ path, value: each }));
  return field.visit<Change[]>({
    scalar: ({ type }) =>
      wrong(
        ...{ string: [7, true, ["x"], { a: "b" }], boolean: ["true", 1], number: ["7", true], integer: ["7", 1.5] }[
          type
        ],
      ),
    list: ({ item }) => [
      ...wrong("x", { a: "b" }),
      { path, value: [null], blame: [...path, 0] },
      ...((value ?? []) as unknown[]).flatMap((each, i) => wrongTypes(item, each, [...path, i])),
    ],
    map: () => [
      ...wrong("x", ["x"]),
      ...Object.keys((value ?? {}) as Json).map((key) => ({ path: [...path, key], value: 7 })),
    ],
    object: ({ shape }) => [
      ...(path.length === 0 ? [] : wrong("x", 7, ["x"])),
      ...(isObject(value)
        ? Object.entries(shape.fields).flatMap(([name, inner]) => wrongTypes(inner, at(value, [name]), [...path, name]))
        : []),
    ],
  });
}

/** A mistake of each sort alike, if the configuration has room for it. */
export const mistakeIn = (kind: Kind, config: Json, sort: Mistake["sort"], choice: number): Mistake | undefined => {
  const all = mistakesIn(kind, config, sort);
  return all[choice % all.length];
};
