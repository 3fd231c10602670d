import { severities, type Severity } from "../../../sdk/behavior/signals";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { isImplied } from "../normal/conditions";
import type { Direction, LocatedFinding } from "../risk";
import { arrow } from "../values";
import { conditionFindings, conditionKey, type Conditions, conditionText, type Defaults } from "./conditions";
import { groupingFindings } from "./grouping";
import { hidesDefaults, overrideFindings, type Side } from "./overrides";
import { classed, growing, matched, rulesFor, tending } from "./rules";
import { isScheduleRead, scheduleFindings } from "./schedule";

type Monitor = Resources["Monitor"];

export const monitor = rulesFor("Monitor", {
  removed: "it no longer fires",
  changed: (before, after) => {
    const [old, now] = [sideOf(before), sideOf(after)];
    return [
      ...(hidesDefaults(old) || hidesDefaults(now) ? [] : severityFindings(old.defaults, now.defaults)),
      ...overrideFindings(old, now),
      ...scheduleFindings(before.schedule, after.schedule),
      ...intervalFindings(before, after),
      ...groupingFindings(before.signalGrouping, after.signalGrouping),
    ];
  },
  same: ({ schedule: old }, { schedule: now }) => [
    ["seriesConditions"],
    ...(isScheduleRead(old) && isScheduleRead(now) ? [["schedule"]] : []),
  ],
});

const sideOf = (monitor: Monitor): Side => ({
  overrides: monitor.seriesConditions?.overrides ?? [],
  defaults: defaultsOf(monitor),
});

const defaultsOf = ({ seriesConditions }: Monitor): Defaults => ({
  critical: seriesConditions?.defaults?.critical?.conditions ?? [],
  warn: seriesConditions?.defaults?.warn?.conditions ?? [],
});

/** A condition that only changes its severity is reported once. */
function severityFindings(old: Defaults, now: Defaults): readonly LocatedFinding[] {
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
    ...severities.flatMap((each) => conditionFindings(each, old[each], now[each], pathOf(each), [...down, ...up])),
  ];
}

/** The conditions that move from one severity to the other, and have an effect on both. */
const moved = (old: Defaults, now: Defaults, from: Severity, to: Severity): Conditions =>
  matched(old[from], now[to], conditionKey).pairs.flatMap(([each]) =>
    isImplied(each, now[from]) || isImplied(each, old[to]) ? [] : [each],
  );

const intervalFindings = ({ intervalSecs: old }: Monitor, { intervalSecs: now }: Monitor) =>
  tending(
    "threshold",
    growing(old, now),
    `evaluated every ${arrow(old, now, "s")}`,
    {
      "alerts-less": "detects problems later",
      "alerts-more": "detects problems earlier",
      unclear: "detects problems at other times",
    },
    [["intervalSecs"]],
  );
