import { count, spanText } from "../../output/words";
import type { ReportChange, ReportContent } from "../content";
import { entryLink, filterLink, h } from "./dom";
import { groupsOf, isSilentAt, nowFilter, type SearchableRow, timeAt } from "./state";

/** How many pages a change adds or removes in its chart. */
export const addedPages = ({ chart }: ReportChange): number =>
  Math.abs((chart?.after?.pages ?? 0) - (chart?.before?.pages ?? 0));

/** The numbers that matter, each a link to its rows or to the first entry without a row. @param gaps The link to the gaps. */
export function numbersView(
  { changes = [], problems }: ReportContent,
  items: readonly SearchableRow[],
  gaps: Node | string,
): Node {
  const now = nowFilter();
  const time = timeAt(now) ?? 0;
  const silent = items.filter((item) => isSilentAt(item, time)).length;
  const isSafe = changes.length > 0 && problems.length === 0 && changes.every(({ risks }) => risks.length === 0);
  const shown = new Set(items.map(({ row }) => row.change));
  const groupView = (group: string) => {
    const rows = items.filter(({ groups }) => groups.includes(group)).length;
    const others = changes.flatMap((each, i) => (shown.has(i) || !groupsOf(each).includes(group) ? [] : [i]));
    const [entry, { length }] = [others[0], others];
    const numbered = (number: number) => [h("b", {}, String(number)), ` ${group}`];
    return h(
      "li",
      {},
      rows > 0 && filterLink("change", group, ...numbered(rows)),
      rows > 0 && entry !== undefined && " and ",
      entry !== undefined && entryLink(entry, ...(rows > 0 ? [count(length, "other change")] : numbered(length))),
    );
  };
  return h(
    "ul",
    { class: "numbers" },
    pagesView(changes),
    isSafe && h("li", {}, "No risks found"),
    ...[...new Set([...changes.flatMap(groupsOf), ...items.flatMap(({ groups }) => groups)])].map(groupView),
    silent > 0 && h("li", {}, filterLink("at", now, h("b", {}, String(silent)), " silent at this hour")),
    h("li", {}, gaps),
  );
}

/** The pages of all charts, and how many changed monitors have none. */
function pagesView(changes: readonly ReportChange[]): Node | false {
  const charts = changes.flatMap(({ chart }) => chart ?? []);
  const changeOf = (pages: "pages" | "pagesAtNight") => {
    const sums = (["before", "after"] as const).map((side) =>
      charts.reduce((total, chart) => total + (chart[side]?.[pages] ?? 0), 0),
    );
    return h("b", {}, sums.join(" → "));
  };
  const tested = changes.filter(({ backtest }) => backtest !== undefined);
  // A report of another job has the sentences without the charts.
  const missing = tested.filter(({ isSimulated }) => isSimulated === false);
  const charted = tested.filter(({ chart }) => chart !== undefined).length;
  const [[one], [left]] = [charts, missing];
  if (one === undefined && left === undefined) return false;
  const span = one && spanText(one.span.to - one.span.from);
  return h(
    "li",
    {},
    ...(one ? [changeOf("pages"), ` pages in ${span ?? ""}, `, changeOf("pagesAtNight"), " at night"] : []),
    `${one ? " (" : ""}${one && charted < tested.length ? `${charted} of ` : ""}${count(tested.length, "changed monitor")}`,
    left && "; ",
    left && entryLink(changes.indexOf(left), `${missing.length} not simulated`),
    one && ")",
  );
}
