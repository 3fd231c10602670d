import type { Resources } from "../../../sdk/standards/resources.gen";
import { firstOf } from "../../report/words";
import type { Direction, Finding } from "../risk";
import { arrow, shown, withUnit } from "../values";
import { classed, growing, rulesFor } from "./rules";

type LogAllocationConfig = Resources["LogAllocationConfig"];

export const logAllocationConfig = rulesFor("LogAllocationConfig", {
  removed: "no dataset has a share of the log budget",
  changed: (before, after) => {
    const [old, now] = [sharesOf(before), sharesOf(after)];
    const kept = [...old.keys()].filter((slug) => now.has(slug));
    const order = [...now.keys()].filter((slug) => old.has(slug));
    return [
      ...[...old].flatMap(([slug, percent]) => shareFindings(`dataset ${shown(slug)}`, percent, now.get(slug))),
      ...shareFindings("records of no other dataset", shareOf(before.defaultDataset), shareOf(after.defaultDataset)),
      ...[...now].flatMap(([slug, percent]) =>
        old.has(slug)
          ? []
          : [sharing("stricter", `dataset ${shown(slug)} has a share of ${withUnit(percent, "%")} of the license`)],
      ),
      ...orderFindings(kept, order),
      ...kept.flatMap((slug) => priorityFindings(slug, prioritiesOf(before, slug), prioritiesOf(after, slug))),
    ];
  },
});

type Share = { readonly allocation?: { readonly percentOfLicense?: number } } | undefined;

const shareOf = (of: Share) => of?.allocation?.percentOfLicense ?? 0;

const sharesOf = ({ datasetAllocations = [] }: LogAllocationConfig): ReadonlyMap<string, number> =>
  new Map(datasetAllocations.map((each) => [each.datasetSlug ?? "", shareOf(each)]));

const preceding = (text: string): Finding => ({ class: "precedence-changed", direction: "unclear", text });

function orderFindings(before: readonly string[], after: readonly string[]): readonly Finding[] {
  const moved = after.filter((slug, i) => slug !== before[i]).map(shown);
  if (moved.length === 0) return [];
  return [
    preceding(`datasets in another order, ${firstOf(moved).join(" before ")}: records may count for another one`),
  ];
}

const prioritiesOf = ({ datasetAllocations = [] }: LogAllocationConfig, slug: string) =>
  datasetAllocations.find((each) => each.datasetSlug === slug)?.priorities;

/** Priorities that come or go; of others the fields tell. */
function priorityFindings(slug: string, old: unknown, now: unknown): readonly Finding[] {
  if ((old === undefined) === (now === undefined)) return [];
  return [preceding(`dataset ${shown(slug)}: priorities ${arrow(old, now)}: others come first`)];
}

function shareFindings(what: string, old: number, now: number | undefined): readonly Finding[] {
  if (now === undefined) return [sharing("laxer", `${what} loses its share of ${withUnit(old, "%")} of the license`)];
  const smaller = growing(now, old);
  return smaller === undefined ? [] : [sharing(smaller, `${what}: ${arrow(old, now, "%")} of the license`)];
}

const sharing = (direction: Direction, text: string) => classed("budget-taken", direction, text);
