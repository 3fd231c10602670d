import type { Simulation, Span } from "../../sdk/behavior/signals";
import { detect, type Detection, type Incident, type IncidentLog, isCounted, isIn } from "./incidents";

/** An incident of the file, and what the monitors did in it. */
export interface IncidentOutcome extends Incident {
  readonly isCounted: boolean;
  /** How many of the simulated monitors it concerns. */
  readonly concerned: number;
  /** Those that caught it or were firing already, before or after the change. */
  readonly monitors: readonly MonitorDetection[];
}

interface MonitorDetection {
  readonly monitor: string;
  /** Undefined for a new monitor. */
  readonly before?: Detection;
  /** Undefined for a removed monitor. */
  readonly after?: Detection;
}

/** One side of a monitor, and the incidents that concern it. */
interface ConcernedSide {
  readonly simulation: Simulation;
  readonly concerned: ReadonlySet<Incident>;
}

/** Collects what monitors did in the incidents of a file. */
export class IncidentOutcomes {
  readonly #found = new Map<Incident, { concerned: number; readonly monitors: MonitorDetection[] }>();

  constructor(
    private readonly log: IncidentLog,
    private readonly span: Span,
  ) {}

  /** Adds a monitor. An incident that concerns one side concerns both, so that their figures can be compared. */
  add(title: string, before: ConcernedSide | undefined, after: ConcernedSide | undefined) {
    const { log, span } = this;
    const incidents = log.incidents.filter((each) => before?.concerned.has(each) || after?.concerned.has(each));
    const [old, now] = [before, after].map((side) => side && detect(side.simulation, incidents, log.leadSecs, span));
    for (const incident of incidents) {
      const { concerned, monitors } = this.#found.get(incident) ?? { concerned: 0, monitors: [] };
      this.#found.set(incident, { concerned: concerned + 1, monitors });
      const [was, is] = [old?.detections.get(incident), now?.detections.get(incident)];
      const isFound = [was, is].some((each) => each?.pagedAt !== undefined || each?.wasFiring);
      if (isFound) monitors.push({ monitor: title, ...(was && { before: was }), ...(is && { after: is }) });
    }
    const touching = incidents.filter((each) => isIn(each, log.leadSecs, span));
    return { incidents: touching, before: old?.figures, after: now?.figures };
  }

  /** Each incident of the file, in its order. */
  all(): readonly IncidentOutcome[] {
    const none = { concerned: 0, monitors: [] };
    return this.log.incidents.map((incident) => ({
      ...incident,
      isCounted: isCounted(incident, this.log.leadSecs, this.span),
      ...(this.#found.get(incident) ?? none),
    }));
  }
}
