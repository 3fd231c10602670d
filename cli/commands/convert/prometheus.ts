import { derivedMetric } from "../../../provider/kinds/derivedMetric";
import { vectorText } from "../../promql/expression";
import { exactName, metricsRead, type NameMatchers, readerOf } from "../../promql/metrics";
import { isRuler, type SourceNode, type Place, Rejection } from "../../source/sourceNode";
import { type ConversionBuilder, type Finished, type SourceFormat, nameIn, Diagnostics } from "./conversionBuilder";
import { anything, timespan, expressionOf, sequence, mapping, text, textMapping } from "../../source/scalars";
import { addAlert, type AlertGroup } from "./alert";
import { inertKeys, keysWith, lost, objectOf, rejects } from "./keys";

const computedLate = "a rule engine has the last value, and a derived metric is computed when it is queried";

/** Rule files, and the Kubernetes objects that contain them. Alerts become monitors, recorded metrics derived metrics. */
export const prometheus: SourceFormat = {
  recognizes: (node) =>
    isObjectOfRules(node) || (!node.at("kind").exists && node.at("groups").exists) || isRuler(node, "expr"),

  convert(nodes, builder) {
    const recorded = new Map<string, Recorded>();
    const convertGroups = (groups: SourceNode, names: readonly string[]) =>
      builder.each(groups.items, (group) => convertGroup(group, names, builder, recorded));
    builder.each(nodes, (node) => {
      if (isRuler(node, "expr")) {
        for (const namespace of node.keys) convertGroups(node.at(namespace), [namespace]);
        return;
      }
      const isObject = isObjectOfRules(node);
      const groups = node.at(...(isObject ? ["spec", "groups"] : ["groups"]));
      if (!Array.isArray(groups.value)) throw new Rejection(groups, "the list of rule groups is missing");
      builder.read<unknown>(node, isObject ? objectTable : fileTable, ' next to "groups"');
      builder.tell("file");
      const names = ["namespace", "name"].map((key) => node.at("metadata", key).text ?? "");
      convertGroups(groups, names);
    });
    const metrics = [...recorded.values()];
    for (const metric of metrics) {
      const isCycle = readsItself(metric.name, metrics, (matchers) => exactName(matchers) !== undefined);
      const [first] = metric.rules;
      if (!isCycle && first !== undefined && readsItself(metric.name, metrics, () => true))
        metric.diagnostics.add({
          file: first.at.file,
          line: first.at.line,
          text: `a pattern of names in it may read ${metric.name} itself: ${computedLate}`,
          hasEffect: true,
        });
      if (!isCycle) builder.add(derived(metric));
      else
        for (const { at } of metric.rules) {
          builder.reject(at, `it reads itself: ${computedLate}`, metric.name);
        }
    }
  },
};

/** The objects of Prometheus Operator, of VictoriaMetrics, and of Google's managed Prometheus: all have the same groups. */
const objectKinds = ["PrometheusRule", "VMRule", "Rules", "ClusterRules", "GlobalRules"];
const isObjectOfRules = (node: SourceNode) => objectKinds.includes(node.at("kind").text ?? "");

// Tables of keys: of Prometheus, https://github.com/prometheus/prometheus/blob/main/model/rulefmt/rulefmt.go; of vmalert,
// https://github.com/VictoriaMetrics/VictoriaMetrics/blob/master/app/vmalert/config/config.go; of Mimir's and of Thanos's rulers.

