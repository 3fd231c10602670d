import { notificationsOf } from "../../../sdk/behavior/notifications";
import { spanText } from "../../output/words";
import type { Chart } from "../../backtest/chart";
import type { ReportChange, ReportContent } from "../content";
import { filterLink, h } from "./dom";
import { isActiveAt } from "./hours";
import { groupsOf, nowFilter, type SearchableRow, timeAt } from "./state";

/** The pages of a side of a chart. */
export const pagesOf = ({ span }: Chart, side: Chart["after"]): number =>
  notificationsOf((side?.signals ?? []).filter(({ firedAt }) => firedAt >= span.from)).filter(
    ({ severity }) => severity === "critical",
  ).length;

/** How many pages a change adds or removes in its chart. */
export const addedPages = ({ chart }: ReportChange): number =>
  chart === undefined ? 0 : Math.abs(pagesOf(chart, chart.after) - pagesOf(chart, chart.before));

/** The numbers that matter, each a link to its rows. @param gaps The link to the gaps. */
export function numbersView(
  { changes = [] }: ReportContent,
  items: readonly SearchableRow[],
  gaps: Node | string,
): Node {
  const charts = changes.flatMap(({ chart }) => chart ?? []);
  const sum = (side: "before" | "after") => charts.reduce((total, chart) => total + pagesOf(chart, chart[side]), 0);
  const [first] = charts;
  const now = nowFilter();
  const time = timeAt(now) ?? 0;
  const silent = items.filter(
    ({ hours, groups }) => !groups.includes("removed") && isActiveAt(hours, time) === false,
  ).length;
  const groups = changes.map(groupsOf);
  const ofGroup = (group: string) => {
    const count = groups.filter((each) => each.includes(group)).length;
    return count > 0 && h("li", {}, filterLink("change", group, h("b", {}, String(count)), ` ${group}`));
  };
  return h(
    "ul",
    { class: "numbers" },
    first !== undefined &&
      h(
        "li",
        {},
        h("b", {}, `${sum("before")} → ${sum("after")}`),
        ` pages in ${spanText(first.span.to - first.span.from)}`,
      ),
    ...["alerts less", "alerts more", "unclear"].map(ofGroup),
    silent > 0 && h("li", {}, filterLink("at", now, h("b", {}, String(silent)), " silent now")),
    h("li", {}, gaps),
  );
}
