import type { Resources } from "../../../sdk/standards/resources.gen";
import type { Direction, Finding } from "../risk";
import { arrow, shown, withUnit } from "../values";
import { classed, growing, rulesFor } from "./rules";

type LogAllocationConfig = Resources["LogAllocationConfig"];

export const logAllocationConfig = rulesFor("LogAllocationConfig", {
  removed: "no dataset has a share of the log budget",
  changed: (before, after) => {
    const [old, now] = [sharesOf(before), sharesOf(after)];
    const kept = [...old.keys()].filter((slug) => now.has(slug));
    const isReordered = kept.join() !== [...now.keys()].filter((slug) => old.has(slug)).join();
    return [
      ...[...old].flatMap(([slug, percent]) => shareFindings(`dataset ${shown(slug)}`, percent, now.get(slug))),
      ...shareFindings("records of no other dataset", shareOf(before.defaultDataset), shareOf(after.defaultDataset)),
      ...[...now].flatMap(([slug, percent]) =>
        old.has(slug)
          ? []
          : [sharing("stricter", `dataset ${shown(slug)} has a share of ${withUnit(percent, "%")} of the license`)],
      ),
      ...(isReordered ? [reordered] : []),
    ];
  },
});

type Share = { readonly allocation?: { readonly percentOfLicense?: number } } | undefined;

const shareOf = (of: Share) => of?.allocation?.percentOfLicense ?? 0;

const sharesOf = ({ datasetAllocations = [] }: LogAllocationConfig): ReadonlyMap<string, number> =>
  new Map(datasetAllocations.map((each) => [each.datasetSlug ?? "", shareOf(each)]));

const reordered: Finding = {
  class: "precedence-changed",
  direction: "unclear",
  text: "datasets in another order: records may count for another one",
};

function shareFindings(what: string, old: number, now: number | undefined): readonly Finding[] {
  if (now === undefined) return [sharing("laxer", `${what} loses its share of ${withUnit(old, "%")} of the license`)];
  const smaller = growing(now, old);
  return smaller === undefined ? [] : [sharing(smaller, `${what}: ${arrow(old, now, "%")} of the license`)];
}

const sharing = (direction: Direction, text: string) => classed("budget-taken", direction, text);
