import type { Path } from "../../../provider/schema/walk";
import { listed } from "../../output/words";
import { type Direction, type LocatedFinding, commonDirection } from "../risk";
import { valueText } from "../values";
import { classed, itemPaths, matched, rulesFor } from "./rules";

export const cloudxMetricsIntegration = rulesFor("CloudxMetricsIntegration", {
  removed: "metrics of the cloud account are no longer collected",
  changed: (before, after) => {
    const [old, now] = [before.scrapeConfig ?? {}, after.scrapeConfig ?? {}];
    const [types, others] = [old.resourceTypes ?? [], now.resourceTypes ?? []];
    const { was, is } = itemPaths(["scrapeConfig", "resourceTypes"], types, others);
    const namesAt = [...others.map(is), ...types.map(was)].map((path) => [...path, "name"]);
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
      ...choiceFindings("resource types", types.map(typeName), others.map(typeName), namesAt),
      ...matched(types, others, typeName).pairs.flatMap(([was, now]) =>
        choiceFindings(`metrics of ${valueText(typeName(now))}`, was.metricNames, now.metricNames, [
          [...is(now), "metricNames"],
        ]),
      ),
    ];
  },
});

const switches = ["countMetricsEnabled", "usageMetricsEnabled"] as const;

const typeName = ({ name = "" }: { readonly name?: string }) => name;

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
