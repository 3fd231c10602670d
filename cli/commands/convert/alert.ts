import type { Severity } from "../../../sdk/behavior/signals";
import type { JsonObject } from "../../../provider/wire/json";
import { severityIn } from "../../promql/severity";
import type { Place } from "./sourceNode";
import { nonEmpty, type Diagnostics } from "./conversionBuilder";

// What the formats of alerts have in common.

// Words that convert without a loss.
const exact = ["critical", "page", "warning", "warn", "ticket"];

/** The severity that a label's value means. An unknown value is critical, so that the alert still pages. */
export function alertSeverity(value: string | undefined, at: Place, diagnostics: Diagnostics): Severity {
  const severity = severityIn(value);
  if (value === undefined || value === "") diagnostics.lose(at, "it has no severity, so it becomes critical");
  else if (severity === undefined)
    diagnostics.lose(at, `the severity ${JSON.stringify(value)} is unknown, so it becomes critical`);
  else if (!exact.includes(value.toLowerCase()))
    diagnostics.lose(at, `the severity ${JSON.stringify(value)} becomes ${severity}: there are only critical and warn`);
  return severity ?? "critical";
}

/** The comparisons of Grafana and OpenSLO, and a monitor's names of them. */
export const comparisons = { gt: "GT", lt: "LT", gte: "GEQ", lte: "LEQ", eq: "EQ", ne: "NEQ" } as const;

/** A duration in whole seconds; undefined if there is none. @param what The name of the duration, with its article. */
export function wholeSeconds(at: Place, what: string, secs = 0, diagnostics: Diagnostics): number | undefined {
  if (!Number.isInteger(secs)) diagnostics.lose(at, `${what} of ${secs} s is rounded up to whole seconds`);
  return Math.ceil(secs) || undefined;
}

interface AlertRule {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly intervalSecs: number | undefined;
  readonly labelQuery: string;
  readonly severity: Severity;
  readonly condition: JsonObject;
  /** Whether all series are one alert: usually each is one, as in Prometheus and Grafana. */
  readonly isOneSignal?: boolean | undefined;
}

/** A monitor of one condition. */
export const monitorArgs = ({
  labels,
  annotations,
  intervalSecs,
  labelQuery,
  severity,
  condition,
  isOneSignal = false,
}: AlertRule) => ({
  ...nonEmpty("labels", labels),
  ...nonEmpty("annotations", annotations),
  intervalSecs,
  labelQuery,
  seriesConditions: { defaults: { [severity]: { conditions: [condition] } } },
  ...(isOneSignal ? {} : { signalGrouping: { signalPerSeries: true } }),
});
