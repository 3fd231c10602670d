import type { Resources } from "../../../sdk/standards/resources.gen";
import type { LocatedFinding } from "../risk";
import { arrow } from "../values";
import { conditionFindings, conditionKey, type Conditions, conditionText, type Defaults } from "./conditions";
import { groupingFindings } from "./grouping";
import { overrideFindings } from "./overrides";
import { classed, growing, itemPaths, located, matched, rulesFor, tending } from "./rules";
import { scheduleFindings } from "./schedule";

type Monitor = Resources["Monitor"];

export const monitor = rulesFor("Monitor", {
  removed: "it no longer fires",
  changed: (before, after) => [
    ...severityFindings(defaultsOf(before), defaultsOf(after)),
    ...overrideFindings(before.seriesConditions?.overrides, after.seriesConditions?.overrides, defaultsOf(after)),
    ...scheduleFindings(before.schedule, after.schedule),
    ...intervalFindings(before, after),
    ...groupingFindings(before.signalGrouping, after.signalGrouping),
  ],
});

const defaultsOf = ({ seriesConditions }: Monitor): Defaults => ({
  critical: seriesConditions?.defaults?.critical?.conditions ?? [],
  warn: seriesConditions?.defaults?.warn?.conditions ?? [],
});

/** A condition that only changes its severity is reported once. */
function severityFindings(old: Defaults, now: Defaults): readonly LocatedFinding[] {
  const down = moved(old, now, "critical", "warn");
  const up = moved(old, now, "warn", "critical");
  const without = (conditions: Conditions, others: Conditions) => matched(conditions, others, conditionKey).removed;
  const pathOf = (severity: keyof Defaults) => ["seriesConditions", "defaults", severity, "conditions"];
  const others = (severity: keyof Defaults, lost: Conditions, gained: Conditions) => {
    const [before, after] = [old[severity], now[severity]];
    const paths = itemPaths(pathOf(severity), before, after);
    return conditionFindings(severity, without(before, lost), without(after, gained), paths);
  };
  const moves = [
    ...down.map((each) =>
      classed("threshold", "alerts-less", `${conditionText(each)} fires as warn, no longer as critical`),
    ),
    ...up.map((each) =>
      classed("threshold", "alerts-more", `${conditionText(each)} fires as critical, no longer as warn`),
    ),
  ];
  return [
    ...located([pathOf("critical"), pathOf("warn")], moves),
    ...others("critical", down, up),
    ...others("warn", up, down),
  ];
}

/** The conditions that move from one severity to the other. */
function moved(old: Defaults, now: Defaults, from: keyof Defaults, to: keyof Defaults): Conditions {
  const lost = matched(old[from], now[from], conditionKey).removed;
  const gained = matched(old[to], now[to], conditionKey).added;
  return matched(lost, gained, conditionKey).pairs.map(([each]) => each);
}

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
