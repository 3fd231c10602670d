import type { Path } from "../../../provider/schema/walk";
import { grouped } from "../../../provider/base/grouped";
import type * as types from "../../../sdk/types.gen";
import { listed } from "../../output/words";
import { valueText } from "../values";
import { rulesFor, sided, tending } from "./rules";

export const cloudxMetricsIntegration = rulesFor("CloudxMetricsIntegration", {
  removed: "metrics of the cloud account are no longer collected",
  changed: (before, after) => {
    const [old, now] = [before.scrapeConfig ?? {}, after.scrapeConfig ?? {}];
    const [types, others] = [metricsOf(old.resourceTypes), metricsOf(now.resourceTypes)];
    return [
      ...switches.flatMap((name) => {
        const [was, is] = [before[name] === true, after[name] === true];
        const text = `${name} ${String(was)} → ${String(is)}`;
        return tending("collection", sided(was && !is, is && !was), text, ends, [[name]]);
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
) {
  const isBeyond = (some: readonly string[], others: readonly string[]) =>
    others.length > 0 && (some.length === 0 || some.some((each) => !others.includes(each)));
  const direction = sided(isBeyond(before, after), isBeyond(after, before));
  return tending("collection", direction, `${what} ${all(before)} → ${all(after)}`, ends, at);
}

const all = (chosen: readonly string[]) => (chosen.length === 0 ? "all" : listed(chosen.map(valueText)));

const ends = { "alerts-less": "collects less", "alerts-more": "collects more", unclear: "may collect other data" };
