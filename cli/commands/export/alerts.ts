import type { Severity } from "../../../sdk/behavior/signals";
import { formatPath } from "../../../provider/schema/walk";
import { unknownPaths } from "../../../provider/values/unknown";
import { duration } from "../../../sdk/behavior/durations";
import { type Expression, vectorText } from "../../promql/expression";
import { severityIn } from "../../promql/severity";
import { expressionIn, type MonitorArguments } from "../../stacks/monitors";

/** An alert of a Prometheus rule file. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What a monitor becomes. */
export interface Exported {
  /** The name that messages use. */
  readonly name: string;
  /** Undefined if the program says none: the interval is then that of Prometheus. */
  readonly intervalSecs: number | undefined;
  readonly alerts: readonly Alert[];
  /** What of the monitor has no counterpart. */
  readonly losses: readonly string[];
  /** Why there is no alert at all. */
  readonly refusal?: string;
}

type SeriesConditions = NonNullable<MonitorArguments["seriesConditions"]>;
type Condition = NonNullable<NonNullable<NonNullable<SeriesConditions["defaults"]>["critical"]>["conditions"]>[number];

const operators: Readonly<Record<string, string>> = { GT: ">", GEQ: ">=", LT: "<", LEQ: "<=", EQ: "==", NEQ: "!=" };
const severities = ["critical", "warn"] as const satisfies readonly Severity[];
/** The word that rules of Prometheus use for each. */
const words = { critical: "critical", warn: "warning" } as const satisfies Record<Severity, string>;

/** The alerts that fire as a monitor does, as far as rules of Prometheus can say it. */
export function exportMonitor(title: string, args: MonitorArguments): Exported {
  const intervalSecs = args.intervalSecs || undefined;
  const refuse = (refusal: string): Exported => ({ name: title, intervalSecs, alerts: [], losses: [], refusal });
  const { name, labels, annotations, labelQuery, seriesConditions } = args;
  const [unknown] = unknownPaths({ name, labels, annotations, intervalSecs, labelQuery, seriesConditions });
  if (unknown !== undefined) return refuse(`its ${formatPath(unknown)} is known only after the update`);
  const expression = expressionIn(args);
  if (typeof expression === "string") return refuse(expression);

  const losses = lossesOf(args);
  const alerts: Alert[] = [];
  for (const severity of severities) {
    const conditions = seriesConditions?.defaults?.[severity]?.conditions ?? [];
    conditions.forEach((condition, at) => {
      const { sustainSecs = 0, resolveSustainSecs = 0 } = condition;
      const expr = exprOf(expression, condition);
      if (expr === undefined) {
        losses.push(`a condition with op ${JSON.stringify(condition.op)} has no counterpart`);
        return;
      }
      if (condition.op === "NOT_EXISTS") {
        losses.push("absent(…) fires only if the query returns no series at all, not if one of several is missing");
      }
      // Prometheus takes two alerts of one name and the same labels for duplicates.
      const number = conditions.length > 1 ? { condition: `${at + 1}` } : {};
      alerts.push({
        alert: name || title,
        expr,
        ...(sustainSecs > 0 && { for: duration(sustainSecs) }),
        ...(resolveSustainSecs > 0 && { keep_firing_for: duration(resolveSustainSecs) }),
        labels: { ...labels, ...severityLabel(args, severity), ...number },
        ...(annotations && Object.keys(annotations).length > 0 && { annotations }),
      });
    });
    if (conditions.length > 1) losses.push(`each ${severity} condition is an alert of its own, told apart by a label`);
  }
  if (alerts.length === 0) return refuse(losses[0] ?? "it has no conditions in seriesConditions.defaults");
  return { name: title, intervalSecs, alerts, losses: [...new Set(losses)] };
}

function exprOf(expression: Expression, { op = "", value = 0 }: Condition): string | undefined {
  const vector = vectorText(expression);
  if (op === "EXISTS") return vector;
  if (op === "NOT_EXISTS") return `absent(${vector})`;
  const operator = operators[op];
  if (operator === undefined) return undefined;
  return `${expression.isOperation ? `(${vector})` : vector} ${operator} ${value}`;
}

/** The label `severity`: the monitor's own, if it means the same. */
function severityLabel({ labels = {} }: MonitorArguments, severity: Severity) {
  const own = labels.severity;
  // As "convert" reads it: what it cannot tell is critical.
  const isSame = own !== undefined && (severityIn(own) ?? "critical") === severity;
  return isSame ? {} : { severity: words[severity] };
}

/** What rules of Prometheus cannot say. */
function lossesOf(args: MonitorArguments): string[] {
  const { labelNames, signalPerSeries } = args.signalGrouping ?? {};
  const overrides = args.seriesConditions?.overrides?.length ?? 0;
  return [
    overrides > 0 && `its ${overrides} overrides are left out: their series follow the default conditions`,
    args.schedule && "its schedule is left out: write active_time_intervals into the routes of Alertmanager",
    labelNames?.length &&
      `it makes one signal for each ${labelNames.join(", ")}: write group_by: [${labelNames.join(", ")}] into the route of Alertmanager`,
    !labelNames?.length &&
      !signalPerSeries &&
      "it makes one signal of all series: write group_by into the route of Alertmanager",
    args.notificationPolicySlug &&
      `its notification policy ${JSON.stringify(args.notificationPolicySlug)} is left out: route by labels in Alertmanager`,
  ].filter((loss) => typeof loss === "string");
}
