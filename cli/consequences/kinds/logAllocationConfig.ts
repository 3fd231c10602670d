import type { Path } from "../../../provider/schema/walk";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { firstOf, listed } from "../../output/words";
import { orderOf } from "../../meaning/parts";
import type { Direction, LocatedFinding } from "../risk";
import { changeText, valueText, withUnit } from "../values";
import { classed, growing, itemPaths, matched, rulesFor } from "./rules";

export const logAllocationConfig = rulesFor("LogAllocationConfig", {
  removed: "datasets no longer have shares of the log budget",
  gap: ({ datasetAllocations = [], defaultDataset }) => {
    // A hidden share is a text.
    const shares: readonly unknown[] = [...datasetAllocations, defaultDataset].map(percentOf);
    const sum = shares.reduce<number>((all, share) => all + (typeof share === "number" ? share : 0), 0);
    return sum < 100 ? undefined : "all of the log budget is allocated: a new dataset needs a share of another one";
  },
  changed: (old, now) => {
    const [before, after] = [old.datasetAllocations ?? [], now.datasetAllocations ?? []];
    // The same share in the same place, for another dataset.
    const placeOf = (share: Share) =>
      JSON.stringify([Math.max(before.indexOf(share), after.indexOf(share)), share.allocation, share.priorities]);
    const { pairs, removed, added } = matched(before, after, slugOf, placeOf);
    const { was, is } = itemPaths(list, before, after);
    const shareAt = (share: Share) => ["datasetSlug", "allocation"].map((name) => [...is(share), name]);
    const kept = after.filter((share) => !added.includes(share));
    return [
      ...pairs.flatMap(([was, now]) => [
        ...shareFindings(shareTitle(now), was, now, shareAt(now)),
        ...priorityFindings(shareTitle(now), was, now, is(now)),
      ]),
      ...pairs.flatMap(([old, now]) => {
        if (slugOf(old) === slugOf(now)) return [];
        const text = `${shareTitle(now)} gets the place and the share of ${shareTitle(old)}`;
        return sharing("unclear", `${text}: records may count toward another dataset`, [was(old), is(now)]);
      }),
      ...removed.map((share) => {
        const text = `${shareTitle(share)} loses its share of ${shareText(share)}`;
        const rest = behind(share, before, removed);
        if (rest === "") return sharing("alerts-less", text, [was(share)]);
        return sharing("unclear", `${text}: ${rest} may get its records`, [was(share)]);
      }),
      ...added.map((share) => {
        const text = `${shareTitle(share)} gets a share of ${shareText(share)}`;
        const rest = behind(share, after, added);
        if (rest === "") return sharing("alerts-more", text, shareAt(share));
        return sharing("unclear", `${text}: the first match wins, so ${rest} may lose records to it`, shareAt(share));
      }),
      ...shareFindings("records outside all datasets", old.defaultDataset, now.defaultDataset, [
        ["defaultDataset", "allocation"],
      ]),
      ...priorityFindings("records outside all datasets", old.defaultDataset, now.defaultDataset, ["defaultDataset"]),
      ...orderFindings(
        before.flatMap((share) => pairs.flatMap(([old, now]) => (old === share ? [slugOf(now)] : []))),
        kept.map(slugOf),
      ),
    ];
  },
  // New and removed datasets change no order.
  same: () => [[orderOf(list), "the others keep their order"]],
});

const list = ["datasetAllocations"];

type Share = NonNullable<Resources["LogAllocationConfig"]["datasetAllocations"]>[number];

type AnyShare = Pick<Share, "allocation" | "priorities"> | undefined;

const slugOf = ({ datasetSlug = "" }: Share) => datasetSlug;
const shareTitle = (share: Share) => `dataset ${valueText(slugOf(share))}`;
const percentOf = (share: AnyShare) => share?.allocation?.percentOfLicense ?? 0;
const shareText = (share: Share) => `${withUnit(percentOf(share), "%")} of the license`;

/** The other datasets behind one: a record counts toward the first that matches. */
const behind = (share: Share, all: readonly Share[], except: readonly Share[]) =>
  listed(
    firstOf(
      all
        .slice(all.indexOf(share) + 1)
        .filter((each) => !except.includes(each))
        .map((each) => valueText(slugOf(each))),
    ),
  );

const preceding = (text: string, at: readonly Path[]) => classed("precedence", "unclear", text, at);

function orderFindings(before: readonly string[], after: readonly string[]): readonly LocatedFinding[] {
  const moved = after.filter((slug, i) => slug !== before[i]).map(valueText);
  if (moved.length === 0) return [];
  const text = `order of datasets changed, ${firstOf(moved).join(" before ")}: records may count toward another dataset`;
  return [preceding(text, [orderOf(list)])];
}

/** Filters that are added or removed; another order is reported by field. */
function priorityFindings(what: string, before: AnyShare, after: AnyShare, at: Path) {
  return filterLists.flatMap(([name, place]) => {
    const [old = [], now = []] = [before, after].map((side) =>
      (side?.priorities?.[name] ?? []).map(({ query }) => valueText(query)),
    );
    const textOf = (some: readonly string[], others: readonly string[], verb: string) => {
      const left = some.filter((each) => !others.includes(each));
      return left.length === 0 ? [] : [`${listed(firstOf(left))} ${verb} ${place} first`];
    };
    const texts = [...textOf(now, old, "now"), ...textOf(old, now, "no longer")];
    if (texts.length === 0) return [];
    return [preceding(`${what}, ${texts.join(", ")}: may drop other records`, [[...at, "priorities", name]])];
  });
}

const filterLists = [
  ["highPriorityFilters", "kept"],
  ["lowPriorityFilters", "dropped"],
] as const;

function shareFindings(what: string, before: AnyShare, after: AnyShare, at: readonly Path[]) {
  const [old, now] = [percentOf(before), percentOf(after)];
  const smaller = growing(now, old);
  return smaller === undefined ? [] : [sharing(smaller, `${what}: ${changeText(old, now, "%")} of the license`, at)];
}

const sharing = (direction: Direction, text: string, at: readonly Path[]) => classed("budget", direction, text, at);
