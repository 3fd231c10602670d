import type { Labels, Series, Simulation, Span } from "../../sdk/behavior/signals";

/** A time in which somebody should have been paged, in seconds since the epoch. */
export interface Incident {
  readonly name: string;
  readonly start: number;
  /** Undefined if it has not ended. */
  readonly end?: number;
  /** The labels of the monitors that it concerns; it concerns all if it has none. */
  readonly labels?: Labels;
}

/** What a monitor did in an incident; nothing if it is missed. */
export interface Detection {
  /** The time of the first page for it. */
  readonly pagedAt?: number;
  /** Whether the monitor was firing already, so that it did not page again. */
  readonly wasFiring?: true;
}

/** An incident of the file, and what the monitors did in it. */
export interface IncidentOutcome extends Incident {
  readonly isCounted: boolean;
  /** How many of the simulated monitors it concerns; 0 if no page in the period could be for it. */
  readonly concerned: number;
  /** Those that caught it or were firing already, before or after the change; a side that doesn't exist is absent. */
  readonly monitors: readonly { readonly monitor: string; readonly before?: Detection; readonly after?: Detection }[];
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

/** Returns a test for whether an incident concerns a monitor with these labels and series. */
export const concerns =
  (own: Labels, series: readonly Pick<Series, "labels">[]) =>
  ({ labels = {} }: Incident): boolean => {
    const missing = Object.entries(labels).filter(([name, value]) => own[name] !== value);
    return missing.length === 0 || series.some((each) => missing.every(([name, value]) => each.labels[name] === value));
  };

/** The detections of the incidents that count, and their figures. @param incidents Those that concern the monitor. */
export function detect(
  { signals, notifications }: Simulation,
  incidents: readonly Incident[],
  leadSecs: number,
  span: Span,
) {
  // All are sorted by time and read once, because there may be thousands of each.
  const sorted = [...incidents].sort((one, other) => one.start - other.start);
  const pages = notifications.flatMap(({ severity, at }) => (severity === "critical" ? [at] : []));
  const firingUntil = latestEnd(
    signals.flatMap(({ severity, firedAt, resolvedAt = Infinity }) =>
      severity === "critical" ? [[firedAt, resolvedAt]] : [],
    ),
  );
  const incidentUntil = latestEnd(sorted.map(({ start, end = Infinity }) => [start - leadSecs, end]));
  const detections = new Map<Incident, Detection>();
  const delays: number[] = [];
  let next = 0;
  for (const incident of sorted) {
    if (!isCounted(incident, leadSecs, span)) continue;
    const { start, end = Infinity } = incident;
    while ((pages[next] ?? Infinity) < start - leadSecs) next += 1;
    const page = pages[next];
    if (page !== undefined && page <= end) {
      delays.push(Math.max(0, page - start));
      detections.set(incident, { pagedAt: page });
    } else detections.set(incident, firingUntil(start - leadSecs) > start ? { wasFiring: true } : {});
  }
  delays.sort((one, other) => one - other);
  const [low, high] = [delays[(delays.length - 1) >> 1], delays[delays.length >> 1]];
  const figures: IncidentFigures = {
    caught: delays.length,
    missed: detections.size - delays.length,
    ...(low !== undefined && high !== undefined && { detectionSecs: (low + high) / 2 }),
    pagesOutside: pages.filter((page) => incidentUntil(page) < page).length,
  };
  return { detections, figures };
}

/** Returns the latest end of all that has begun by a time. @param sorted Starts and ends. The times asked for only grow. */
function latestEnd(sorted: readonly (readonly number[])[]): (time: number) => number {
  let [next, latest] = [0, -Infinity];
  return (time) => {
    for (; (sorted[next]?.[0] ?? Infinity) <= time; next += 1) latest = Math.max(latest, sorted[next]?.[1] ?? latest);
    return latest;
  };
}
