import type { Kind } from "../../../provider/schema/kind";
import { formatPath, valueAt } from "../../../provider/schema/walk";
import { differences } from "../../../provider/values/differences";
import { count, plainly } from "../../report/words";
import type { Finding } from "../risk";
import { arrow } from "../values";
import type { KindRules } from "./rules";

/** Rules of a kind that selects or computes data which others read: what it selects is a query. */
export const selecting = (
  kind: Kind,
  removed: string,
  fields: Readonly<Record<string, { readonly words: string; readonly end: string }>>,
): KindRules => ({
  removed,
  areas: Object.entries(fields).map(([name, { words }]) => ({ path: [name], class: "query-changed", words })),
  changed: (before, after) =>
    Object.entries(fields).flatMap(([name, { end }]): readonly Finding[] => {
      const field = kind.args.fields[name];
      const [old, now] = [valueAt(before, [name]), valueAt(after, [name])];
      const found = field === undefined ? [] : differences(field, now, old, () => false, [name]);
      if (found.length === 0) return [];
      const places = found
        .slice(0, most)
        .map(({ path, live, wanted }) => `${plainly(formatPath(path))} ${arrow(live, wanted)}`);
      const more = found.length > most ? ` and ${count(found.length - most, "more place")}` : "";
      return [{ class: "query-changed", direction: "unclear", text: `${places.join(", ")}${more}: ${end}` }];
    }),
});

/** How many differing places a sentence tells. */
const most = 3;
