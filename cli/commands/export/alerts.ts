import { severities } from "../../../sdk/behavior/signals";
import { isWithin } from "../../../provider/schema/walk";
import { prometheusDuration } from "../../../sdk/behavior/durations";
import { type Expression, promqlProblem, vectorText } from "../../promql/expression";
import { listed } from "../../output/words";
import { type Alert, type Exported, rejected, rejecting } from "./exported";
import { requirementsOf } from "./requirements";
import { isTemplate, shownAsItIs } from "./template";
import { severityLabel } from "../../promql/severity";
import { hiddenIn, holdsHidden } from "../../meaning/hidden";
import { expressionIn, type MonitorArguments } from "../../preview/monitors";
import { valueText } from "../../consequences/values";

type SeriesConditions = NonNullable<MonitorArguments["seriesConditions"]>;
type Condition = NonNullable<NonNullable<NonNullable<SeriesConditions["defaults"]>["critical"]>["conditions"]>[number];

const operators: Readonly<Record<string, string>> = { GT: ">", GEQ: ">=", LT: "<", LEQ: "<=", EQ: "==", NEQ: "!=" };

/** The alerts that fire as a monitor does, as far as Prometheus rules can express it. */
export const exportMonitor = rejecting(alertsOf);

function alertsOf(title: string, args: MonitorArguments): Exported {
  const intervalSecs = args.intervalSecs || undefined;
  const reject = (rejection: string) => rejected(title, rejection, intervalSecs);
  const { name, labels, annotations, labelQuery, seriesConditions } = args;
  const exported = { name, labels, annotations, intervalSecs, labelQuery, seriesConditions };
  const hidden = hiddenIn(exported).find(({ path }) => !isWithin(path, [["seriesConditions", "overrides"]]));
  if (hidden !== undefined) return reject(`its ${hidden.text}`);
  const expression = expressionIn(args);
  if (typeof expression === "string") return reject(expression);

  const losses = [...requirementsOf(expression.text)];
  const alerts: Alert[] = [];
  const [ownLabels, ownAnnotations] = [textsOf("label", labels, losses), textsOf("annotation", annotations, losses)];
  for (const severity of severities) {
    const conditions = seriesConditions?.defaults?.[severity]?.conditions ?? [];
    const word = severityLabel(labels?.severity, severity);
    conditions.forEach((condition, at) => {
      const { sustainSecs = 0, resolveSustainSecs = 0 } = condition;
      const expr = exprOf(expression, condition);
      if (expr === undefined) {
        losses.push(`a condition with op ${JSON.stringify(condition.op)} has no counterpart`);
        return;
      }
      const problem = promqlProblem(expr);
      if (problem !== undefined) {
        losses.push(`the alert ${expr} is left out: ${problem}`);
        return;
      }
      if (condition.op === "NOT_EXISTS") {
        losses.push("absent(…) fires only if the query returns no series at all, not if one of several is missing");
      }
      // Prometheus treats two alerts with the same name and labels as duplicates.
      const number = conditions.length > 1 ? { condition: `${at + 1}` } : {};
      alerts.push({
        alert: name || title,
        expr,
        ...(sustainSecs > 0 && { for: prometheusDuration(sustainSecs) }),
        ...(resolveSustainSecs > 0 && { keep_firing_for: prometheusDuration(resolveSustainSecs) }),
        labels: { ...ownLabels, ...(word !== labels?.severity && { severity: word }), ...number },
        ...(Object.keys(ownAnnotations).length > 0 && { annotations: ownAnnotations }),
      });
    });
    const own = labels?.severity;
    if (conditions.length > 0 && own !== undefined && own !== word)
      losses.push(`the label severity ${JSON.stringify(own)} is ${word} in the alerts of its ${severity} conditions`);
    if (conditions.length > 1 && labels?.condition !== undefined)
      losses.push("the label condition is replaced by the number of the condition");
    if (conditions.length > 1)
      losses.push(`each ${severity} condition becomes its own alert, distinguished by a label`);
  }
  const texts = [name, labelQuery, ...[labels, annotations].flatMap((each = {}) => Object.entries(each).flat())];
  if (texts.some((each = "") => /\p{Surrogate}/u.test(each)))
    losses.push("half of a character, which no file can have, is written as U+FFFD");
  if (alerts.length === 0) return reject(losses[0] ?? "it has no conditions in seriesConditions.defaults");
  return { name: title, intervalSecs, alerts, losses: [...new Set([...lossesOf(args), ...losses])] };
}

/** Labels or annotations as a file has them that loads, with the losses of that. */
function textsOf(what: string, texts: Readonly<Record<string, string>> = {}, losses: string[]): Record<string, string> {
  const kept = Object.entries(texts).filter(([key]) => key !== "" && key !== "__name__");
  for (const key of Object.keys(texts).filter((each) => !kept.some(([name]) => name === each)))
    losses.push(`the ${what} ${JSON.stringify(key)} is left out: Prometheus has no such name`);
  const newer = kept.map(([key]) => key).filter((key) => !/^[A-Za-z_]\w*$/.test(key));
  if (newer.length > 0)
    losses.push(`only Prometheus 3 reads the ${what} ${listed(newer)}: Prometheus 2 rejects the file`);
  const asTheyAre = kept.filter(([, text]) => !isTemplate(text));
  if (asTheyAre.length > 0)
    losses.push(
      `the ${what} ${listed(asTheyAre.map(([key]) => key))} is escaped, to be shown as it is: Prometheus may not read it as a template`,
    );
  return Object.fromEntries(kept.map(([key, text]) => [key, isTemplate(text) ? text : shownAsItIs(text)]));
}

function exprOf(expression: Expression, { op = "", value = 0 }: Condition): string | undefined {
  const vector = vectorText(expression);
  if (op === "EXISTS") return vector;
  if (op === "NOT_EXISTS") return `absent(${vector})`;
  const operator = operators[op];
  if (operator === undefined) return undefined;
  return `${expression.isOperation ? `(${vector})` : vector} ${operator} ${value}`;
}

/** Parts of a monitor that Prometheus rules can't express. */
function lossesOf(args: MonitorArguments): string[] {
  return [
    args.seriesConditions?.overrides?.length &&
      "its overrides are left out: their series follow the default conditions",
    args.schedule && "its schedule is left out: add active_time_intervals to the routes of Alertmanager",
    groupingLoss(args.signalGrouping),
    args.notificationPolicySlug &&
      `its notification policy ${valueText(args.notificationPolicySlug)} is left out: route by labels in Alertmanager`,
  ].filter((loss) => typeof loss === "string");
}

function groupingLoss(grouping: MonitorArguments["signalGrouping"] = {}): string | undefined {
  if (holdsHidden(grouping)) return "its signalGrouping is hidden: add group_by to the route of Alertmanager";
  const { labelNames = [], signalPerSeries } = grouping;
  const names = labelNames.join(", ");
  if (names !== "")
    return `it makes one signal for each ${names}: add group_by: [${names}] to the route of Alertmanager`;
  return signalPerSeries ? undefined : "it makes one signal of all series: add group_by to the route of Alertmanager";
}
