import { monitor } from "../../../provider/kinds/monitor";
import type { Severity } from "../../../sdk/behavior/signals";
import { severityIn } from "../../promql/severity";
import type { Place, SourceNode } from "../../source/sourceNode";
import { type ConversionBuilder, nonEmpty } from "./conversionBuilder";

// What the formats of alerts have in common.

// Words that convert without a loss.
const exact = ["critical", "page", "warning", "warn", "ticket"];

/** The severity that a label's value means. An unknown value is critical, so that the alert still pages. */
export function alertSeverity(value: string | undefined, at: Place, builder: ConversionBuilder): Severity {
  const severity = severityIn(value);
  if (value === undefined || value === "") builder.report(at, "it has no severity, so it becomes critical");
  else if (severity === undefined)
    builder.report(at, `the severity ${JSON.stringify(value)} is unknown, so it becomes critical`);
  else if (!exact.includes(value.toLowerCase()))
    builder.report(at, `the severity ${JSON.stringify(value)} becomes ${severity}: there are only critical and warn`);
  return severity ?? "critical";
}

/** The comparisons of Grafana and OpenSLO, and a monitor's names of them. */
export const comparisons = { gt: "GT", lt: "LT", gte: "GEQ", lte: "LEQ", eq: "EQ", ne: "NEQ" } as const;

/** When an alert fires. */
export interface QueryCondition {
  readonly query: string;
  readonly op: string;
  readonly value?: number;
  /** Whether all series are one alert: usually each is one, as in Prometheus and Grafana. */
  readonly isOneSignal?: true;
}

export interface AlertGroup {
  readonly node: SourceNode;
  readonly name: string;
  /** In seconds. */
  readonly interval: number;
}

interface AlertRule extends QueryCondition {
  readonly original: string;
  readonly uid?: string | undefined;
  /** What distinguishes it from others of its name, after its severity and group. */
  readonly hints: readonly (string | undefined)[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** In seconds. */
  readonly sustains: number | undefined;
  readonly resolves: number | undefined;
}

/** Adds the monitor of a rule of Prometheus or Grafana. */
export function addAlert(
  rule: SourceNode,
  { labels, annotations, ...alert }: AlertRule,
  group: AlertGroup,
  builder: ConversionBuilder,
): void {
  const wholeSeconds = (at: Place, what: string, secs = 0) => {
    if (!Number.isInteger(secs)) builder.report(at, `${what} of ${secs} s is rounded up to whole seconds`);
    return Math.ceil(secs) || undefined;
  };
  const { severity: severityLabel = "", ...others } = labels;
  const severity = alertSeverity(labels.severity, rule.at("labels", "severity"), builder);
  builder.templatesStay(rule, [...Object.values(labels), ...Object.values(annotations)]);
  const condition = {
    op: alert.op,
    value: alert.value,
    sustainSecs: wholeSeconds(rule.at("for"), "`for`", alert.sustains),
    resolveSustainSecs: wholeSeconds(rule.at("keep_firing_for"), "`keep_firing_for`", alert.resolves),
  };
  const intervalSecs = wholeSeconds(group.node.at("interval"), "the group's interval", group.interval);
  builder.add({
    kind: monitor,
    at: rule,
    group: group.name,
    original: alert.original,
    uid: alert.uid,
    hints: [severityLabel, ...alert.hints.map((hint = "") => hint), Object.values(others).sort().join("-")],
    args: {
      ...nonEmpty("labels", labels),
      ...nonEmpty("annotations", annotations),
      intervalSecs,
      labelQuery: alert.query,
      seriesConditions: { defaults: { [severity]: { conditions: [condition] } } },
      ...(alert.isOneSignal ? {} : { signalGrouping: { signalPerSeries: true } }),
    },
  });
}
