import { stateCounts, statesText } from "../../backtest/result";
import { count, numberText, spanText } from "../../output/words";
import { directionWords, isAccepted } from "../../consequences/risk";
import type { ReportChange, ReportContent } from "../content";
import { entryLink, filterLink, h } from "./dom";
import { groups, groupsOf, isNamedBy, nowFilter, type SearchableRow, silenceAt, timeAt } from "./state";

/** The numbers that matter, each a link to its rows or to the first entry without a row. @param gaps The link to the gaps. */
export function numbersView(
  { changes = [], problems, notifiers }: ReportContent,
  items: readonly SearchableRow[],
  gaps: Node | string,
): Node {
  const now = nowFilter();
  const time = timeAt(now) ?? 0;
  const silent = items.filter((item) => silenceAt(item, time) !== "");
  const silence = filterLink("at", now, h("b", {}, numberText(silent.length)), " silent at this hour");
  // A removed row is silent at any hour.
  const removed = silent.filter((item) => item.groups.includes("removed")).length;
  const accepted = changes.flatMap(({ risks }) => risks.filter(isAccepted)).length;
  const isSafe = changes.every(({ risks }) => risks.length === 0);
  const always = isSafe ? [] : Object.values(directionWords);
  const withRow = new Set(items.map(({ change }) => change));
  // The rows that name a notifier are rerouted with it.
  const isNamedInRow = (each: ReportChange) =>
    notifiers.some(({ change = -1, ...entry }) => changes[change] === each && items.some(isNamedBy(entry)));
  const groupView = (group: string) => {
    const rows = items.filter((item) => item.groups.includes(group)).length;
    const others = changes.filter(
      (each) => !withRow.has(each) && groupsOf(each).includes(group) && !(group === "rerouted" && isNamedInRow(each)),
    );
    const [other] = others;
    if (rows + others.length === 0) return always.includes(group) && h("li", {}, `0 ${group}`);
    const numbered = [h("b", {}, numberText(rows || others.length)), ` ${group}`];
    const toRows = rows > 0 && filterLink("change", group, ...numbered);
    const rest = toRows ? [others.length > 1 ? count(others.length, "other change") : other?.name] : numbered;
    const toOther = other && entryLink(changes.indexOf(other), ...rest);
    return h("li", {}, toRows, toRows && toOther && " and ", toOther);
  };
  return h(
    "ul",
    { class: "numbers" },
    pagesView(changes),
    statesView(changes),
    isSafe && changes.length > 0 && problems.length === 0 && h("li", {}, "No risks found"),
    ...groups.map(groupView),
    accepted > 0 && h("li", {}, count(accepted, "accepted risk")),
    silent.length > 0 && h("li", {}, silence, removed > 0 && `, ${numberText(removed)} of them removed`),
    h("li", {}, gaps),
  );
}

/** What all monitors of a backtest did, if some of them don't change. */
function statesView(changes: readonly ReportChange[]): Node | false {
  const tested = changes.filter(({ backtest }) => backtest !== undefined);
  if (tested.every(({ op }) => op !== undefined)) return false;
  const states = tested.flatMap(({ backtest }) => backtest?.state ?? []);
  const left = tested.length - states.length;
  const others = left > 0 ? `, ${numberText(left)} not simulated` : "";
  return h("li", {}, `${statesText(stateCounts(states))}; ${numberText(tested.length)} in all${others}`);
}

/** How many more pages all changed monitors send, and how many of them are not simulated. */
function pagesView(changes: readonly ReportChange[]): Node | false {
  // An unchanged monitor has no operation.
  const tested = changes.filter(({ op, backtest }) => op !== undefined && backtest !== undefined);
  const charts = tested.flatMap(({ chart }) => chart ?? []);
  const missing = tested.filter(({ backtest }) => backtest?.isSimulated === false);
  const [[one], [left]] = [charts, missing];
  if (one === undefined && left === undefined) return false;
  const secs = one === undefined ? 0 : one.span.to - one.span.from;
  const changeOf = (pages: "pages" | "pagesAtNight", words: string, period: string, end: string) => {
    const sumOf = (side: "before" | "after") => charts.reduce((sum, chart) => sum + (chart[side]?.[pages] ?? 0), 0);
    const [before, after] = [sumOf("before"), sumOf("after")];
    const rate = (after - before) / Math.max(1, secs / 86_400);
    const rounded = Math.abs(rate) < 10 ? Number(rate.toPrecision(2)) : Math.round(rate);
    const text = rounded.toLocaleString("en-US", { signDisplay: "exceptZero" });
    const counts = `${numberText(before)} → ${numberText(after)}`;
    return one && h("span", {}, h("b", {}, counts), ` ${words} (${text} a ${period})${end} `);
  };
  return h(
    "li",
    {},
    changeOf("pages", `pages in ${spanText(secs)}`, "day", ","),
    changeOf("pagesAtNight", "at night", "night", ";"),
    `${one && charts.length < tested.length ? `${charts.length} of ` : ""}${count(tested.length, "changed monitor")}`,
    left && ", ",
    left && entryLink(changes.indexOf(left), `${missing.length} not simulated`),
  );
}
