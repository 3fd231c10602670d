import { z } from "zod";
import { holds } from "../../../sdk/behavior/conditions";
import { present } from "../../../sdk/behavior/ticks";
import { parsePromql, vectorText } from "../../promql/expression";
import { comparisons, type QueryCondition } from "./alert";
import type { ConversionBuilder } from "./conversionBuilder";
import { mathOf } from "./grafanaMath";
import { anything, expected, expressionOf, mapping, sequence, text } from "../../source/scalars";
import { inertKeys, keysWith, lost, rejects } from "./keys";
import { Rejection, type SourceNode } from "../../source/sourceNode";

/** The value of each series at the time of the evaluation or over a range, or what is true of it. */
type Reading =
  | { readonly is: "value"; readonly query: string }
  | {
      readonly is: "range";
      readonly query: string;
      readonly at: SourceNode;
      readonly name: string;
      readonly secs: number;
    }
  | Firing;

type Firing = { readonly is: "firing" } & QueryCondition;

/**
 * The query and condition of a rule, from its queries and expressions.
 * @throws {Rejection} for each that has no exact counterpart
 */
export function firingOf(
  data: readonly SourceNode[],
  condition: string,
  at: SourceNode,
  builder: ConversionBuilder,
): QueryCondition {
  const sources = new Set<string | undefined>();
  const found = nodeOf(condition, at);
  if (sources.size > 1) throw new Rejection(at, "its queries read different data sources");
  // A number other than 0 fires.
  return found.is === "firing" ? found : { query: instant(found, builder), op: "NEQ", value: 0 };

  function nodeOf(name: string, from: SourceNode, seen: readonly string[] = []): Reading {
    const node = data.find((each) => each.at("refId").text === name);
    const which = name === "" ? "it names no query or expression" : `there is no query or expression "${name}"`;
    if (node === undefined) throw new Rejection(from, which);
    if (seen.includes(name)) throw new Rejection(from, `the expression ${JSON.stringify(name)} refers to itself`);
    const [model, source] = [node.at("model"), node.at("datasourceUid").text];
    const isExpression = source === "__expr__" || source === "-100";
    builder.read(node, queryTable);
    builder.read<unknown>(model, isExpression ? expressionTable : modelTable);
    if (!isExpression) {
      sources.add(source);
      if (source !== undefined)
        builder.lose(node, `its data source ${JSON.stringify(source)} is left out: the service queries its own data`);
      return queryOf(node, model, builder);
    }
    const type = model.at("type").text ?? "";
    const innerOf = (word: string | undefined): Reading =>
      nodeOf((word ?? "").replace(/^\$\{?|\}$/g, ""), expression, [...seen, name]);
    const valueOf = (inner: Reading): string => {
      if (inner.is === "firing")
        throw new Rejection(expression, "an expression over the result of a condition has no counterpart");
      return instant(inner, builder);
    };
    const expression = model.at("expression");
    const reduce = (reducer: SourceNode, mode: SourceNode, of: Reading) =>
      of.is === "firing" ? valueOf(of) : reduced(reducer, mode, of, builder);
    if (type === "reduce") {
      const query = reduce(model.at("reducer"), model.at("settings", "mode"), innerOf(expression.text));
      return { is: "value", query };
    }
    if (type === "classic_conditions") {
      const [each, ...others] = model.at("conditions").items;
      if (each === undefined || others.length > 0)
        throw new Rejection(
          model.at("conditions"),
          "classic conditions have a counterpart only if there is exactly one",
        );
      const query = reduce(
        each.at("reducer", "type"),
        each.at("reducer", "mode"),
        innerOf(each.at("query", "params", 0).text),
      );
      return { ...thresholdOf(model, { is: "value", query }, valueOf, true), isOneSignal: true };
    }
    if (type === "threshold") return thresholdOf(model, innerOf(expression.text), valueOf);
    if (type === "math") {
      const math = mathOf(expression, (variable) => valueOf(innerOf(variable)), builder.lose);
      if (!math.isCondition) return { is: "value", query: math.query };
      // Its number is cut off if that is the outermost part.
      return { is: "firing", ...(parsePromql(math.query).threshold ?? { query: math.query, op: "EXISTS" }) };
    }
    const what = type === "" ? "an expression without a type" : `an expression of the type ${type}`;
    throw new Rejection(
      model.at("type"),
      `${what} has no exact counterpart, only reduce, threshold, math and classic_conditions`,
    );
  }
}

/** The query of values at the evaluation. */
function instant(node: Exclude<Reading, Firing>, builder: ConversionBuilder): string {
  if (node.is === "range")
    builder.lose(
      node.at,
      `the query ${node.name} reads a range that no expression reduces, so Grafana can't evaluate the rule; the monitor compares the value at the evaluation`,
    );
  return node.query;
}

