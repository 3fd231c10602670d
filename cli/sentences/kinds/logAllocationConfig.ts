import type { Path } from "../../../provider/schema/walk";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { firstOf, listed } from "../../output/words";
import { orderOf } from "../../equality/parts";
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
    const { pairs, removed, added } = matched(before, after, slugOf);
    const { was, is } = itemPaths(list, before, after);
    const shareAt = (share: Share) => ["datasetSlug", "allocation"].map((name) => [...is(share), name]);
    const kept = after.filter((share) => !added.includes(share));
    return [
      ...pairs.flatMap(([was, now]) => [
        ...shareFindings(shareTitle(now), was, now, shareAt(now)),
        ...priorityFindings(shareTitle(now), was.priorities, now.priorities, [[...is(now), "priorities"]]),
      ]),
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
      ...orderFindings(
        pairs.map(([share]) => slugOf(share)),
        kept.map(slugOf),
      ),
    ];
  },
  // New and removed datasets change no order.
  same: () => [[orderOf(list), "the others keep their order"]],
});

const list = ["datasetAllocations"];

type Share = NonNullable<Resources["LogAllocationConfig"]["datasetAllocations"]>[number];

type AnyShare = Pick<Share, "allocation"> | undefined;

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

/** Priorities that are added or removed; other changes are reported by field. */
function priorityFindings(what: string, old: unknown, now: unknown, at: readonly Path[]): readonly LocatedFinding[] {
  if ((old === undefined) === (now === undefined)) return [];
  return [preceding(`${what}, priorities ${changeText(old, now)}: may change what comes first`, at)];
}

function shareFindings(what: string, before: AnyShare, after: AnyShare, at: readonly Path[]) {
  const [old, now] = [percentOf(before), percentOf(after)];
  const smaller = growing(now, old);
  return smaller === undefined ? [] : [sharing(smaller, `${what}: ${changeText(old, now, "%")} of the license`, at)];
}

const sharing = (direction: Direction, text: string, at: readonly Path[]) => classed("budget", direction, text, at);
