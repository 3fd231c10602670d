import { overlaps, type Path } from "../../../provider/schema/walk";
import { alertsOf, defaultTimeWindow } from "../../../sdk/behavior/explainSLO";
import { minutesText } from "../../../sdk/behavior/durations";
import { severities } from "../../../sdk/behavior/signals";
import type { Resources } from "../../../sdk/standards/resources.gen";
import type * as types from "../../../sdk/types.gen";
import { isHidden } from "../../meaning/hidden";
import { severityIn } from "../../promql/severity";
import { type LocatedFinding, oppositeDirection } from "../risk";
import { listed } from "../../output/words";
import { changeText, unquotedText, withUnit } from "../values";
import {
  alertTexts,
  burnRateFindings,
  errorsDirection,
  explained,
  lengthening,
  neverFindings,
  sameAlerts,
} from "./burnRates";
import { conditionText } from "../conditionText";
import { directionOf } from "./conditions";
import { groupingFindings } from "./grouping";
import { classed, ending, growing, rulesFor, silenced, tending, textsAt } from "./rules";

type Definition = types.SloDefinition;

export const slo = rulesFor("SLO", {
  removed: "no longer notifies anyone when the objective is missed",
  alerting: ({ definition, sli = {} }, written) => {
    const hidden = [alertsIn(written)].filter(isHidden);
    const alerts = hidden.length > 0 ? [] : alertsOf(definition ?? {});
    const { customIndicator, customTimesliceIndicator: timeslices } = sli;
    return {
      queries: [
        ...textsAt(customIndicator, ["badQueryTemplate", "goodQueryTemplate", "totalQueryTemplate"]),
        ...textsAt(timeslices, ["queryTemplate"]),
        ...textsAt(sli, ["additionalLabelFilters"]),
      ],
      conditions: [
        ...(definition ? [objectiveText(definition)] : []),
        ...(timeslices?.condition ? [`good timeslice: ${conditionText(timeslices.condition)}`] : []),
        ...alertTexts(alerts).map((text) => `burn rate: ${text}`),
      ],
      severities: severities.filter((each) => alerts.some(({ severity }) => severityIn(severity) === each)),
      alerts: [...hidden.map((each) => ({ severity: each, labels: each })), ...alerts],
    };
  },
  idle: (resource) => (isOff(resource) ? "notifies nobody, because its burn-rate alerting is off" : undefined),
  changed: (before, after, written) => {
    const [old, now] = [before.definition ?? {}, after.definition ?? {}];
    const rest = [
      ...objectiveFindings(old, now),
      ...windowFindings(old, now),
      ...timesliceFindings(before.sli?.customTimesliceIndicator, after.sli?.customTimesliceIndicator, written.hidden),
      ...exchangeFindings(before.sli?.customIndicator, after.sli?.customIndicator),
      ...groupingFindings(before.signalGrouping, after.signalGrouping),
    ];
    return [
      ...silenced([before, after].map(isOff), rest),
      ...burnRateFindings(old, now, [written.before.definition, written.after.definition]),
      ...neverFindings(old, now, alertsIn(written.after)),
    ];
  },
  // Alerts that are off have no effect.
  same: (before, after) => {
    if (isOff(before) && isOff(after)) return [[["definition", "burnRateAlertingConfig"], "burn-rate alerting is off"]];
    return sameAlerts(before.definition ?? {}, after.definition ?? {});
  },
});

/** Whether nobody is notified. False if the definition, which is then left out here, or the switch is hidden. */
const isOff = ({ definition }: Resources["SLO"]) =>
  definition !== undefined && !isHidden(definition) && alertsOf(definition).length === 0;

/** The alerts that a program declares: if they are hidden, they are not the service's own. */
const alertsIn = ({ definition }: Resources["SLO"]): unknown =>
  isHidden(definition) ? definition : definition?.burnRateAlertingConfig;

const objectiveText = ({ objective, timeWindow = defaultTimeWindow }: Definition) =>
  `objective ${withUnit(objective, "%")} over ${unquotedText(timeWindow)}`;