const queryTable = mapping({
  ...{ refId: anything, queryType: anything, datasourceUid: text.nullish(), model: anything },
  relativeTimeRange: mapping({ from: anything, to: anything }).optional(),
});
/** An older query names its data source only. */
const datasource = z
  .union([text, mapping({ type: anything, uid: anything })], expected("a string or a map"))
  .optional();
/** What the editor and the panel of a query keep has no effect on its result. */
const modelTable = mapping({
  ...{ expr: anything, instant: anything, range: anything, queryType: anything, datasource },
  ...keysWith(rejects("filters the series that the query reads, and has no counterpart"), "adhocFilters", "scopes"),
  groupByKeys: rejects("groups the series that the query reads, and has no counterpart"),
  interval: lost("the minimum step of its query is left out"),
  ...inertKeys("refId", "hide", "key", "editorMode", "legendFormat", "format", "exemplar", "intervalMs"),
  ...inertKeys(
    "maxDataPoints",
    "intervalFactor",
    "disableTextWrap",
    "fullMetaSearch",
    "includeNullMetadata",
    "useBackend",
    "qryType",
  ),
  ...inertKeys("requestId", "utcOffsetSec", "metric", "step", "showingGraph", "showingTable", "valueType"),
});
/** The keys of all types of expressions. */
const expressionTable = mapping({
  ...{ type: anything, expression: anything, reducer: anything, datasource },
  settings: mapping({ mode: anything, replaceWithValue: anything }).optional(),
  // Of the only condition that converts; the operator joins several.
  conditions: sequence(
    mapping({
      evaluator: mapping({ type: anything, params: anything }).optional(),
      reducer: mapping({ type: anything, params: anything, mode: anything }).optional(),
      query: mapping({ params: anything }).optional(),
      unloadEvaluator: anything,
      ...inertKeys("operator", "type", "id"),
    }),
  ).optional(),
  ...inertKeys("refId", "hide", "key", "intervalMs", "maxDataPoints", "name"),
  ...inertKeys("window", "downsampler", "upsampler", "queryType", "sqlExpression", "format"),
});

const prometheusTypes = [
  "prometheus",
  "grafana-amazonprometheus-datasource",
  "grafana-azureprometheus-datasource",
  "victoriametrics-metrics-datasource",
];

/** The PromQL of a query of Prometheus. */
function queryOf(node: SourceNode, model: SourceNode, builder: ConversionBuilder): Reading {
  const type = model.at("datasource", "type").text;
  const name = JSON.stringify(node.at("refId").text ?? "");
  const written = model.at("expr");
  // A query of Loki selects streams without a name, and one of Prometheus has no type of query.
  const hasLokiForm =
    (model.at("queryType").exists && /(?<![\w:])\s*\{/.test(written.text ?? "")) ||
    /loki/i.test(node.at("datasourceUid").text ?? "");
  const isLoki = type === undefined && hasLokiForm && written.text !== undefined;
  if (isLoki || (type !== undefined && !prometheusTypes.includes(type))) {
    const what = isLoki ? "is one of Loki" : `uses the data source type ${type}`;
    throw new Rejection(isLoki ? written : model.at("datasource", "type"), `the query ${name} ${what}, not prometheus`);
  }
  if (written.text === undefined) throw new Rejection(model, `the query ${name} has no PromQL under \`expr\``);
  if (type === undefined) builder.report(model, "its data source has no known type; its query is read as PromQL");
  const [from, until] = (["from", "to"] as const).map((key) => Number(node.at("relativeTimeRange", key).text ?? 0));
  const secs = (from ?? 0) - (until ?? 0);
  const text = withRange(written.text, secs).replace(
    /\$(?:\{__(rate_)?interval\}|__(rate_)?interval\b)/g,
    (word, ...[one, other]) => {
      const value = one || other ? "1m" : "15s";
      const what = `its query uses ${word}, for which ${value} is written: that is right if Grafana's scrape interval is 15 s and the query has no minimum step`;
      builder.lose(written, what);
      return value;
    },
  );
  // In a text, `$1` is a group of a pattern.
  const variable = /\$(?:\{(?!\d+\})\w+\}|[A-Za-z_]\w*)/.exec(text)?.[0];
  if (variable !== undefined)
    throw new Rejection(
      written,
      `the query ${name} uses the Grafana variable ${variable}. Write its value in its place`,
    );
  if (until) {
    const what = `its query ends ${until} s before the evaluation, and a monitor's at the evaluation`;
    builder.lose(node.at("relativeTimeRange", "to"), what);
  }
  const query = vectorText(expressionOf(written, text));
  const isInstant = model.at("instant").text === "true" && model.at("range").text !== "true";
  return isInstant ? { is: "value", query } : { is: "range", query, at: model, name, secs };
}

