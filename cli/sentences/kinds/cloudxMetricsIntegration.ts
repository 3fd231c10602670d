import type { Path } from "../../../provider/schema/walk";
import { grouped } from "../../../provider/values/grouped";
import type * as types from "../../../sdk/types.gen";
import { listed } from "../../output/words";
import { type Direction, type LocatedFinding, commonDirection } from "../risk";
import { valueText } from "../values";
import { classed, rulesFor } from "./rules";

export const cloudxMetricsIntegration = rulesFor("CloudxMetricsIntegration", {
  removed: "metrics of the cloud account are no longer collected",
  changed: (before, after) => {
    const [old, now] = [before.scrapeConfig ?? {}, after.scrapeConfig ?? {}];
    const [types, others] = [metricsOf(old.resourceTypes), metricsOf(now.resourceTypes)];
    return [
      ...switches.flatMap((name) => {
        const [was, is] = [before[name] === true, after[name] === true];
        const direction = was ? "alerts-less" : "alerts-more";
        return was === is ? [] : [collecting(direction, `${name} ${String(was)} → ${String(is)}`, [[name]])];
      }),
      ...choiceFindings("locations", old.locations, now.locations, [["scrapeConfig", "locations"]]),
      ...choiceFindings("subscriptions", old.subscriptionIds, now.subscriptionIds, [
        ["scrapeConfig", "subscriptionIds"],
      ]),
      ...choiceFindings("resource types", [...types.keys()], [...others.keys()], [typesAt]),
      ...[...types].flatMap(([name, metrics]) =>
        choiceFindings(`metrics of ${valueText(name)}`, metrics, others.get(name) ?? metrics, [typesAt]),
      ),
    ];
  },
  same: () => [[typesAt, "collects the same metrics"]],
});

const typesAt = ["scrapeConfig", "resourceTypes"];

const switches = ["countMetricsEnabled", "usageMetricsEnabled"] as const;

/** The metrics of each type, also of one with several entries. None are all, as in an entry. */
const metricsOf = (entries: readonly types.ResourceType[] = []): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...grouped(entries, ({ name = "" }) => name)].map(([name, some]) => {
      const lists = some.map(({ metricNames = [] }) => metricNames);
      return [name, lists.some(({ length }) => length === 0) ? [] : [...new Set(lists.flat())]];
    }),
  );

/** The consequences of a change of a selection; an empty selection means everything. */
function choiceFindings(
  what: string,
  before: readonly string[] = [],
  after: readonly string[] = [],
  at: readonly Path[],
): readonly LocatedFinding[] {
  const removed = before.filter((each) => !after.includes(each));
  const added = after.filter((each) => !before.includes(each));
  const ways: Direction[] = [...removed.map(() => "alerts-less" as const), ...added.map(() => "alerts-more" as const)];
  const widens = before.length > 0 && after.length === 0;
  const narrows = before.length === 0 && after.length > 0;
  const direction = widens ? "alerts-more" : narrows ? "alerts-less" : commonDirection(ways);
  const text = `${what} ${all(before)} → ${all(after)}`;
  return direction === undefined ? [] : [collecting(direction, text, at)];
}

const all = (chosen: readonly string[]) => (chosen.length === 0 ? "all" : listed(chosen.map(valueText)));

const ends = { "alerts-less": "collects less", "alerts-more": "collects more", unclear: "may collect other data" };
const collecting = (direction: Direction, text: string, at: readonly Path[]) =>
  classed("collection", direction, `${text}: ${ends[direction]}`, at);
