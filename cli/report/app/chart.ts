import type { Chart, ChartSeries } from "../../backtest/chart";
import { PackedSamples, type PackedSeries } from "../../../sdk/behavior/packed";
import { h, unfold } from "./dom";
import { Drawing, plots } from "./drawing";

/** The most folded charts that are drawn for a print: each holds a picture in memory. */
const mostPrinted = 100;

/** What unpacks the samples of each chart, in their order. */
const unpackers: (() => Promise<void>)[] = [];
/** What draws the charts whose samples are unpacked. */
const undrawn = new Map<Element, () => void>();

/** The series of a monitor with its thresholds and the times in which it fires, before and after the change. */
export function chartView(chart: Chart): HTMLElement {
  const element = h("div", { class: "chart undrawn" }, "drawing…");
  const unpack = async () => {
    const series = await Promise.all(chart.series.map(unpacked));
    if (!element.classList.replace("undrawn", "unpacked")) return;
    undrawn.set(element, () => {
      undrawn.delete(element);
      new Drawing(chart, series.map(sampled), element);
    });
  };
  unpackers.push(unpack);
  // It is drawn when it first has a size: at once, unless it is folded.
  const observer = new ResizeObserver(() => {
    observer.disconnect();
    void unpack().then(() => undrawn.get(element)?.());
  });
  observer.observe(element);
  return element;
}

// A print does not wait: what it draws is unpacked before.
addEventListener("load", async () => {
  for (const unpack of unpackers.slice(0, mostPrinted)) await unpack();
});

/** Draws the charts in the colors of the theme, or of a print, which is light. */
function repaint(scheme: "light" | "") {
  document.documentElement.style.colorScheme = scheme;
  for (const plot of plots) plot.redraw(false);
}

// A print has what is folded, except for charts that are not drawn.
addEventListener("beforeprint", () => {
  const folded = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open], .chart *)")];
  for (const [element, draw] of undrawn) {
    unfold(element);
    draw();
  }
  for (const each of folded) each.open ||= each.querySelector(":scope > * > .undrawn") === null;
  addEventListener("afterprint", () => folded.forEach((each) => (each.open = false)), { once: true });
  repaint("light");
});
addEventListener("afterprint", () => repaint(""));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => repaint(""));

async function unpacked({ labels, count, samples }: ChartSeries) {
  const bytes = Uint8Array.from(atob(samples), (letter) => letter.charCodeAt(0));
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return { labels, count, numbers: new Float64Array(await new Response(inflated).arrayBuffer()) };
}

/** The samples as the backtest had them. */
function sampled({ labels, count, numbers }: Awaited<ReturnType<typeof unpacked>>): PackedSeries {
  let time = 0;
  const samples = numbers.map((_, i) =>
    i % 2 === 0 ? (time += numbers[i / 2] ?? 0) : (numbers[count + (i - 1) / 2] ?? NaN),
  );
  return { labels, samples: new PackedSamples([samples]) };
}