/** Fills in the length of the time range, which the rule itself has. */
const withRange = (text: string, secs: number) =>
  secs > 0
    ? text.replace(/\$(?:\{__range(_s|_ms)?\}|__range(_s|_ms)?\b)/g, (_, one?: string, other?: string) => {
        const unit = one ?? other;
        return unit === "_ms" ? String(secs * 1000) : unit === "_s" ? String(secs) : `${secs}s`;
      })
    : text;

/** One sample is its own last, least, greatest, mean and sum. */
const reducers = ["last", "min", "max", "mean", "avg", "sum", "median"];

/** The same of a range in PromQL, if it hardly depends on the steps in which Grafana reads the range. */
const overTimes: Readonly<Record<string, string>> = {
  min: "min_over_time(",
  max: "max_over_time(",
  mean: "avg_over_time(",
  avg: "avg_over_time(",
  median: "quantile_over_time(0.5, ",
};

function reduced(
  reducer: SourceNode,
  mode: SourceNode,
  of: Exclude<Reading, Firing>,
  builder: ConversionBuilder,
): string {
  if (!reducers.includes(reducer.text ?? "")) {
    throw new Rejection(reducer, `the reduction by ${reducer.text ?? "nothing"} has no exact counterpart`);
  }
  if (mode.text === "dropNN") {
    builder.lose(
      mode,
      "its reduction drops values that are not finite; a monitor compares infinite values like any other",
    );
  } else if ((mode.text ?? "") !== "") {
    throw new Rejection(mode, `the reduction's mode ${mode.text ?? ""} has no exact counterpart`);
  }
  if (of.is === "value") return of.query;
  if (reducer.text !== "last") {
    const overTime = overTimes[reducer.text ?? ""];
    if (overTime === undefined || of.secs <= 0) {
      const reason = "has no exact counterpart: its values depend on Grafana's step. Make it an instant query";
      throw new Rejection(reducer, `the ${reducer.text} of the range of the query ${of.name} ${reason}`);
    }
    const what = `the ${reducer.text} of its range takes a value every 15 s; the steps of Grafana may be others`;
    builder.lose(of.at, what);
    return `${overTime}(${of.query})[${of.secs}s:15s])`;
  }
  const what =
    `its query reads a range${of.secs > 0 ? ` of ${of.secs} s` : ""}, of which the last value counts; ` +
    "a series that ends within the range no longer counts";
  builder.lose(of.at, what);
  return of.query;
}

const ranges: Readonly<Record<string, (query: string, from: number, to: number) => string>> = {
  within_range: (query, from, to) => `(${query}) > ${from} < ${to}`,
  within_range_included: (query, from, to) => `(${query}) >= ${from} <= ${to}`,
  outside_range: (query, from, to) => `(${query}) < ${from} or (${query}) > ${to}`,
  outside_range_included: (query, from, to) => `(${query}) <= ${from} or (${query}) >= ${to}`,
};

/** @param isClassic Whether the ends of a range are in either order. */
function thresholdOf(model: SourceNode, of: Reading, valueOf: (node: Reading) => string, isClassic = false): Firing {
  const [condition, ...others] = model.at("conditions").items;
  if (condition === undefined || others.length > 0) {
    throw new Rejection(model.at("conditions"), "the threshold needs exactly one condition");
  }
  const unload = condition.at("unloadEvaluator");
  if (unload.exists) throw new Rejection(unload, "a threshold that recovers at another value has no counterpart");
  const evaluator = condition.at("evaluator");
  const type = evaluator.at("type").text ?? "";
  const op = (comparisons as Readonly<Record<string, string>>)[type];
  const range = ranges[type];
  const params = evaluator.at("params").items.map(({ text = "" }) => Number(text || "x"));
  if (isClassic && range !== undefined) params.sort((one, other) => one - other);
  const [from = Number.NaN, to = Number.NaN] = params;
  if (op === undefined && range === undefined) {
    throw new Rejection(evaluator, `the threshold ${JSON.stringify(type)} has no exact counterpart`);
  }
  if (!Number.isFinite(from) || (range !== undefined && !Number.isFinite(to))) {
    throw new Rejection(evaluator, "the threshold has no number to compare with");
  }
  // What is true is 1, and what is not is 0.
  const fires = (number: number) => op !== undefined && holds({ op, value: from }, number, present);
  if (of.is === "firing" && fires(1) && !fires(0)) return of;
  const query = valueOf(of);
  if (op !== undefined) return { is: "firing", query, op, value: from };
  return { is: "firing", query: range?.(query, from, to) ?? "", op: "EXISTS" };
}
