import type { Chart, ChartSeries } from "../../backtest/chart";
import { PackedSamples, type PackedSeries } from "../../../sdk/behavior/packed";
import { h } from "./dom";
import { draw, plots } from "./drawing";

/** The series of a monitor with its thresholds and the times in which it fires, before and after the change. */
export function chartView(chart: Chart): HTMLElement {
  const element = h("div", { class: "chart undrawn" }, "drawing…");
  // It is drawn when it first has a size: at once, unless it is folded.
  const observer = new ResizeObserver(async () => {
    observer.disconnect();
    const series = await Promise.all(chart.series.map(unpacked));
    element.classList.remove("undrawn");
    draw(chart, series, element);
  });
  observer.observe(element);
  return element;
}

/** Draws the charts in the colors of the theme, or of a print, which is light. */
function repaint(scheme: "light" | "") {
  document.documentElement.style.colorScheme = scheme;
  for (const plot of plots) plot.redraw(false);
}

// A print has what is folded, except for charts that are not drawn.
addEventListener("beforeprint", () => {
  const folded = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open], .chart *)")];
  for (const each of folded) each.open = each.querySelector(":scope > * > .undrawn") === null;
  addEventListener("afterprint", () => folded.forEach((each) => (each.open = false)), { once: true });
  repaint("light");
});
addEventListener("afterprint", () => repaint(""));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => repaint(""));

/** The samples as the backtest had them. */
async function unpacked({ labels, count, samples }: ChartSeries): Promise<PackedSeries> {
  const bytes = Uint8Array.from(atob(samples), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const numbers = new Float64Array(await new Response(inflated).arrayBuffer());
  let time = 0;
  const pairs = numbers.map((_, i) =>
    i % 2 === 0 ? (time += numbers[i / 2] ?? 0) : (numbers[count + (i - 1) / 2] ?? NaN),
  );
  return { labels, samples: new PackedSamples([pairs]) };
}
