import { slo } from "../../../provider/kinds/slo";
import { labelList } from "../../promql/labels";
import { sloWindow } from "../../../sdk/behavior/durations";
import { alertName, burnRateAlert, definitionOf, eventsIndicator, percent, rateWindow } from "./objective";
import { type SourceNode, Rejection } from "../../source/sourceNode";
import { type ConversionBuilder, eachAlone, type SourceFormat, nonEmpty } from "./conversionBuilder";
import { timespan, expressionOf, sequence, numeral, mapping, text, textMapping, truth } from "../../source/scalars";
import { alertSeverity } from "./alert";
import { inert, lost, objectOf } from "./keys";

/** Pyrra's Kubernetes objects, which it also reads from files. */
export const pyrra: SourceFormat = {
  recognizes: (node) =>
    node.at("kind").text === "ServiceLevelObjective" && node.at("apiVersion").text?.startsWith("pyrra.dev/") === true,
  convert: eachAlone(convertObjective),
};

const metric = mapping({ metric: text });
const grouping = sequence(text).default([]);

/** https://github.com/pyrra-dev/pyrra/blob/main/kubernetes/api/v1alpha1/servicelevelobjective_types.go */
const schema = objectOf(
  mapping({
    description: text.optional(),
    target: numeral,
    window: timespan,
    indicator: mapping({
      ratio: mapping({ errors: metric, total: metric, grouping }).optional(),
      latency: mapping({ success: metric, total: metric, grouping }).optional(),
      latencyNative: mapping({ total: metric, latency: timespan, grouping }).optional(),
      bool_gauge: mapping({ metric: text, grouping }).optional(),
    }),
    partial_response_strategy: lost(),
    performanceOverAccuracy: inert,
    ruleOutput: lost(),
    alerting: mapping({
      name: alertName,
      absentName: alertName,
      disabled: truth.default(false),
      burnrates: truth.default(true),
      absent: truth.default(true),
      severities: mapping({
        fastBurn: text.default("critical"),
        mediumBurn: text.default("critical"),
        slowBurn: text.default("warning"),
        longTermBurn: text.default("warning"),
        absent: text.optional(),
      }).prefault({}),
    }).prefault({}),
  }),
  {
    name: text,
    labels: textMapping.default({}),
    annotations: textMapping.default({}),
    namespace: text.default(""),
  },
);
type Objective = ReturnType<typeof schema.parse>;

/**
 * Pyrra's burn-rate alerts: the share of the time window that each long window is, and how much too fast the budget
 * burns. https://github.com/pyrra-dev/pyrra/blob/main/slo/rules.go, `Windows`
 */
const alerts = [
  { share: 28 * 24, factor: 14, severity: "fastBurn" },
  { share: 28 * 4, factor: 7, severity: "mediumBurn" },
  { share: 28, factor: 2, severity: "slowBurn" },
  { share: 7, factor: 1, severity: "longTermBurn" },
] as const;

// A label or annotation with this prefix is carried by the alerts, without it.
const prefix = "pyrra.dev/";

function convertObjective(node: SourceNode, builder: ConversionBuilder): void {
  const { metadata, spec } = builder.read(node, schema);
  const [window, { alerting }] = [node.at("spec", "window"), spec];
  const timeWindow = sloWindow(spec.window);
  if (timeWindow === undefined) throw new Rejection(window, "the time window is not a whole number of minutes");

  const config = alerting.disabled || !alerting.burnrates ? [] : alertsOf(node.at("spec"), spec, builder);
  if (alerting.absent && !alerting.disabled) {
    builder.lose(node.at("spec"), "pyrra's alert on the absence of the metric is left out");
  }
  for (const key of ["labels", "annotations"] as const) {
    const left = Object.keys(metadata[key]).filter((name) => !name.startsWith(prefix));
    const what = `the object's ${key} without ${prefix} are left out: ${left.join(", ")}`;
    if (left.length > 0) builder.report(node.at("metadata", key), what);
  }
  const labelNames = groupingOf(spec.indicator);
  const annotations = withoutPrefix(metadata.annotations);
  builder.add({
    kind: slo,
    at: node,
    original: metadata.name,
    hints: [metadata.namespace],
    args: {
      description: spec.description,
      labels: { ...withoutPrefix(metadata.labels), slo: metadata.name },
      ...nonEmpty("annotations", annotations),
      ...(labelNames.length === 0 ? {} : { signalGrouping: { labelNames } }),
      definition: definitionOf(percent(spec.target, node.at("spec", "target")), timeWindow, config),
      sli: {
        ...(labelNames.length === 0 ? {} : { customDimensionLabels: labelNames }),
        customIndicator: indicatorOf(node.at("spec", "indicator"), spec.indicator, builder),
      },
    },
  });
}

function alertsOf(node: SourceNode, { window, alerting }: Objective["spec"], builder: ConversionBuilder) {
  builder.lose(node, "the short window and the `for` of each burn-rate alert are left out");
  return alerts.map(({ share, factor, severity }) => {
    // Pyrra rounds its windows to minutes.
    const windowSecs = Math.max(Math.round(window / share / 60), 1) * 60;
    const word = alerting.severities[severity];
    const at = node.at("alerting", "severities", severity);
    const alert = { windowSecs, factor, severity: alertSeverity(word, at, builder), labels: { severity: word } };
    return burnRateAlert(alert, sloWindow(windowSecs) ?? "", window);
  });
}

const withoutPrefix = (map: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(map)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => [key.slice(prefix.length), value]),
  );

type Indicator = Objective["spec"]["indicator"];

const groupingOf = (indicator: Indicator) =>
  Object.values(indicator).find((each) => each !== undefined)?.grouping ?? [];

function indicatorOf(node: SourceNode, indicator: Indicator, builder: ConversionBuilder) {
  const [kind, ...others] = Object.keys(indicator);
  const labels = groupingOf(indicator);
  if (kind === undefined || others.length > 0)
    throw new Rejection(node, "the indicator needs one of ratio, latency, latencyNative or bool_gauge");
  const by = labels.length === 0 ? "" : ` by ${labelList(labels)} `;
  const over = (calculation: string, ...path: readonly string[]) =>
    `sum${by}(${calculation}(${rangeOf(node.at(...path, "metric"))}))`;

  if (indicator.latencyNative !== undefined) {
    const histogram = over("rate", "latencyNative", "total");
    const total = `histogram_count(${histogram})`;
    return {
      totalQueryTemplate: total,
      goodQueryTemplate: `histogram_fraction(0, ${indicator.latencyNative.latency}, ${histogram}) * ${total}`,
    };
  }
  if (indicator.bool_gauge !== undefined) {
    return {
      totalQueryTemplate: over("count_over_time", "bool_gauge"),
      goodQueryTemplate: over("sum_over_time", "bool_gauge"),
    };
  }
  const total = over("rate", kind, "total");
  return indicator.ratio === undefined
    ? eventsIndicator(total, "goodQueryTemplate", over("rate", kind, "success"), builder, node)
    : eventsIndicator(total, "badQueryTemplate", over("rate", kind, "errors"), builder, node);
}

/** The metric over the window of rates: what shifts it comes after the window. */
function rangeOf(node: SourceNode): string {
  const { selector } = expressionOf(node);
  if (selector !== undefined) return `${selector.metric}[${rateWindow}]${selector.shift}`;
  throw new Rejection(node, "the metric is not a metric's name with label matchers");
}
