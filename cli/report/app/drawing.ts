import "./language";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { type Behavior, simulateBehavior } from "../../../sdk/behavior/evaluation";
import { notificationsSince } from "../../../sdk/behavior/notifications";
import type { PackedSeries } from "../../../sdk/behavior/packed";
import type { Labels, Signal, Simulation } from "../../../sdk/behavior/signals";
import { Zone } from "../../../sdk/behavior/zones";
import { type Chart, highest, reducedTo } from "../../backtest/chart";
import { type Figures, figuresOf } from "../../backtest/figures";
import { detect, type IncidentFigures } from "../../backtest/incidents";
import { clockText } from "../../meaning/schedule";
import { count } from "../../output/words";
import { daysView } from "./days";
import { h } from "./dom";
import { thresholdsIn, Trial } from "./trial";

/** What is drawn of a monitor in one state. */
interface Side {
  readonly name: "before" | "after" | "tried";
  readonly behavior: Behavior;
  readonly signals: readonly Signal[];
  readonly figures: Figures;
  readonly incidents?: IncidentFigures;
}

const height = 220;
const lane = 8;
/** Beside the plot, and in the style sheet beside the bars of the days, which are below their times. */
const [left, right] = [64, 24];

/** What is drawn. */
export const plots: uPlot[] = [];

/** The series of a monitor with its thresholds and the times in which it fires, and what is tried. */
export class Drawing {
  readonly #plot: uPlot;
  readonly #keys = h("span", { class: "sides" });
  readonly #days = h("div");
  readonly #recorded: readonly Side[];
  #tried: Side | undefined;

