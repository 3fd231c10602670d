import type * as types from "../../../sdk/types.gen";
import { type Finding, opposite } from "../risk";
import { arrow } from "../values";
import { burnRateFindings, lengthening } from "./burnRates";
import { conditionText, directionOf } from "./conditions";
import { groupingFindings } from "./grouping";
import { growing, loosening, rulesFor } from "./rules";

type Definition = types.SloDefinition;

export const slo = rulesFor("SLO", {
  removed: "nobody is told when it is missed",
  changed: (before, after) => {
    const [old, now] = [before.definition ?? {}, after.definition ?? {}];
    return [
      ...objectiveFindings(old, now),
      ...windowFindings(old, now),
      ...burnRateFindings(old, now),
      ...timesliceFindings(before.sli?.customTimesliceIndicator, after.sli?.customTimesliceIndicator),
      ...groupingFindings(before.signalGrouping, after.signalGrouping),
    ];
  },
  // Alerts that are off decide nothing.
  same: ({ definition: old }, { definition: now }) =>
    old?.enableBurnRateAlerting || now?.enableBurnRateAlerting ? [] : [["definition", "burnRateAlertingConfig"]],
});

function objectiveFindings({ objective: old }: Definition, { objective: now }: Definition): readonly Finding[] {
  const raised = growing(old, now);
  if (raised === undefined) return [];
  const direction = opposite(raised);
  const text = `objective ${arrow(old, now, "%")}`;
  if (direction === "stricter") return [{ class: "stricter", direction, text: `${text}: promises more` }];
  return [{ class: "objective-lowered", direction, text: `${text}: promises less` }];
}

function windowFindings({ timeWindow: old }: Definition, { timeWindow: now }: Definition): readonly Finding[] {
  const direction = lengthening(old, now);
  if (direction === undefined) return [];
  // The longer the window, the longer an outage may be before the objective is missed.
  const end = {
    laxer: "one outage weighs less",
    stricter: "one outage weighs more",
    unclear: "weighs outages otherwise",
  };
  return [loosening(direction, `time window ${arrow(old, now)}: ${end[direction]}`)];
}

type Timeslices = types.CustomTimesliceIndicator;

function timesliceFindings(old: Timeslices | undefined, now: Timeslices | undefined): readonly Finding[] {
  // Another indicator altogether shows by its queries.
  if (old === undefined || now === undefined) return [];
  const [before, after] = [old.condition ?? {}, now.condition ?? {}];
  const met = directionOf([before], [after]);
  if (met === undefined) return [];
  // The condition tells the good ones: the more often it holds, the less is missed.
  const direction = opposite(met);
  const end = {
    laxer: "more timeslices are good",
    stricter: "fewer timeslices are good",
    unclear: "other timeslices are good",
  };
  return [loosening(direction, `good timeslice ${conditionText(before)} → ${conditionText(after)}: ${end[direction]}`)];
}