function objectiveFindings(old: Definition, now: Definition): readonly LocatedFinding[] {
  const raised = growing(old.objective, now.objective);
  if (raised === undefined) return [];
  const own = oppositeDirection(raised);
  const allows = own === "alerts-more" ? "allows fewer errors" : "allows more errors";
  const [before, after] = [budgetOf(old), budgetOf(now)];
  const budgets = before && after && before !== after ? `, error budget ${before} → ${after}` : "";
  const text = `objective ${changeText(old.objective, now.objective, "%")}${budgets}: ${allows}`;
  return followed(old, now, classed("objective", own, text, [["definition", "objective"]]));
}

/** The finding with what its alerts do: those of other budgets may need fewer errors of more that are allowed. */
function followed(old: Definition, now: Definition, finding: LocatedFinding): readonly LocatedFinding[] {
  const direction = errorsDirection(old, now) ?? finding.direction;
  if (direction === finding.direction) return [finding];
  return [{ ...finding, direction, text: `${finding.text}, but its alerts ${alertEnds[direction]}` }];
}

const alertEnds = {
  "alerts-less": "fire from more errors",
  "alerts-more": "fire from fewer errors",
  unclear: "may not follow",
};

/** `40.3 min`; undefined if there is no error budget, or if the values are hidden. */
function budgetOf({ objective, timeWindow }: Definition): string | undefined {
  const minutes = explained({ objective, timeWindow })?.errorBudget.minutes;
  return minutes === undefined ? undefined : minutesText(minutes);
}

const windowFindings = (old: Definition, now: Definition) =>
  // The longer the window, the longer an outage may be before the objective is missed.
  tending(
    "threshold",
    lengthening(old.timeWindow, now.timeWindow),
    `time window ${changeText(old.timeWindow, now.timeWindow)}`,
    {
      "alerts-less": "one outage counts less",
      "alerts-more": "one outage counts more",
      unclear: "outages may count differently",
    },
    [["definition", "timeWindow"]],
  ).flatMap((finding) => followed(old, now, finding));

const roles = ["goodQueryTemplate", "badQueryTemplate", "totalQueryTemplate"] as const;

/** Queries that count other events than before. */
function exchangeFindings(old: types.CustomIndicator = {}, now: types.CustomIndicator = {}): readonly LocatedFinding[] {
  const isMoved = (from: (typeof roles)[number], to: (typeof roles)[number]) =>
    old[from] !== undefined && old[from] === now[to] && old[to] !== now[to] && old[from] !== now[from];
  const moved = roles.flatMap((from) => roles.filter((to) => isMoved(from, to)).map((to) => [from, to]));
  if (moved.length === 0) return [];
  const text = listed(moved.map(([from = "", to = ""]) => `${from} is now ${to}`));
  const at = moved.flat().map((name) => ["sli", "customIndicator", name]);
  return [classed("query", "unclear", `${text}: may invert the share of good events`, at)];
}

type Timeslices = types.CustomTimesliceIndicator;

function timesliceFindings(
  old: Timeslices | undefined,
  now: Timeslices | undefined,
  hidden: readonly Path[],
): readonly LocatedFinding[] {
  // A different indicator is reported by its queries.
  if (old === undefined || now === undefined) return [];
  const [before, after] = [old.condition ?? {}, now.condition ?? {}];
  const met = directionOf([before], [after]);
  // The condition selects the good timeslices: the more often it is met, the less often the objective is missed.
  const text = `good timeslice ${conditionText(before)} → ${conditionText(after)}`;
  const ends = {
    "alerts-less": "more timeslices count as good",
    "alerts-more": "fewer timeslices count as good",
    unclear: "other timeslices may count as good",
  };
  const found = tending("threshold", met && oppositeDirection(met), text, ends, [
    ["sli", "customTimesliceIndicator", "condition"],
  ]);
  const isKnown = !overlaps(["sli", "customTimesliceIndicator", "queryTemplate"], hidden);
  return isKnown && old.queryTemplate === now.queryTemplate ? found : ending(ends.unclear, found);
}
