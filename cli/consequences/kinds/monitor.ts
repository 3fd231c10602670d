import { isDeepStrictEqual } from "node:util";
import { overlaps } from "../../../provider/schema/walk";
import { severities, type Severity } from "../../../sdk/behavior/signals";
import type { Resources } from "../../../sdk/standards/resources.gen";
import type { SeverityConditions } from "../../../sdk/types.gen";
import { holdsHidden, isHidden } from "../../meaning/hidden";
import { isImplied } from "../../meaning/conditions";
import { forSeries } from "../../meaning/matchers";
import { type ResultSeries, resultSeries } from "../../promql/resultSeries";
import { commonDirection, type Direction, type LocatedFinding } from "../risk";
import { conditionText } from "../conditionText";
import { changeText, secsText } from "../values";
import {
  conditionFindings,
  conditionKey,
  type Conditions,
  type DefaultConditions,
  directionOf,
  firesText,
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
import { conditionsBeyond, isNeverMissed, queryDirections } from "./queries";
import { classed, ending, matched, rulesFor, silenced, tending, textsAt, type Written } from "./rules";
import { isNeverActive, isScheduleRead, scheduleFindings } from "./schedule";

type Monitor = Resources["Monitor"];

export const monitor = rulesFor("Monitor", {
  removed: "it no longer fires",
  idle: ({ schedule }) => (isNeverActive(schedule) ? "never fires, because its schedule is never active" : undefined),
  firesWithoutData: (monitor) =>
    !isNeverMissed(monitor.labelQuery ?? "") && !holdsHidden(monitor.seriesConditions) && mayMiss(monitor),
  alerting: (monitor, written) => {
    const { defaults, overrides } = sideOf({ seriesConditions: monitor.seriesConditions });
    const found = severities.filter(
      (each) => defaults[each].length > 0 || (overrides.length > 0 && overrideSeverity(defaults) === each),
    );
    const { seriesConditions } = written;
    const hidden = [seriesConditions, seriesConditions?.defaults].filter(isHidden);
    return {
      queries: textsAt(monitor, queries),
      conditions: [
        ...severities.flatMap((each) => defaults[each].map((condition) => `${each}: ${conditionText(condition)}`)),
        ...overrides.map((each) => `${seriesOf(each)}: ${conditionsOf(each).map(conditionText).join(" or ")}`),
      ],
      severities: found,
      alerts: [...found, ...hidden].map((severity) => ({ severity })),
    };
  },
  changed: (before, after, written) => {
    const isSilent = [before, after].map(({ schedule }) => isNeverActive(schedule));
    if (isSilent.every(Boolean)) return [];
    const isMissed = !isNeverMissed(after.labelQuery ?? "");
    const isKnown = (field: keyof Monitor) => !overlaps([field], written.hidden);
    const isSameQuery = queries.every((each) => before[each] === after[each] && isKnown(each));
    const [old, now] = [sideOf(before, isMissed, isSameQuery), sideOf(after, isMissed, isSameQuery)];
    const conditions = [
      ...(hidesDefaults(old) || hidesDefaults(now) ? [] : severityFindings(old.defaults, now.defaults)),
      ...overrideFindings(old, now, written),
    ];
    const interval = intervalFindings(before, after, conditions);
    const known = [before, after].map((each) => seriesIn(each).labels);
    const grouping = groupingFindings(before.signalGrouping, after.signalGrouping, known);
    const query = queryFindings(before, after, written);
    // What the query decides, it decides with the overrides for the series that it adds.
    const open = query.length > 0 ? [] : ending(`${firesText.unclear}, because the query changes too`, conditions);
    const isTimed = isSameQuery && isKnown("seriesConditions") && !readsInterval(after);
    const findings = [
      ...query,
      ...(isSameQuery ? conditions : open),
      ...(isTimed ? interval : ending(firesText.unclear, interval)),
      // Of labels that come or go with the query, the end is known.
      ...(isSameQuery || grouping.every(({ at }) => at.length === 0)
        ? grouping
        : ending("signals may combine other series", grouping)),
    ];
    return [...silenced(isSilent, findings), ...scheduleFindings(before.schedule, after.schedule)];
  },
  same: (before, after, written) => {
    const [old, now] = [before.schedule, after.schedule];
    // Of a monitor that never fires, nothing has an effect.
    if (isNeverActive(old) && isNeverActive(now)) return [[[], "the schedule is never active"]];
    const isRead = isScheduleRead(old) && isScheduleRead(now);
    const isSame = queryDirection(before, after, written) === undefined;
    return [
      [["seriesConditions"], "fires at the same times"],
      ...(isSame ? [[["labelQuery"], "fires at the same times"] as const] : []),
      ...(seriesIn(before).labels && seriesIn(after).labels
        ? [[["signalGrouping"], "makes the same signals"] as const]
        : []),
      ...(isRead ? [[["schedule"], "active at the same times"] as const] : []),
    ];
  },
});

const queries = ["labelQuery", "dottedQuery", "loggingQuery"] as const;

/** Whether the query has samples by the interval of its evaluation: those of `[1h:]` are as far apart. */
const readsInterval = ({ labelQuery = "" }: Monitor) => /:\]|\b(?:step|range)\(\)/.test(labelQuery);

