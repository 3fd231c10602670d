import type { Path } from "../../../provider/schema/walk";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { firstOf } from "../../report/words";
import { orderOf } from "../parts";
import type { Direction, LocatedFinding } from "../risk";
import { arrow, shown, withUnit } from "../values";
import { classed, growing, itemPaths, matched, rulesFor } from "./rules";

export const logAllocationConfig = rulesFor("LogAllocationConfig", {
  removed: "no dataset has a share of the log budget",
  changed: (old, now) => {
    const [before, after] = [old.datasetAllocations ?? [], now.datasetAllocations ?? []];
    const { pairs, removed, added } = matched(before, after, slugOf);
    const { was, is } = itemPaths(list, before, after);
    const shareAt = (share: Share) => ["datasetSlug", "allocation"].map((name) => [...is(share), name]);
    const kept = after.filter((share) => !added.includes(share));
    return [
      ...pairs.flatMap(([was, now]) => [
        ...shareFindings(titleOf(now), was, now, shareAt(now)),
        ...priorityFindings(titleOf(now), was.priorities, now.priorities, [[...is(now), "priorities"]]),
      ]),
      ...removed.map((share) => {
        return sharing("laxer", `${titleOf(share)} loses its share of ${shareText(share)}`, [was(share)]);
      }),
      ...added.map((share) => {
        return sharing("stricter", `${titleOf(share)} has a share of ${shareText(share)}`, shareAt(share));
      }),
      ...shareFindings("records of no other dataset", old.defaultDataset, now.defaultDataset, [
        ["defaultDataset", "allocation"],
      ]),
      ...orderFindings(
        pairs.map(([share]) => slugOf(share)),
        kept.map(slugOf),
      ),
    ];
  },
});

const list = ["datasetAllocations"];

type Share = NonNullable<Resources["LogAllocationConfig"]["datasetAllocations"]>[number];

type AnyShare = Pick<Share, "allocation"> | undefined;

const slugOf = ({ datasetSlug = "" }: Share) => datasetSlug;
const titleOf = (share: Share) => `dataset ${shown(slugOf(share))}`;
const percentOf = (share: AnyShare) => share?.allocation?.percentOfLicense ?? 0;
const shareText = (share: Share) => `${withUnit(percentOf(share), "%")} of the license`;

const preceding = (text: string, at: readonly Path[]) => classed("precedence-changed", "unclear", text, at);

function orderFindings(before: readonly string[], after: readonly string[]): readonly LocatedFinding[] {
  const moved = after.filter((slug, i) => slug !== before[i]).map(shown);
  if (moved.length === 0) return [];
  const text = `datasets in another order, ${firstOf(moved).join(" before ")}: records may count for another one`;
  return [preceding(text, [orderOf(list)])];
}

/** Priorities that come or go; of others the fields tell. */
function priorityFindings(what: string, old: unknown, now: unknown, at: readonly Path[]): readonly LocatedFinding[] {
  if ((old === undefined) === (now === undefined)) return [];
  return [preceding(`${what}: priorities ${arrow(old, now)}: others come first`, at)];
}

function shareFindings(what: string, before: AnyShare, after: AnyShare, at: readonly Path[]) {
  const [old, now] = [percentOf(before), percentOf(after)];
  const smaller = growing(now, old);
  return smaller === undefined ? [] : [sharing(smaller, `${what}: ${arrow(old, now, "%")} of the license`, at)];
}

const sharing = (direction: Direction, text: string, at: readonly Path[]) =>
  classed("budget-taken", direction, text, at);
