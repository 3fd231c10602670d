import type { Resources } from "../../../sdk/standards/resources.gen";
import { listed } from "../../report/words";
import { type Direction, type Finding, together } from "../risk";
import { shown } from "../values";
import { classed, rulesFor } from "./rules";

export const cloudxMetricsIntegration = rulesFor("CloudxMetricsIntegration", {
  removed: "no metric of the cloud account is collected any more",
  changed: (before, after) => {
    const [old, now] = [before.scrapeConfig ?? {}, after.scrapeConfig ?? {}];
    const [types, others] = [typesOf(old), typesOf(now)];
    return [
      ...switches.flatMap((name) => switchFindings(name, before[name] === true, after[name] === true)),
      ...choiceFindings("locations", old.locations, now.locations),
      ...choiceFindings("subscriptions", old.subscriptionIds, now.subscriptionIds),
      ...choiceFindings("resource types", [...types.keys()], [...others.keys()]),
      ...[...types].flatMap(([name, metrics]) =>
        others.has(name) ? choiceFindings(`metrics of ${shown(name)}`, metrics, others.get(name)) : [],
      ),
    ];
  },
});

const switches = ["countMetricsEnabled", "usageMetricsEnabled", "propagateTags"] as const;

const typesOf = ({ resourceTypes = [] }: NonNullable<Resources["CloudxMetricsIntegration"]["scrapeConfig"]>) =>
  new Map(resourceTypes.map(({ name = "", metricNames }) => [name, metricNames]));

function switchFindings(name: string, was: boolean, is: boolean): readonly Finding[] {
  if (was === is) return [];
  return [collecting(was ? "laxer" : "stricter", `${name} ${String(was)} → ${String(is)}`)];
}

/** What a change of a choice means, of which nothing chosen means everything. */
function choiceFindings(what: string, before: readonly string[] = [], after: readonly string[] = []) {
  const gone = before.filter((each) => !after.includes(each));
  const added = after.filter((each) => !before.includes(each));
  const ways: Direction[] = [...gone.map(() => "laxer" as const), ...added.map(() => "stricter" as const)];
  const widens = before.length > 0 && after.length === 0;
  const narrows = before.length === 0 && after.length > 0;
  const direction = widens ? "stricter" : narrows ? "laxer" : together(ways);
  return direction === undefined ? [] : [collecting(direction, `${what} ${all(before)} → ${all(after)}`)];
}

const all = (chosen: readonly string[]) => (chosen.length === 0 ? "all" : listed(chosen.map(shown)));

const ends = { laxer: "collects less", stricter: "collects more", unclear: "collects other data" };
const collecting = (direction: Direction, text: string) =>
  classed("collection-narrowed", direction, `${text}: ${ends[direction]}`);
