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
import { thresholdsIn, trialOf } from "./trial";

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

/** Draws the series of a monitor with its thresholds and the times in which it fires, and what is tried. */
export function draw(chart: Chart, series: readonly PackedSeries[], element: HTMLElement): void {
  const { span, night, zone, incidents: log, isOneQuery, after, reducedFrom } = chart;
  const recorded = (["before", "after"] as const).flatMap((name) => {
    const { behavior, signals = [] } = chart[name] ?? {};
    if (behavior === undefined) return [];
    const notifications = notificationsSince(span.from, signals);
    return [sideOf(name, behavior, { signals, notifications })];
  });
  let sides: readonly Side[] = recorded;
  const shown = highest(series);
  const plotted = h("div");
  const [sideKeys, days] = [h("span", { class: "sides" }), h("div")];
  const tried = reducedFrom === undefined ? after : undefined;
  const trial = tried && trialOf(tried.behavior, tryOut);
  const keys = shown.length > seriesColors.length ? [] : shown.map(({ labels }, i) => seriesKey(labels, i));
  const legend = h("p", { class: "legend" }, sideKeys, ...keys, note((reducedFrom ?? series.length) - shown.length));
  element.replaceChildren(legend, plotted, ...(trial ? [trial.element] : []), days);
  const plot = plotOf();
  plots.push(plot);
  trial?.follow(plot);
  showSides();

  /** The lines of the series, as wide as their element. */
  function plotOf(): uPlot {
    const tables = shown.map(({ samples }): uPlot.AlignedData => {
      const points = [...reducedTo(samples, span)];
      return [points.map(([time]) => time), points.map(([, value]) => (Number.isFinite(value) ? value : null))];
    });
    const data = uPlot.join([[[span.from, span.to]], ...tables]);
    const dateOf = (time: number) => uPlot.tzDate(new Date(time * 1_000), zone);
    const [text, line] = [() => colorNamed("muted"), () => colorNamed("line")];
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
    const sizeOf = () => ({ width: Math.max(280, plotted.clientWidth), height });
    const drawn = new uPlot(
      {
        ...sizeOf(),
        padding: [null, right, null, null],
        tzDate: dateOf,
        scales: {
          x: { range: () => [span.from, span.to] },
          y: { range: (_, least, greatest) => rangeOf(least, greatest) },
        },
        axes: [
          { ...axis, values: (_, times) => times.map((time) => timeLabel(dateOf(time))) },
          { ...axis, size: left },
        ],
        legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { show: false } },
        series: [{}, ...shown.map((_, i) => ({ stroke: seriesColor(i), width: 1.2 }))],
        hooks: { drawClear: [drawIncidents, drawFiring], draw: [drawThresholds] },
      },
      data,
      plotted,
    );
    new ResizeObserver(() => drawn.setSize(sizeOf())).observe(plotted);
    return drawn;
  }

  function note(omitted: number): string {
    const hasWarnings = thresholds().some(({ severity }) => severity === "warn");
    const notes = [
      `times in ${zone}`,
      hasWarnings && "warnings have thin lines and half the height",
      omitted > 0 && `${omitted} more series are not drawn`,
      !isOneQuery && "the query changes: the series are those of the new one",
      reducedFrom !== undefined && "thresholds can't be tried: the report has not all samples of so many series",
    ];
    return notes.filter(Boolean).join(" · ");
  }

  function tryOut(behavior: Behavior | undefined, isDragged: boolean): string {
    const found = behavior && sideOf("tried", behavior, simulateBehavior(behavior, "the monitor", series, span));
    sides = found ? [...recorded, found] : recorded;
    // The scale stays while a line is dragged, because it would move away from the pointer.
    plot.redraw(!isDragged);
    showSides();
    return sides
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

  function sideOf(name: Side["name"], behavior: Behavior, simulation: Simulation): Side {
    const figures = figuresOf(simulation, span, night, zone);
    const incidents = log && detect(simulation, log.incidents, log.leadSecs, span).figures;
    return { name, behavior, signals: simulation.signals, figures, ...(incidents && { incidents }) };
  }

  function showSides(): void {
    const keys = sides.map(({ name, behavior }) => {
      const texts = thresholdsIn(behavior).map(({ severity, value }) => `${severity} ${value}`);
      return h("span", { class: `key ${name}` }, texts.length === 0 ? name : `${name}: ${texts.join(", ")}`);
    });
    const hours = [night.start, night.end].map(clockText).join("–");
    const nights = h("span", { class: "key night" }, `at night (${hours}, ${zone})`);
    const bands = log && h("span", { class: "key incident" }, "incident");
    sideKeys.replaceChildren(...keys, nights, ...(bands ? [bands] : []));
    const pages = sides.map(({ name, figures }) => [name, figures.days] as const);
    days.replaceChildren(...daysView(pages, span, Zone.named(zone)));
  }

  /** The thresholds that are on the scale of the series. */
  function thresholds() {
    const scaled = sides.filter(({ name }) => name !== "before" || isOneQuery);
    return scaled.flatMap(({ name, behavior }) => thresholdsIn(behavior).map((each) => ({ ...each, name })));
  }

  function rangeOf(least: number | null, greatest: number | null): [number, number] {
    const values = [...thresholds().map(({ value }) => value), least ?? 0, greatest ?? 0];
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = (high - low || Math.abs(high) || 1) * 0.08;
    return [low < 0 || low > high / 2 ? low - margin : 0, high + margin];
  }

  /** A band for each incident, with its outline so that it is seen behind what fires. */
  function drawIncidents(drawn: uPlot): void {
    const { ctx: context, bbox } = drawn;
    context.save();
    context.fillStyle = context.strokeStyle = colorNamed("incident");
    context.lineWidth = uPlot.pxRatio;
    for (const { start, end = span.to } of log?.incidents ?? []) {
      if (start >= span.to) continue;
      const [left, width] = placeOf(drawn, start, end);
      context.globalAlpha = 0.2;
      context.fillRect(left, bbox.top, width, bbox.height);
      context.globalAlpha = 0.8;
      context.strokeRect(left, bbox.top, width, bbox.height);
    }
    context.restore();
  }

  /** A lane for each side at the top: where it fires. What fires at the end of the change is also shaded. */
  function drawFiring(drawn: uPlot): void {
    const { ctx: context, bbox } = drawn;
    const ratio = uPlot.pxRatio;
    const lanes = sides.length * (lane + 2) * ratio;
    context.save();
    sides.forEach(({ name, signals }, i) => {
      context.fillStyle = colorNamed(name);
      for (const { severity, firedAt, resolvedAt = span.to } of signals) {
        const [start, width] = placeOf(drawn, firedAt, resolvedAt);
        const [tall, shade] = severity === "warn" ? [lane / 2, 0.05] : [lane, 0.14];
        context.globalAlpha = 1;
        context.fillRect(start, bbox.top + (i * (lane + 2) + lane - tall) * ratio, width, tall * ratio);
        context.globalAlpha = shade;
        if (i === sides.length - 1) context.fillRect(start, bbox.top + lanes, width, bbox.height - lanes);
      }
    });
    context.restore();
  }

  function drawThresholds(drawn: uPlot): void {
    const { ctx: context, bbox } = drawn;
    context.save();
    for (const { name, severity, value } of thresholds()) {
      const y = drawn.valToPos(value, "y", true);
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
  // An empty label is no label.
  const pairs = Object.entries(labels).flatMap((pair) => (pair[1] === "" ? [] : pair.join("=")));
  const key = h("span", { class: "key series" }, pairs.join(" ") || "without labels");
  key.style.setProperty("--series", seriesColor(i));
  return key;
}

const probe = document.head.appendChild(h("span"));

/** A color of the style sheet, in the theme of now. */
function colorNamed(name: string): string {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

/** `Wed 11-04` in two lines at midnight, else `12:00`. */
const timeLabel = (date: Date) =>
  uPlot.fmtDate(date.getHours() + date.getMinutes() === 0 ? "{WWW}\n{MM}-{DD}" : "{HH}:{mm}")(date);