  constructor(
    private readonly chart: Chart,
    private readonly series: readonly PackedSeries[],
    element: HTMLElement,
  ) {
    this.#recorded = (["before", "after"] as const).flatMap((name) => {
      const { behavior, signals = [] } = chart[name] ?? {};
      if (behavior === undefined) return [];
      const notifications = notificationsSince(chart.span.from, signals);
      return [this.#side(name, behavior, { signals, notifications })];
    });
    const { after, reducedFrom } = chart;
    const shown = highest(series);
    const plotted = h("div");
    const omitted = (reducedFrom ?? series.length) - shown.length;
    const tried = reducedFrom === undefined ? after : undefined;
    const trial = tried && new Trial(tried.behavior, (behavior, isDragged) => this.#try(behavior, isDragged));
    const keys = shown.length > seriesColors.length ? [] : shown.map(({ labels }, i) => seriesKey(labels, i));
    const legend = h("p", { class: "legend" }, this.#keys, ...keys, this.#note(omitted));
    element.replaceChildren(legend, plotted, ...(trial ? [trial.element] : []), this.#days);
    this.#plot = this.#plotOf(shown, plotted);
    plots.push(this.#plot);
    trial?.follow(this.#plot);
    this.#showSides();
  }

  /** The lines of the series in an element, as wide as it is. */
  #plotOf(shown: readonly PackedSeries[], element: HTMLElement): uPlot {
    const { span, zone } = this.chart;
    const tables = shown.map(({ samples }): uPlot.AlignedData => {
      const points = [...reducedTo(samples, span)];
      return [points.map(([time]) => time), points.map(([, value]) => (Number.isFinite(value) ? value : null))];
    });
    const data = uPlot.join([[[span.from, span.to]], ...tables]);
    const dateOf = (time: number) => uPlot.tzDate(new Date(time * 1_000), zone);
    const [text, line] = [() => colorNamed("muted"), () => colorNamed("line")];
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const sizeOf = () => ({ width: Math.max(280, element.clientWidth), height });
    const plot = new uPlot(
      {
        ...sizeOf(),
        padding: [null, right, null, null],
        tzDate: dateOf,
        scales: {
          x: { range: () => [span.from, span.to] },
          y: { range: (_, least, greatest) => this.#range(least, greatest) },
        },
        axes: [
          { ...axis, values: (_, times) => times.map((time) => timeLabel(dateOf(time))) },
          { ...axis, size: left },
        ],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        series: [{}, ...shown.map((_, i) => ({ stroke: seriesColor(i), width: 1.2 }))],
        hooks: {
          drawClear: [(drawn) => this.#drawIncidents(drawn), (drawn) => this.#drawFiring(drawn)],
          draw: [(drawn) => this.#drawThresholds(drawn)],
        },
      },
      data,
      element,
    );
    new ResizeObserver(() => plot.setSize(sizeOf())).observe(element);
    return plot;
  }

  #note(omitted: number): string {
    const { zone, reducedFrom, isOneQuery } = this.chart;
    const hasWarnings = this.#thresholds().some(({ severity }) => severity === "warn");
    const isReduced = reducedFrom !== undefined;
    const notes = [
      `times in ${zone}`,
      hasWarnings && "warnings have thin lines and half the height",
      omitted > 0 && `${omitted} more series are not drawn`,
      !isOneQuery && "the query changes: the series are those of the new one",
      isReduced && "thresholds can't be tried: the report has not all samples of so many series",
    ];
    return notes.filter(Boolean).join(" · ");
  }

  get #sides(): readonly Side[] {
    return this.#tried === undefined ? this.#recorded : [...this.#recorded, this.#tried];
  }

  #try(behavior: Behavior | undefined, isDragged: boolean): string {
    this.#tried =
      behavior &&
      this.#side("tried", behavior, simulateBehavior(behavior, "the monitor", this.series, this.chart.span));
    // The scale stays while a line is dragged, because it would move away from the pointer.
    this.#plot.redraw(!isDragged);
    this.#showSides();
    return this.#sides
      .map(({ name, incidents, figures: { pages, pagesAtNight, warnings } }) => {
        const words = [
          ...[count(pages, "page"), `${pagesAtNight} at night`, warnings > 0 && `${warnings} warnings`],
          incidents && `${incidents.caught} of ${incidents.caught + incidents.missed} incidents caught`,
          incidents && `${incidents.pagesOutside} outside of incidents`,
        ];
        return `${name}: ${words.filter(Boolean).join(", ")}`;
      })
      .join(" · ");
  }

  #side(name: Side["name"], behavior: Behavior, simulation: Simulation): Side {
    const { span, night, zone, incidents: log } = this.chart;
    const figures = figuresOf(simulation, span, night, zone);
    const incidents = log && detect(simulation, log.incidents, log.leadSecs, span).figures;
    return { name, behavior, signals: simulation.signals, figures, ...(incidents && { incidents }) };
  }

  #showSides(): void {
    const { night, zone, span } = this.chart;
    const keys = this.#sides.map(({ name, behavior }) => {
      const thresholds = thresholdsIn(behavior).map(({ severity, value }) => `${severity} ${value}`);
      return h("span", { class: `key ${name}` }, thresholds.length === 0 ? name : `${name}: ${thresholds.join(", ")}`);
    });
    const hours = [night.start, night.end].map(clockText).join("–");
    const nights = h("span", { class: "key night" }, `at night (${hours}, ${zone})`);
    const bands = this.chart.incidents && h("span", { class: "key incident" }, "incident");
    this.#keys.replaceChildren(...keys, nights, ...(bands ? [bands] : []));
    const days = this.#sides.map(({ name, figures }) => [name, figures.days] as const);
    this.#days.replaceChildren(...daysView(days, span, Zone.named(zone)));
  }

  /** The thresholds that are on the scale of the series. */
  #thresholds() {
    const sides = this.#sides.filter(({ name }) => name !== "before" || this.chart.isOneQuery);
    return sides.flatMap(({ name, behavior }) => thresholdsIn(behavior).map((each) => ({ ...each, name })));
  }

  #range(least: number | null, greatest: number | null): [number, number] {
    const values = [...this.#thresholds().map(({ value }) => value), least ?? 0, greatest ?? 0];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = (high - low || Math.abs(high) || 1) * 0.08;
    return [low < 0 || low > high / 2 ? low - margin : 0, high + margin];
  }

  /** A band for each incident, with its outline so that it is seen behind what fires. */
  #drawIncidents(plot: uPlot): void {
    const { ctx: context, bbox } = plot;
    context.save();
    context.fillStyle = context.strokeStyle = colorNamed("incident");
    context.lineWidth = uPlot.pxRatio;
    for (const { start, end = this.chart.span.to } of this.chart.incidents?.incidents ?? []) {
      if (start >= this.chart.span.to) continue;
      const [left, width] = placeOf(plot, start, end);
      context.globalAlpha = 0.2;
      context.fillRect(left, bbox.top, width, bbox.height);
      context.globalAlpha = 0.8;
      context.strokeRect(left, bbox.top, width, bbox.height);
    }
    context.restore();
  }

  /** A lane for each side at the top: where it fires. What fires at the end of the change is also shaded. */
  #drawFiring(plot: uPlot): void {
    const { ctx: context, bbox } = plot;
    const ratio = uPlot.pxRatio;
    const lanes = this.#sides.length * (lane + 2) * ratio;
    context.save();
    this.#sides.forEach(({ name, signals }, i) => {
      context.fillStyle = colorNamed(name);
      for (const { severity, firedAt, resolvedAt = this.chart.span.to } of signals) {
        const [start, width] = placeOf(plot, firedAt, resolvedAt);
        const [tall, shade] = severity === "warn" ? [lane / 2, 0.05] : [lane, 0.14];
        context.globalAlpha = 1;
        context.fillRect(start, bbox.top + (i * (lane + 2) + lane - tall) * ratio, width, tall * ratio);
        context.globalAlpha = shade;
        if (i === this.#sides.length - 1) context.fillRect(start, bbox.top + lanes, width, bbox.height - lanes);
      }
    });
    context.restore();
  }

  #drawThresholds(plot: uPlot): void {
    const { ctx: context, bbox } = plot;
    context.save();
    for (const { name, severity, value } of this.#thresholds()) {
      const y = plot.valToPos(value, "y", true);
      context.lineWidth = (severity === "warn" ? 1 : 2) * uPlot.pxRatio;
      context.strokeStyle = colorNamed(name);
      context.setLineDash(name === "before" ? [6 * uPlot.pxRatio, 4 * uPlot.pxRatio] : []);
      context.beginPath();
      context.moveTo(bbox.left, y);
      context.lineTo(bbox.left + bbox.width, y);
      context.stroke();
    }
    context.restore();
  }
}

