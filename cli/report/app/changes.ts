import type { ReportChange } from "../content";
import { chartView } from "./chart";
import { badge, colorOf, h } from "./dom";
import { directionWords, type Risk } from "../../sentences/risk";

export const riskBadge = ({ class: riskClass, direction }: Pick<Risk, "class" | "direction">) =>
  badge(`${riskClass}: ${directionWords[direction]}`, colorOf(directionWords[direction]));

/** The risks and differences of a change, in the words of a review. */
export const changeView = ({ risks, differences, backtest, chart }: ReportChange): Node =>
  h(
    "div",
    {},
    h("ul", {}, ...risks.map((risk) => h("li", {}, riskBadge(risk), ` ${risk.sentence}`))),
    differences.length > 0 && h("pre", {}, differences.join("\n")),
    chart === undefined && backtest !== undefined && h("pre", {}, backtest.join("\n")),
    chart !== undefined && h("p", {}, backtest?.[0] ?? ""),
    chart !== undefined && chartView(chart),
  );
