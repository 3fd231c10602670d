import { valueAt } from "../../../provider/schema/walk";
import type * as types from "../../../sdk/types.gen";
import { seconds } from "../../promql/durations";
import { type Direction, type Finding, opposite, together } from "../risk";
import { arrow, shown, withUnit } from "../values";
import { conditionText, directionOf } from "./conditions";
import { growing, loosening, rulesFor, withoutCommon } from "./rules";
import { policyFindings, textFindings } from "./texts";

type Definition = types.SloDefinition;

export const slo = rulesFor("SLO", {
  removed: "nobody is told when it is missed",
  areas: [
    { path: ["definition", "objective"], class: "objective-lowered", words: "the objective" },
    { path: ["definition", "enableBurnRateAlerting"], class: "burn-rate-off", words: "burn-rate alerting" },
    { path: ["definition"], class: "laxer", words: "the definition" },
    { path: ["sli"], class: "query-changed", words: "the indicator" },
    { path: ["notificationPolicySlug"], class: "target-changed", words: "the notification policy" },
  ],
  changed: (before, after) => {
    const [old, now] = [before.definition ?? {}, after.definition ?? {}];
    return [
      ...objectiveFindings(old, now),
      ...windowFindings(old, now),
      ...burnRateFindings(old, now),
      ...indicatorFindings(before.sli ?? {}, after.sli ?? {}),
      ...policyFindings(before, after),
    ];
  },
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

/** The direction of a duration that makes people hear less the longer it is. */
function lengthening(before = "", after = ""): Direction | undefined {
  if (before === after) return undefined;
  const [old, now] = [seconds(before), seconds(after)];
  return old === undefined || now === undefined ? "unclear" : growing(old, now);
}

function burnRateFindings(old: Definition, now: Definition): readonly Finding[] {
  const [was, is] = [old.enableBurnRateAlerting === true, now.enableBurnRateAlerting === true];
  if (was && !is) {
    const text = "burn-rate alerting is off: nobody is told while the error budget burns";
    return [{ class: "burn-rate-off", direction: "laxer", text }];
  }
  if (!was && is) return [loosening("stricter", "burn-rate alerting is on")];
  if (!is) return [];
  const [gone, added] = withoutCommon(old.burnRateAlertingConfig ?? [], now.burnRateAlertingConfig ?? [], alertKey);
  return [
    ...gone.flatMap((alert, i) => {
      const other = added[i];
      if (other === undefined) return [loosening("laxer", `burn-rate alert ${alertText(alert)} is removed`)];
      return alertFindings(alert, other);
    }),
    ...added.slice(gone.length).map((alert) => loosening("stricter", `burn-rate alert ${alertText(alert)} is added`)),
  ];
}

const alertKey = ({ window, budget = 0, severity = "" }: types.BurnRateAlert) =>
  JSON.stringify([seconds(window ?? "") ?? window, budget, severity]);

/** `2 % in "1h"` */
const alertText = ({ window, budget = 0 }: types.BurnRateAlert) => `${withUnit(budget, "%")} in ${shown(window)}`;

function alertFindings(old: types.BurnRateAlert, now: types.BurnRateAlert): readonly Finding[] {
  const window = lengthening(old.window, now.window);
  const directions = [
    growing(old.budget, now.budget),
    // The same share burns sooner within a longer window.
    window && opposite(window),
    (old.severity ?? "") === (now.severity ?? "") ? undefined : ("unclear" as const),
  ].filter((each) => each !== undefined);
  const direction = together(directions);
  if (direction === undefined) return [];
  const severity =
    (old.severity ?? "") === (now.severity ?? "") ? "" : `, severity ${arrow(old.severity, now.severity)}`;
  const end = { laxer: "fires later", stricter: "fires earlier", unclear: "fires at other times" }[direction];
  return [loosening(direction, `burn-rate alert ${alertText(old)} → ${alertText(now)}${severity}: ${end}`)];
}

function indicatorFindings(old: types.Sli, now: types.Sli): readonly Finding[] {
  return [
    ...timesliceFindings(old.customTimesliceIndicator, now.customTimesliceIndicator),
    ...queries.flatMap(([what, path]) => {
      const [from, to] = [valueAt(old, path), valueAt(now, path)] as (string | undefined)[]; // the fields are texts
      return textFindings("query-changed", what, from, to, "counts something else");
    }),
  ];
}

const queries = [
  ["label filters", ["additionalLabelFilters"]],
  ["total query", ["customIndicator", "totalQueryTemplate"]],
  ["bad query", ["customIndicator", "badQueryTemplate"]],
  ["good query", ["customIndicator", "goodQueryTemplate"]],
  ["timeslice query", ["customTimesliceIndicator", "queryTemplate"]],
] as const;

type Timeslices = types.CustomTimesliceIndicator;

function timesliceFindings(old: Timeslices | undefined, now: Timeslices | undefined): readonly Finding[] {
  // Another indicator altogether shows by its queries.
  if (old === undefined || now === undefined) return [];
  const [before, after] = [old.condition ?? {}, now.condition ?? {}];
  const met = directionOf([before], [after]);
  const size = textFindings(
    "query-changed",
    "timeslice size",
    old.timesliceSize,
    now.timesliceSize,
    "counts otherwise",
  );
  if (met === undefined) return size;
  // The condition tells the good ones: the more often it holds, the less is missed.
  const direction = opposite(met);
  const end = {
    laxer: "more timeslices are good",
    stricter: "fewer timeslices are good",
    unclear: "other timeslices are good",
  };
  const text = `good timeslice ${conditionText(before)} → ${conditionText(after)}: ${end[direction]}`;
  return [loosening(direction, text), ...size];
}
