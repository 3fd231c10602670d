import { eventsPerTime } from "../../promql/expression";
import { comparisons } from "./alert";
import { averaged, averagedLoss, eventsIndicator, queryOf, rateWindow } from "./objective";
import { documentOf, type Objects } from "./openSloObjects";
import { type SourceNode, Rejection } from "../../source/sourceNode";
import type { ConversionBuilder } from "./conversionBuilder";
import { lost, rejects } from "./keys";
import { anything, numeral, mapping, oneOf, text, truth } from "../../source/scalars";

const composite = rejects("belongs to a composite SLO, which has no counterpart", ["1"]);
export const objectiveSchema = mapping({
  displayName: text.optional(),
  op: oneOf("lt", "lte", "gt", "gte").optional(),
  value: numeral.optional(),
  target: numeral.optional(),
  targetPercent: numeral.optional(),
  timeSliceTarget: numeral.optional(),
  timeSliceWindow: text.optional(),
  ...{ indicator: composite, indicatorRef: composite, compositeWeight: composite },
});
export type Objective = ReturnType<typeof objectiveSchema.parse>;

const source = mapping({
  metricSource: mapping({
    metricSourceRef: lost(
      (name) => `its data source ${JSON.stringify(name)} is left out: the service queries its own data`,
    ),
    type: text.optional(),
    spec: mapping({ query: text }),
  }),
});

const sliSchema = documentOf({
  thresholdMetric: anything,
  ratioMetric: mapping({
    counter: truth.default(false),
    good: anything,
    bad: anything,
    total: anything,
    rawType: oneOf("success", "failure").optional(),
    raw: anything,
  }).optional(),
});

/** An objective, and how it is measured. */
interface Measured {
  readonly indicator: SourceNode;
  readonly objective: Objective;
  readonly at: SourceNode;
  readonly method: string;
  readonly objects: Objects;
  readonly builder: ConversionBuilder;
}

export function sliOf({ indicator, objective, at, method, objects, builder }: Measured) {
  if (!indicator.exists) throw new Rejection(indicator, "the SLO needs `indicator` or `indicatorRef`");
  const { spec } = builder.read(indicator, sliSchema);
  const [threshold, ratio] = [indicator.at("spec", "thresholdMetric"), indicator.at("spec", "ratioMetric")];
  if (threshold.exists === ratio.exists) {
    throw new Rejection(indicator, "the indicator needs either `thresholdMetric` or `ratioMetric`");
  }
  const query = (node: SourceNode) => queryIn(node, objects, builder);

  const isSliced = method === "Timeslices";
  if (threshold.exists) {
    if (!isSliced) builder.report(threshold, "each minute counts once, not each sample");
    else if (objective.timeSliceTarget !== undefined) {
      builder.lose(at.at("timeSliceTarget"), "the share of a timeslice that must be good is left out");
    }
    return {
      customTimesliceIndicator: {
        queryTemplate: query(threshold),
        condition: conditionOf(objective, at),
        timesliceSize: isSliced ? sliceOf(objective, at) : minute,
      },
    };
  }

  const { counter = false, rawType } = spec.ratioMetric ?? {};
  const [good, bad, total, raw] = [ratio.at("good"), ratio.at("bad"), ratio.at("total"), ratio.at("raw")];
  const isRatio = total.exists && good.exists !== bad.exists;
  if (isRatio === raw.exists || (raw.exists && [good, bad, total].some(({ exists }) => exists))) {
    throw new Rejection(ratio, "the ratio needs either `raw`, or `total` and one of `good` and `bad`");
  }
  const isGood = raw.exists ? rawType === "success" : good.exists;
  const field = isGood ? "goodQueryTemplate" : "badQueryTemplate";
  if (raw.exists) {
    if (rawType === undefined) throw new Rejection(raw, "`rawType` is missing");
    const share = query(raw);
    if (isSliced) return slices(isGood ? share : `1 - (${share})`, objective, at);
    builder.report(raw, averagedLoss);
    return averaged(share, field);
  }
  const queries = [query(total), query(isGood ? good : bad)] as const;
  const [all, part] = counter ? perTime(queries, ratio, builder) : queries;
  const customIndicator = eventsIndicator(all, field, part, builder, ratio);
  if (isSliced) return slices(`${isGood ? "" : "1 - "}(${part}) / (${all})`, objective, at);
  return { customIndicator };
}

/** Timeslices that are good if the share of good events in them is. */
function slices(queryTemplate: string, objective: Objective, at: SourceNode) {
  if (objective.timeSliceTarget === undefined) throw new Rejection(at, "`timeSliceTarget` is missing");
  const condition = { op: "GEQ", value: objective.timeSliceTarget };
  return { customTimesliceIndicator: { queryTemplate, condition, timesliceSize: sliceOf(objective, at) } };
}

const [minute, fiveMinutes] = ["TIMESLICE_SIZE_ONE_MINUTE", "TIMESLICE_SIZE_FIVE_MINUTES"];
const sizes: Readonly<Record<string, string>> = { "1": minute, "1m": minute, "5": fiveMinutes, "5m": fiveMinutes };

function sliceOf({ timeSliceWindow }: Objective, at: SourceNode): string {
  const size = sizes[timeSliceWindow ?? ""];
  if (size !== undefined) return size;
  const got = timeSliceWindow === undefined ? "it is missing" : `it is ${timeSliceWindow}`;
  throw new Rejection(at.at("timeSliceWindow"), `a timeslice must be 1 or 5 minutes long, but ${got}`);
}

function conditionOf({ op, value }: Objective, at: SourceNode) {
  if (op === undefined || value === undefined) throw new Rejection(at, `\`${op ? "value" : "op"}\` is missing`);
  return { op: comparisons[op], value };
}

/** The query of a metric source, if it is Prometheus. */
function queryIn(node: SourceNode, objects: Objects, builder: ConversionBuilder): string {
  const { metricSource } = builder.read(node, source);
  const place = node.at("metricSource");
  const reference = place.at("metricSourceRef").text;
  const dataSource = reference === undefined ? undefined : objects.find("DataSource", reference);
  const type = metricSource.type ?? dataSource?.at("spec", "type").text;
  if (type === undefined) builder.report(place, "the metric source has no known type; its query is read as PromQL");
  else if (type.toLowerCase() !== "prometheus") {
    throw new Rejection(place.at("type"), `only Prometheus queries can be converted, not ${type}`);
  }
  return queryOf(place.at("spec", "query"), builder);
}

/** Functions of a range whose values are not per second. */
const overRange = /\b(?:increase|i?delta|resets|changes|\w+_over_time)\s*\(/;

/** The queries of counters, as events per second: both, since only their ratio counts. */
function perTime(queries: readonly [string, string], at: SourceNode, builder: ConversionBuilder) {
  const [all, part] = queries.map((query) => eventsPerTime(query, rateWindow));
  if (all === undefined && part === undefined) {
    builder.lose(at, "the counter's queries are kept unchanged; check that they return events per unit of time");
    return queries;
  }
  const isOneWrapped = (all === queries[0]) !== (part === queries[1]);
  if (all === undefined || part === undefined || (isOneWrapped && overRange.test(queries.join("\n")))) {
    const reason = "only one query of the counter can be wrapped in a rate: write both as rates, without `counter`";
    throw new Rejection(at, reason);
  }
  if (all !== queries[0] || part !== queries[1])
    builder.current.note(`The query of a counter is wrapped in rate(…[${rateWindow}]).`);
  return [all, part] as const;
}
