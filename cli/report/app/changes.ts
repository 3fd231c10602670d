import type { ReportChange } from "../content";
import { chartView } from "./chart";
import { badge, h } from "./dom";
import { groupColors } from "./state";
import { directionWords, type Risk, textOfRisk } from "../../consequences/risk";

export const groupBadge = (group: string, text = group) => badge(text, groupColors[group]);

export const riskBadge = ({ class: riskClass, direction }: Risk) =>
  groupBadge(directionWords[direction], `${riskClass}: ${directionWords[direction]}`);

/** `3 → 14 pages in 30 days`, or why it is not simulated; "" without a backtest. */
export const figuresText = (change: ReportChange | undefined) => change?.backtest?.sentence.replace(/^.*?: /, "");

/** The risks and differences of a change, in the words of a review. */
export const changeView = ({ risks, summary, differences, backtest, chart }: ReportChange): Node =>
  h(
    "div",
    {},
    h("ul", {}, ...risks.map((risk) => h("li", {}, riskBadge(risk), ` ${textOfRisk(risk)}`))),
    summary !== undefined && h("p", {}, summary),
    differences.length > 0 && h("pre", {}, differences.join("\n")),
    ...(backtest?.notes ?? []).map((note) => h("p", {}, note)),
    chart === undefined && backtest !== undefined && h("pre", {}, backtest.picture.join("\n")),
    chart !== undefined && chartView(chart),
  );
