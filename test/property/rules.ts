import fc from "fast-check";
import { kinds } from "../../dist/provider/kinds/index.gen.js";
import type { Field, Shape } from "../../dist/provider/schema/field.js";
import type { Kind } from "../../dist/provider/schema/kind.js";
import { shapesOf } from "../../dist/provider/schema/walk.js";
import { alertingRules } from "./alertingRules.js";
import { type Json, objectsIn } from "./equivalence.js";
import {
  among,
  compiles,
  inside,
  labelFilters,
  labeled,
  matchers,
  needs,
  noneBlank,
  notBlank,
  promql,
  range,
  type Rule,
  rule,
  shaped,
  without,
} from "./ruleBuilders.js";

/** Datasets that every service under test holds: what a log allocation may name. */
export const knownDatasets = ["known-logs-1", "known-logs-2", "known-logs-3", "known-logs-4"];

const sharesOf = ({ datasetAllocations = [], defaultDataset = {} }: Json): number[] =>
  [...datasetAllocations, defaultDataset].map((each: Json) => each.allocation?.percentOfLicense ?? 0);
const sumOf = (value: Json) => sharesOf(value).reduce((sum, each) => sum + each, 0);

const labelOf = ({ label }: Json) => label || undefined;
/** The items with the first of those that have the same key, and those that have none. */
const uniqueBy = (items: Json[], keyOf: (item: Json) => unknown) =>
  items.filter((item, i) => {
    const key = keyOf(item);
    return key === undefined || items.findIndex((other) => keyOf(other) === key) === i;
  });
const metricName = shaped("metricName", /^[A-Za-z_:][\w:./-]*$/, fc.stringMatching(/^[a-z_:][a-z0-9_:.]{0,8}$/), [
  "two words",
  "5xx",
  "a{b}",
]);

/** All rules, by the shape that they are about. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  ...alertingRules,
  TraceMetricsRule: [
    metricName,
    labeled("metricLabels"),
    rule("each label of a group once", {
      holds: ({ groupBy = [] }) => uniqueBy(groupBy, labelOf).length === groupBy.length,
      mend: (value) => ({ ...value, groupBy: uniqueBy(value.groupBy, labelOf) }),
      broken: (value) => [
        { value: { ...value, groupBy: [{ label: "a" }, { label: "a" }] }, at: ["groupBy", 1, "label"] },
      ],
    }),
    rule("ascending buckets", {
      holds: ({ histogramBucketsSecs: buckets = [] }) =>
        buckets.every((each: number, i: number) => each >= 0 && (i === 0 || each > buckets[i - 1])),
      mend: (value) => ({
        ...value,
        histogramBucketsSecs: [...new Set<number>(value.histogramBucketsSecs.map(Math.abs))].sort((a, b) => a - b),
      }),
      broken: (value) => [
        { value: { ...value, histogramBucketsSecs: [-1, 1] }, at: ["histogramBucketsSecs", 0] },
        { value: { ...value, histogramBucketsSecs: [0.5, 2, 1] }, at: ["histogramBucketsSecs", 2] },
        { value: { ...value, histogramBucketsSecs: [1, 1] }, at: ["histogramBucketsSecs", 1] },
      ],
    }),
  ],
  GroupBy: [
    rule("label is not __name__", {
      holds: ({ label }) => label !== "__name__",
      mend: (value) => without(value, "label"),
      broken: (value) => [{ value: { ...value, label: "__name__" }, at: ["label"] }],
    }),
    notBlank("label"),
  ],
  GroupByKey: [
    rule("a tag has a key", {
      holds: ({ type, namedKey = "" }) => type !== "TAG" || namedKey.trim() !== "",
      mend: (value) => ({ ...value, namedKey: "http.route" }),
      broken: () => [
        { value: { type: "TAG" }, at: ["namedKey"] },
        { value: { type: "TAG", namedKey: " " }, at: ["namedKey"] },
      ],
    }),
  ],
  DurationRange: range("minSecs", "maxSecs"),
  SpanCount: range("min", "max"),
  StringMatch: [
    compiles(
      "value",
      ({ match }) => ["REGEX", "REGEX_NEGATION"].includes(match),
      (value) => ({ ...value, match: "REGEX" }),
    ),
    rule("IN has values", {
      holds: ({ match, inValues = [] }) => !["IN", "NOT_IN"].includes(match) || inValues.length > 0,
      mend: (value) => ({ ...value, inValues: ["a"] }),
      broken: (value) =>
        ["IN", "NOT_IN"].map((match) => ({ value: { ...without(value, "inValues"), match }, at: ["inValues"] })),
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
  LogMatchCriteria: [notBlank("query")],
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
          at: ["datasetAllocations"],
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
    metricName,
    rule("at least one query", {
      holds: ({ queries = [] }) => queries.length > 0,
      mend: (value) => ({ ...value, queries: [{ query: { labelExpr: "up" } }] }),
      broken: (value) => [
        { value: without(value, "queries"), at: ["queries"] },
        { value: { ...value, queries: [] }, at: ["queries"] },
      ],
      always: ["queries"],
    }),
  ],
  DerivedQuery: [needs("query", { labelExpr: "up" })],
  ParameterisedQuery: [
    rule("variables are declared once", {
      holds: ({ variables = [] }) => new Set(variables.map((each: Json) => each.name)).size === variables.length,
      mend: (value) => ({
        ...value,
        variables: [...new Map(value.variables.map((each: Json) => [each.name, each] as const)).values()],
      }),
      broken: (value) => [
        { value: { labelExpr: "up", variables: [{ name: "a" }, { name: "a" }] }, at: ["variables", 1, "name"] },
        { value: { ...without(value, "variables"), labelExpr: "up{$scope}" }, at: ["labelExpr"] },
        ...labelFilters("defaultLabelSelector")
          .broken({ name: "scope" })
          .map(({ value: variable, at }) => ({
            value: { labelExpr: "up{$scope}", variables: [variable] },
            at: ["variables", 0, ...at],
          })),
      ],
    }),
    promql("labelExpr", { variables: true }),
    needs("labelExpr", "up"),
  ],
  QueryVariable: [
    { ...needs("name", "scope"), drawn: { name: fc.constantFrom("scope", "other") } },
    // Another text is only wrong if the variable stands for filters.
    { ...labelFilters("defaultLabelSelector"), broken: () => [] },
  ],
  QuerySelector: [matchers("labels")],
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
    ...asked.map(([name, field]) => needs(name, leastOf(field), { blanks: field.options.secret === undefined })),
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
