import { union } from "../../sdk/behavior/grouping";
import type { Labels, Series, Signal, Simulation, Span } from "../../sdk/behavior/signals";

/** A time in which somebody should have been paged, in seconds since the epoch. */
export interface Incident {
  readonly name: string;
  readonly start: number;
  /** Undefined if it has not ended. */
  readonly end?: number;
  /** The labels of the monitors that it concerns; it concerns all if it has none. */
  readonly labels?: Labels;
}

/** The incidents of a file, and how many seconds before the start of one a page counts for it. */
export interface IncidentLog {
  readonly incidents: readonly Incident[];
  readonly leadSecs: number;
}

/** What a monitor did in an incident; nothing if it is missed. */
export interface Detection {
  /** The time of the first page for it. */
  readonly pagedAt?: number;
  /** Whether the monitor was firing already, so that it did not page again. */
  readonly wasFiring?: true;
}

/** How a monitor meets the incidents that concern it and count. */
export interface IncidentFigures {
  readonly caught: number;
  readonly missed: number;
  /** The median time from the start of a caught incident to its first page, which is 0 for a page before the start. */
  readonly detectionSecs?: number;
  /** The pages for no incident. */
  readonly pagesOutside: number;
}

/** Whether an incident counts: the times at which a page counts for it begin in the span, and so does the incident. */
export const isCounted = ({ start }: Incident, leadSecs: number, { from, to }: Span) =>
  start - leadSecs >= from && start < to;

/** Whether a page in the span may count for an incident. */
export const isIn = ({ start, end = Infinity }: Incident, leadSecs: number, { from, to }: Span) =>
  start - leadSecs < to && end >= from;

/** The seconds from the start of an incident to the first page for it; negative if the page came before. */
export const delayOf = ({ start }: Incident, { pagedAt = start }: Detection) => pagedAt - start;

/** Returns a test for whether an incident concerns a monitor with these labels and series. */
export function concerns(own: Labels, series: readonly Pick<Series, "labels">[]): (incident: Incident) => boolean {
  // Many incidents have the same labels.
  const known = new Map<string, boolean>();
  return ({ labels = {} }) => {
    const pairs = Object.entries(labels);
    const key = JSON.stringify(pairs);
    const found = known.get(key);
    if (found !== undefined) return found;
    const isMet = [{ labels: {} as Labels }, ...series].some((each) =>
      pairs.every(([name, value]) => own[name] === value || each.labels[name] === value),
    );
    known.set(key, isMet);
    return isMet;
  };
}

/** The detections of the incidents that count, and their figures. @param incidents Those that concern the monitor. */
export function detect(
  { signals, notifications }: Simulation,
  incidents: readonly Incident[],
  leadSecs: number,
  span: Span,
) {
  const pages = notifications.filter(({ severity }) => severity === "critical").map(({ at }) => at);
  const firing = union(signals.filter(isCritical).map(({ firedAt: start, resolvedAt }) => timesOf(start, resolvedAt)));
  const detections = new Map<Incident, Detection>();
  for (const incident of incidents) {
    if (!isCounted(incident, leadSecs, span)) continue;
    const { start, end = Infinity } = incident;
    const first = start - leadSecs;
    const pagedAt = pages[indexFrom(pages, first)];
    const { end: firingUntil = Infinity } = firing[indexFrom(firing, first, startOf) - 1] ?? { end: -Infinity };
    if (pagedAt !== undefined && pagedAt <= end) detections.set(incident, { pagedAt });
    else detections.set(incident, firingUntil > start ? { wasFiring: true } : {});
  }
  const windows = union(incidents.map(({ start, end }) => timesOf(start - leadSecs, end)));
  const isOutside = (page: number) => {
    const next = indexFrom(windows, page, startOf);
    const { end = Infinity } = windows[next - 1] ?? { end: -Infinity };
    return windows[next]?.start !== page && end < page;
  };
  const caught = [...detections].filter(([, { pagedAt }]) => pagedAt !== undefined);
  const detectionSecs = medianOf(caught.map(([incident, each]) => Math.max(0, delayOf(incident, each))));
  const figures: IncidentFigures = {
    caught: caught.length,
    missed: detections.size - caught.length,
    ...(detectionSecs !== undefined && { detectionSecs }),
    pagesOutside: pages.filter(isOutside).length,
  };
  return { detections, figures };
}

const isCritical = ({ severity }: Signal) => severity === "critical";
const timesOf = (start: number, end: number | undefined) => (end === undefined ? { start } : { start, end });
const startOf = ({ start }: { readonly start: number }) => start;

/** The index of the first of the items, which are in order, that is not before a time. */
function indexFrom<T = number>(items: readonly T[], time: number, timeOf: (item: T) => number = Number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle] as T) < time)
      low = middle + 1; // The middle is below the length.
    else high = middle;
  }
  return low;
}

/** The middle one, or the mean of the two in the middle; undefined if there is none. */
function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
