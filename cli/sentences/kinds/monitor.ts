import { severities, type Severity } from "../../../sdk/behavior/signals";
import type { Resources } from "../../../sdk/standards/resources.gen";
import type { SeverityConditions } from "../../../sdk/types.gen";
import { isImplied } from "../../equality/normal/conditions";
import type { Direction, LocatedFinding } from "../risk";
import { changeText } from "../values";
import {
  conditionFindings,
  conditionKey,
  type Conditions,
  conditionText,
  type DefaultConditions,
  roundedTo,
} from "./conditions";
import { groupingFindings } from "./grouping";
import {
  conditionsOf,
  hidesDefaults,
  overrideFindings,
  seriesOf,
  overrideSeverity,
  type ConditionsSide,
} from "./overrides";
import { classed, matched, rulesFor, textsAt } from "./rules";
import { isNeverActive, isScheduleRead, scheduleFindings } from "./schedule";

type Monitor = Resources["Monitor"];

export const monitor = rulesFor("Monitor", {
  removed: "it no longer fires",
  idle: ({ schedule }) =>
    isNeverActive(schedule) ? "it never fired, because its schedule is never active" : undefined,
  gap: ({ schedule }) => (isNeverActive(schedule) ? "never fires, because its schedule is never active" : undefined),
  alerting: (monitor) => {
    const { defaults, overrides } = sideOf(monitor, undefined);
    return {
      queries: textsAt(monitor, ["labelQuery", "dottedQuery", "loggingQuery"]),
      conditions: [
        ...severities.flatMap((each) => defaults[each].map((condition) => `${each}: ${conditionText(condition)}`)),
        ...overrides.map((each) => `${seriesOf(each)}: ${conditionsOf(each).map(conditionText).join(" or ")}`),
      ],
      severities: severities.filter(
        (each) => defaults[each].length > 0 || (overrides.length > 0 && overrideSeverity(defaults) === each),
      ),
    };
  },
  changed: (before, after) => {
    if (isNeverActive(before.schedule) && isNeverActive(after.schedule)) return [];
    // A change of the interval is reported by itself.
    const interval = before.intervalSecs === after.intervalSecs ? before.intervalSecs : undefined;
    const [old, now] = [sideOf(before, interval), sideOf(after, interval)];
    return [
      ...(hidesDefaults(old) || hidesDefaults(now) ? [] : severityFindings(old.defaults, now.defaults)),
      ...overrideFindings(old, now),
      ...scheduleFindings(before.schedule, after.schedule),
      ...intervalFindings(before, after),
      ...groupingFindings(before.signalGrouping, after.signalGrouping),
    ];
  },
  same: ({ schedule: old }, { schedule: now }) =>
    // Of a monitor that never fires, nothing has an effect.
    isNeverActive(old) && isNeverActive(now)
      ? [[]]
      : [["seriesConditions"], ...(isScheduleRead(old) && isScheduleRead(now) ? [["schedule"]] : [])],
});

function sideOf({ seriesConditions }: Monitor, interval: number | undefined): ConditionsSide {
  const rounded = (all: SeverityConditions | undefined) => roundedTo(interval, all?.conditions ?? []);
  const { overrides = [], defaults } = seriesConditions ?? {};
  return {
    overrides: overrides.map((each) => ({
      ...each,
      severityConditions: { conditions: [...rounded(each.severityConditions)] },
    })),
    defaults: { critical: rounded(defaults?.critical), warn: rounded(defaults?.warn) },
  };
}

/** A condition that only changes its severity is reported once. */
function severityFindings(old: DefaultConditions, now: DefaultConditions): readonly LocatedFinding[] {
  const down = moved(old, now, "critical", "warn");
  const up = moved(old, now, "warn", "critical");
  const pathOf = (severity: Severity) => ["seriesConditions", "defaults", severity, "conditions"];
  const find = (conditions: Conditions, to: Severity, from: Severity, direction: Direction) =>
    conditions.map((each) => {
      const text = `${conditionText(each)} fires as ${to}, no longer as ${from}`;
      return classed("threshold", direction, text, severities.map(pathOf));
    });
  return [
    ...find(down, "warn", "critical", "alerts-less"),
    ...find(up, "critical", "warn", "alerts-more"),
    ...severities.flatMap((each) =>
      conditionFindings(`${each} condition`, old[each], now[each], pathOf(each), [...down, ...up]),
    ),
  ];
}

/** The conditions that move from one severity to the other, and have an effect on both. */
const moved = (old: DefaultConditions, now: DefaultConditions, from: Severity, to: Severity): Conditions =>
  matched(old[from], now[to], conditionKey).pairs.flatMap(([each]) =>
    isImplied(each, now[from]) || isImplied(each, old[to]) ? [] : [each],
  );

/** More time between evaluations is not less: what ends a sustain is missed, too. */
const intervalFindings = ({ intervalSecs: old }: Monitor, { intervalSecs: now }: Monitor) =>
  old === now
    ? []
    : [
        classed("threshold", "unclear", `evaluated every ${changeText(old, now, "s")}: may fire at other times`, [
          ["intervalSecs"],
        ]),
      ];
