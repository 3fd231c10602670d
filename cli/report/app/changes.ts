import type { ReportChange } from "../content";
import { chartView } from "./chart";
import { badge, h } from "./dom";
import { directionWords } from "../../sentences/risk";

const colors = { "alerts-less": "less", unclear: "plain", "alerts-more": "more" } as const;

/** The risks and differences of a change, in the words of a review. */
export const changeView = ({ risks, differences, backtest, chart }: ReportChange): Node =>
  h(
    "div",
    {},
    h(
      "ul",
      {},
      ...risks.map((risk) =>
        h(
          "li",
          {},
          badge(`${risk.class}: ${directionWords[risk.direction]}`, colors[risk.direction]),
          ` ${risk.sentence}`,
        ),
      ),
    ),
    differences.length > 0 && h("pre", {}, differences.join("\n")),
    chart === undefined && backtest !== undefined && h("pre", {}, backtest.join("\n")),
    chart !== undefined && h("p", {}, backtest?.[0] ?? ""),
    chart !== undefined && chartView(chart),
  );
