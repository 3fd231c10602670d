import { grouped } from "../../../provider/values/grouped";
import { spanText } from "../../output/words";
import type { ReportChange, ReportContent } from "../content";
import { filterLink, h } from "./dom";
import { isActiveAt } from "./hours";
import { groupsOf, nowFilter, type SearchableRow, timeAt } from "./state";

/** How many pages a change adds or removes in its chart. */
export const addedPages = ({ chart }: ReportChange): number =>
  Math.abs((chart?.after?.pages ?? 0) - (chart?.before?.pages ?? 0));

/** The numbers that matter, each a link to its rows. @param gaps The link to the gaps. */
export function numbersView(
  { changes = [] }: ReportContent,
  items: readonly SearchableRow[],
  gaps: Node | string,
): Node {
  const charts = changes.flatMap(({ chart }) => chart ?? []);
  const changeOf = (count: "pages" | "pagesAtNight") =>
    (["before", "after"] as const)
      .map((side) => charts.reduce((total, chart) => total + (chart[side]?.[count] ?? 0), 0))
      .join(" → ");
  const [first] = charts;
  const now = nowFilter();
  const time = timeAt(now) ?? 0;
  const silent = items.filter(
    ({ hours, groups }) => !groups.includes("removed") && isActiveAt(hours, time) === false,
  ).length;
  const groups = grouped(changes.flatMap(groupsOf), (group) => group);
  return h(
    "ul",
    { class: "numbers" },
    first !== undefined &&
      h(
        "li",
        {},
        h("b", {}, changeOf("pages")),
        ` pages in ${spanText(first.span.to - first.span.from)}, `,
        h("b", {}, changeOf("pagesAtNight")),
        " at night",
      ),
    ...[...groups].map(([group, { length }]) =>
      h("li", {}, filterLink("change", group, h("b", {}, String(length)), ` ${group}`)),
    ),
    silent > 0 && h("li", {}, filterLink("at", now, h("b", {}, String(silent)), " silent now")),
    h("li", {}, gaps),
  );
}