/** Where a time begins in a plot, and its width, which is at least a pixel. */
function placeOf(plot: uPlot, ...times: readonly [from: number, to: number]) {
  const { left, width } = plot.bbox;
  const [start = 0, end = 0] = times.map((time) =>
    Math.min(Math.max(plot.valToPos(time, "x", true), left), left + width),
  );
  return [start, Math.max(end - start, uPlot.pxRatio)] as const;
}

/** Colors that a color-blind person distinguishes, with enough contrast in both themes. */
const seriesColors = ["#6c757d", "#009e73", "#cc79a7", "#8c6d1f", "#7a9a01", "#7f5fc9"];
const seriesColor = (i: number) => seriesColors[i % seriesColors.length] ?? "gray";

function seriesKey(labels: Labels, i: number): Node {
  const pairs = Object.entries(labels).map((pair) => pair.join("="));
  const key = h("span", { class: "key series" }, pairs.join(" ") || "the only series");
  key.style.setProperty("--series", seriesColor(i));
  return key;
}

/** A color of the style sheet, in the theme of now. */
const colorNamed = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

/** `Wed 11-04` in two lines at midnight, else `12:00`. */
const timeLabel = (date: Date) =>
  uPlot.fmtDate(date.getHours() + date.getMinutes() === 0 ? "{WWW}\n{MM}-{DD}" : "{HH}:{mm}")(date);
