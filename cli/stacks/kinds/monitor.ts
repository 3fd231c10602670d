import type { Resources } from "../../../sdk/standards/resources.gen";
import type { LocatedFinding } from "../risk";
import { arrow } from "../values";
import {
  conditionFindings,
  conditionKey,
  type ConditionLists,
  type Conditions,
  conditionText,
  type Defaults,
} from "./conditions";
import { groupingFindings } from "./grouping";
import { overrideFindings } from "./overrides";
import { growing, located, loosening, rulesFor, tending, withoutCommon } from "./rules";
import { scheduleFindings } from "./schedule";

type Monitor = Resources["Monitor"];

export const monitor = rulesFor("Monitor", {
  removed: "it fires no more",
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

/** A condition that only changes its severity is told once. */
function severityFindings(old: Defaults, now: Defaults): readonly LocatedFinding[] {
  const down = moved(old, now, "critical", "warn");
  const up = moved(old, now, "warn", "critical");
  const without = (conditions: Conditions, others: Conditions) => withoutCommon(conditions, others, conditionKey)[0];
  const listsOf = (severity: keyof Defaults): ConditionLists => {
    const path = ["seriesConditions", "defaults", severity, "conditions"];
    return { path, before: old[severity], after: now[severity] };
  };
  const [critical, warn] = [listsOf("critical"), listsOf("warn")];
  const moves = [
    ...down.map((each) => loosening("laxer", `${conditionText(each)} fires as warn, no longer as critical`)),
    ...up.map((each) => loosening("stricter", `${conditionText(each)} fires as critical, no longer as warn`)),
  ];
  return [
    ...located([critical.path, warn.path], moves),
    ...conditionFindings("critical", critical, without(old.critical, down), without(now.critical, up)),
    ...conditionFindings("warn", warn, without(old.warn, up), without(now.warn, down)),
  ];
}

/** The conditions that one severity loses and the other one gains. */
function moved(old: Defaults, now: Defaults, from: keyof Defaults, to: keyof Defaults): Conditions {
  const [lost] = withoutCommon(old[from], now[from], conditionKey);
  const [, gained] = withoutCommon(old[to], now[to], conditionKey);
  const [stayed] = withoutCommon(lost, gained, conditionKey);
  return lost.filter((each) => !stayed.includes(each));
}

const intervalFindings = ({ intervalSecs: old }: Monitor, { intervalSecs: now }: Monitor) =>
  tending(
    growing(old, now),
    `evaluated every ${arrow(old, now, "s")}`,
    { laxer: "notices later", stricter: "notices earlier", unclear: "notices at other times" },
    [["intervalSecs"]],
  );