/** What is known of the monitor's series. */
const seriesIn = ({ labelQuery = "", dottedQuery, loggingQuery }: Monitor): ResultSeries =>
  labelQuery === "" || dottedQuery || loggingQuery ? { matchers: [] } : resultSeries(labelQuery);

/** The conditions of the defaults, by severity, and of each override. */
const conditionLists = ({ seriesConditions: { defaults = {}, overrides = [] } = {} }: Monitor) =>
  [defaults.critical, defaults.warn, ...overrides.map((each) => each.severityConditions)].map(
    (each) => each?.conditions ?? [],
  );

const mayMiss = (monitor: Monitor) => conditionLists(monitor).some((all) => all.some(({ op }) => op === "NOT_EXISTS"));

/** The direction of another query for the same conditions: unclear if that can't be determined. */
function queryDirection(before: Monitor, after: Monitor, written: Written<Monitor>): Direction | undefined {
  const conditions = conditionLists(after).flat();
  const areKnown = conditions.length > 0 && !holdsHidden(written.after.seriesConditions);
  if (!areKnown || !isDeepStrictEqual(before.seriesConditions, after.seriesConditions)) return "unclear";
  return commonDirection(queryDirections(before.labelQuery ?? "", after.labelQuery ?? "", conditions));
}

/** The consequences of another query, if they follow from the two queries alone. */
function queryFindings(before: Monitor, after: Monitor, written: Written<Monitor>): readonly LocatedFinding[] {
  const direction = queryDirection(before, after, written);
  const never = { ...firesText, "alerts-less": "NOT_EXISTS can never fire, because there is always a sample" };
  const [was, is] = [before, after].map(({ labelQuery = "" }) => isNeverMissed(labelQuery));
  const ends = mayMiss(after) && is && !was ? never : firesText;
  const text = `labelQuery ${changeText(written.before.labelQuery, written.after.labelQuery)}`;
  return direction === "unclear" ? [] : tending("query", direction, text, ends, [["labelQuery"]]);
}

function sideOf(monitor: Monitor, isMissed = true, isSameQuery = false): ConditionsSide {
  const { seriesConditions, intervalSecs, labelQuery } = monitor;
  const rounded = (all: SeverityConditions | undefined) => {
    const conditions = all?.conditions?.filter(({ op }) => isMissed || op !== "NOT_EXISTS") ?? [];
    return roundedTo(intervalSecs, isSameQuery && labelQuery ? conditionsBeyond(labelQuery, conditions) : conditions);
  };
  const { overrides = [], defaults } = seriesConditions ?? {};
  return {
    overrides: forSeries(overrides, seriesIn(monitor)).map((each) => ({
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

/** The consequences of another interval for the same conditions, if the other findings do not contradict. */
function intervalFindings(before: Monitor, after: Monitor, others: readonly LocatedFinding[]) {
  const [old, now] = [before.intervalSecs, after.intervalSecs];
  if (old === now) return [];
  const directions = conditionLists(before).flatMap(
    (each) => directionOf(roundedTo(old, each), roundedTo(now, each)) ?? [],
  );
  const direction = commonDirection([...directions, ...others.map((each) => each.direction)]) ?? "unclear";
  const text = `evaluated every ${secsText(old)} → ${secsText(now)}`;
  return tending("threshold", direction, text, firesText, [["intervalSecs"]]);
}
