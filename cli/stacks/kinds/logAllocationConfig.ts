import type { Path } from "../../../provider/schema/walk";
import type { Resources } from "../../../sdk/standards/resources.gen";
import { firstOf } from "../../report/words";
import { gone, orderOf } from "../parts";
import type { Direction, LocatedFinding } from "../risk";
import { arrow, shown, withUnit } from "../values";
import { classed, growing, rulesFor } from "./rules";

type LogAllocationConfig = Resources["LogAllocationConfig"];

export const logAllocationConfig = rulesFor("LogAllocationConfig", {
  removed: "no dataset has a share of the log budget",
  changed: (before, after) => {
    const [old, now] = [sharesOf(before), sharesOf(after)];
    const kept = [...old.keys()].filter((slug) => now.has(slug));
    const order = [...now.keys()].filter((slug) => old.has(slug));
    const at = (slug: string, ...names: readonly string[]) =>
      names.map((name) => [...list, indexIn(after, slug), name]);
    const shareAt = (slug: string) =>
      now.has(slug) ? at(slug, "datasetSlug", "allocation") : [[...list, gone(indexIn(before, slug))]];
    const [rest, others] = [shareOf(before.defaultDataset), shareOf(after.defaultDataset)];
    return [
      ...[...old].flatMap(([slug, percent]) =>
        shareFindings(`dataset ${shown(slug)}`, percent, now.get(slug), shareAt(slug)),
      ),
      ...shareFindings("records of no other dataset", rest, others, [["defaultDataset", "allocation"]]),
      ...[...now].flatMap(([slug, percent]) => {
        const text = `dataset ${shown(slug)} has a share of ${withUnit(percent, "%")} of the license`;
        return old.has(slug) ? [] : [sharing("stricter", text, shareAt(slug))];
      }),
      ...orderFindings(kept, order),
      ...kept.flatMap((slug) =>
        priorityFindings(slug, prioritiesOf(before, slug), prioritiesOf(after, slug), at(slug, "priorities")),
      ),
    ];
  },
});

const list = ["datasetAllocations"];

const indexIn = ({ datasetAllocations = [] }: LogAllocationConfig, slug: string) =>
  datasetAllocations.findIndex((share) => (share.datasetSlug ?? "") === slug);

type Share = { readonly allocation?: { readonly percentOfLicense?: number } } | undefined;

const shareOf = (of: Share) => of?.allocation?.percentOfLicense ?? 0;

const sharesOf = ({ datasetAllocations = [] }: LogAllocationConfig): ReadonlyMap<string, number> =>
  new Map(datasetAllocations.map((each) => [each.datasetSlug ?? "", shareOf(each)]));

const preceding = (text: string, at: readonly Path[]): LocatedFinding => ({
  class: "precedence-changed",
  direction: "unclear",
  text,
  at,
});

function orderFindings(before: readonly string[], after: readonly string[]): readonly LocatedFinding[] {
  const moved = after.filter((slug, i) => slug !== before[i]).map(shown);
  if (moved.length === 0) return [];
  const text = `datasets in another order, ${firstOf(moved).join(" before ")}: records may count for another one`;
  return [preceding(text, [orderOf(list)])];
}

const prioritiesOf = (config: LogAllocationConfig, slug: string) =>
  config.datasetAllocations?.[indexIn(config, slug)]?.priorities;

/** Priorities that come or go; of others the fields tell. */
function priorityFindings(slug: string, old: unknown, now: unknown, at: readonly Path[]): readonly LocatedFinding[] {
  if ((old === undefined) === (now === undefined)) return [];
  return [preceding(`dataset ${shown(slug)}: priorities ${arrow(old, now)}: others come first`, at)];
}

function shareFindings(what: string, old: number, now: number | undefined, at: readonly Path[]) {
  if (now === undefined)
    return [sharing("laxer", `${what} loses its share of ${withUnit(old, "%")} of the license`, at)];
  const smaller = growing(now, old);
  return smaller === undefined ? [] : [sharing(smaller, `${what}: ${arrow(old, now, "%")} of the license`, at)];
}

const sharing = (direction: Direction, text: string, at: readonly Path[]) =>
  classed("budget-taken", direction, text, at);