/** Mimir names a group of files by `namespace`. */
const fileTable = mapping({ groups: anything, ...inertKeys("namespace", "apiVersion") });
const objectTable = objectOf(
  mapping({ groups: anything }),
  {},
  lost(
    (kind) => `a ${kind} object reads only the series of its own cluster or namespace; what is converted reads all`,
    objectKinds.filter((kind) => !/^(Cluster)?Rules$/.test(kind)),
  ),
);
const otherTenant = rejects("selects the tenant whose series the group reads, and what is converted reads its own");
const otherFilter = rejects("may select the series that the group reads, and has no counterpart");
const groupSchema = mapping({
  name: text.default(""),
  interval: timespan.default(0),
  limit: lost((value) => `the group's limit of ${value} alerts or series is left out`),
  /** The language of its expressions; other tools than Prometheus have several. */
  type: text.default("prometheus"),
  query_offset: lost((value) => `the group's query offset of ${value} is left out`),
  labels: textMapping.default({}),
  rules: sequence(anything).default([]),
  ...keysWith(otherTenant, "source_tenants", "tenant"),
  ...keysWith(otherFilter, "params", "headers", "extra_filter_labels"),
  datasource_type: rejects("selects another language than PromQL", ["prometheus"]),
  ...keysWith(lost(), "evaluation_delay", "eval_delay", "eval_offset", "align_evaluation_time_on_interval"),
  ...keysWith(lost(), "notifier_headers", "remote_write"),
  partial_response_strategy: lost(undefined, ["abort", "ABORT"]),
  eval_alignment: lost(undefined, ["true"]),
  ...inertKeys("concurrency", "debug"),
});

const ruleFields = { expr: text, type: text.optional(), labels: textMapping.default({}), ...inertKeys("debug") };
const recordSchema = mapping({ ...ruleFields, record: text, ...inertKeys("update_entries_limit") });
const alertSchema = mapping({
  ...ruleFields,
  alert: text,
  for: timespan.optional(),
  keep_firing_for: timespan.optional(),
  annotations: textMapping.default({}),
  ...inertKeys("update_entries_limit"),
});

interface Group extends AlertGroup {
  readonly labels: Readonly<Record<string, string>>;
  readonly type: string;
  /** The namespace and the name of the Kubernetes object that it is in. */
  readonly objectNames: readonly string[];
}

