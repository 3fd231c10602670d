import type { Resources } from "../../../sdk/standards/resources.gen";
import { quote } from "../../report/words";
import type { Direction, Finding } from "../risk";
import { arrow } from "../values";
import { growing, rulesFor } from "./rules";

type LogAllocationConfig = Resources["LogAllocationConfig"];

export const logAllocationConfig = rulesFor("LogAllocationConfig", {
  removed: "no dataset has a share of the log budget",
  areas: [
    { path: ["datasetAllocations"], class: "budget-taken", words: "the shares" },
    { path: ["defaultDataset"], class: "budget-taken", words: "the share of all other records" },
  ],
  changed: (before, after) => {
    const [old, now] = [sharesOf(before), sharesOf(after)];
    const kept = [...old.keys()].filter((slug) => now.has(slug));
    const isReordered = kept.join() !== [...now.keys()].filter((slug) => old.has(slug)).join();
    return [
      ...[...old].flatMap(([slug, percent]) => shareFindings(`dataset ${quote(slug)}`, percent, now.get(slug))),
      ...shareFindings("records of no other dataset", shareOf(before.defaultDataset), shareOf(after.defaultDataset)),
      ...(isReordered ? [taken("unclear", "datasets in another order: records may count for another one")] : []),
    ];
  },
});

type Share = { readonly allocation?: { readonly percentOfLicense?: number } } | undefined;

const shareOf = (of: Share) => of?.allocation?.percentOfLicense ?? 0;

const sharesOf = ({ datasetAllocations = [] }: LogAllocationConfig): ReadonlyMap<string, number> =>
  new Map(datasetAllocations.map((each) => [each.datasetSlug ?? "", shareOf(each)]));

/** Only what is taken counts: what one dataset gains, another one loses. */
function shareFindings(what: string, old: number, now: number | undefined): readonly Finding[] {
  if (now === undefined) return [taken("laxer", `${what} loses its share of ${old} % of the license`)];
  const larger = growing(old, now);
  if (larger === undefined || larger === "laxer") return [];
  return [taken(larger === "stricter" ? "laxer" : "unclear", `${what}: ${arrow(old, now, "%")} of the license`)];
}

const taken = (direction: Direction, text: string): Finding => ({ class: "budget-taken", direction, text });