/** A range that PromQL and Loki's language have in common except for the metric's name. */
const logRange = /\b(?:rate|count_over_time|absent_over_time)\s*\(\s*\{(?!.*__name__)\s*\w+\s*[=!]/s;

function convertGroup(
  node: SourceNode,
  objectNames: readonly string[],
  builder: ConversionBuilder,
  recorded: Map<string, Recorded>,
): void {
  const read = builder.read(node, groupSchema, " of the group");
  const group: Group = { ...read, node, objectNames };
  const convertRule = (rule: SourceNode): void => {
    const isAlert = rule.at("alert").exists;
    if (isAlert === rule.at("record").exists) {
      throw new Rejection(rule, isAlert ? "it has both `alert` and `record`" : "it has neither `alert` nor `record`");
    }
    const type = rule.at("type").text ?? group.type;
    if (type !== "prometheus")
      throw new Rejection(rule.at("type"), `only expressions of the type prometheus can be converted, not ${type}`);
    if (logRange.test(rule.at("expr").text ?? "")) {
      const reason = "it reads streams without a metric's name, as rules of Loki do; only PromQL can be converted";
      throw new Rejection(rule.at("expr"), reason);
    }
    if (isAlert) convertAlert(rule, group, builder);
    else record(rule, group, recorded, builder);
  };
  builder.each(node.at("rules").items, convertRule, nameIn);
  builder.tell(read.name);
}

function convertAlert(rule: SourceNode, group: Group, builder: ConversionBuilder): void {
  const { alert, labels: own, annotations, ...read } = builder.read(rule, alertSchema);
  if (alert === "") throw new Rejection(rule.at("alert"), "the alert has no name");
  const labels = { ...group.labels, ...own };

  const expression = expressionOf(rule.at("expr"));
  const { threshold } = expression;
  const query = threshold?.query ?? vectorText(expression);
  if (threshold === undefined) {
    builder.current.note(
      expression.keepsEverySample
        ? "The outermost comparison has `bool`, so that every series fires, as in Prometheus. The whole expression is the query."
        : "Each series that the query returns fires: thresholds are in the query, whose outermost operation is not a comparison with a number.",
    );
  }
  loseOwnSeries(selectorsIn(query), rule.at("expr"), "it fires", builder);
  const hints = [group.name, ...group.objectNames];
  const times = { sustains: read.for, resolves: read.keep_firing_for };
  const fires = threshold ?? { query, op: "EXISTS" };
  addAlert(rule, { original: alert, hints, labels, annotations, ...fires, ...times }, group, builder);
}

/** A metric that one or more rules record. */
interface Recorded {
  readonly name: string;
  readonly rules: { readonly at: Place; readonly expression: string; readonly selectors: readonly NameMatchers[] }[];
  readonly diagnostics: Diagnostics;
}

function record(rule: SourceNode, group: Group, recorded: Map<string, Recorded>, builder: ConversionBuilder): void {
  const { record: name, labels: own, ...read } = builder.read(rule, recordSchema);
  if (name === "") throw new Rejection(rule.at("record"), "the recorded metric has no name");
  const text = withLabels(vectorText(expressionOf(rule.at("expr"), read.expr)), { ...group.labels, ...own });
  const selectors = selectorsIn(text);
  loseOwnSeries(selectors, rule.at("expr"), "it has series", builder);
  if (/\$[\w{]/.test(text)) {
    builder.lose(rule.at("expr"), "the expression contains a $, which starts a variable in a derived metric");
  }
  if (group.interval > 0) {
    builder.report(
      group.node.at("interval"),
      `the group's interval of ${group.interval} s is left out: a derived metric is computed when it is queried`,
    );
  }

  const metric = recorded.get(name) ?? { name, rules: [], diagnostics: new Diagnostics() };
  recorded.set(name, metric);
  metric.rules.push({ at: rule, expression: text, selectors });
  metric.diagnostics.include(builder.current.all);
}

/** Whether a metric is computed from itself, also by way of others. @param selects Which selectors count. */
function readsItself(
  name: string,
  all: readonly Recorded[],
  selects: (matchers: NameMatchers) => boolean,
  by = name,
  seen = new Set<string>(),
): boolean {
  const rules = all.find((each) => each.name === by)?.rules ?? [];
  const readers = rules.flatMap(({ selectors }) => selectors.filter(selects).map(readerOf));
  const read = all.filter((each) => readers.some((reads) => reads(each.name)));
  return read.some((each) => {
    if (each.name === name) return true;
    if (seen.has(each.name)) return false;
    seen.add(each.name);
    return readsItself(name, all, selects, each.name, seen);
  });
}

/** The selectors of an expression; none if they can't be determined. */
function selectorsIn(expression: string): readonly NameMatchers[] {
  const read = metricsRead(expression);
  return typeof read === "string" ? [] : read;
}

/** Adds a loss if some selectors read the series that a rule engine writes about its alerts. */
function loseOwnSeries(selectors: readonly NameMatchers[], at: Place, what: string, { lose }: ConversionBuilder): void {
  const readers = selectors.filter((matchers) => matchers.length > 0).map(readerOf);
  const own = ["ALERTS", "ALERTS_FOR_STATE"].find((name) => readers.some((reads) => reads(name)));
  if (own !== undefined)
    lose(at, `it reads ${own}, which only a rule engine writes: ${what} only for alerts that stay there`);
}

/** Several rules that record one metric are its series together: `or` takes each labels once, as Prometheus does. */
function derived({ name, rules, diagnostics }: Recorded): Finished {
  // The result depends on neither the order nor the names of the files.
  const sorted = [...rules].sort((a, b) => (a.expression < b.expression ? -1 : 1));
  const expressions = [...new Set(sorted.map(({ expression }) => expression))];
  const [{ at }] = sorted as [Recorded["rules"][0]]; // A metric has a rule.
  const isOne = expressions.length === 1;
  const labelExpr = isOne ? expressions.join() : expressions.map((each) => `(${each})`).join("\nor\n");
  if (!isOne) diagnostics.note(`${expressions.length} rules record this metric; they become one expression.`);
  return {
    kind: derivedMetric,
    at,
    original: name,
    args: { metricName: name, queries: [{ query: { labelExpr } }] },
    diagnostics,
  };
}

/** The expression with a rule's labels on each series: `label_replace` of nothing by a value sets it. */
function withLabels(expression: string, labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels).reduce((inner, [label, value]) => {
    const replacement = value.replaceAll("$", "$$$$");
    return `label_replace(${inner}, ${JSON.stringify(label)}, ${JSON.stringify(replacement)}, "", "")`;
  }, expression);
}
