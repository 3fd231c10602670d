import { grouped } from "../../provider/base/grouped";
import type { Span } from "../../sdk/behavior/signals";
import { durationText } from "../../sdk/behavior/durations";
import { count, firstOf, numberText, plainly, quote, timeText } from "../output/words";
import { type Detection, type Incident, type IncidentFigures, type IncidentOutcome, isCounted } from "./incidents";
import { type Backtested, figureChange } from "./result";

/** Each incident of a file, in its order. */
export const outcomesOf = (all: readonly Incident[], leadSecs: number, span: Span, monitors: readonly Backtested[]) =>
  all.map((incident): IncidentOutcome => {
    const own = monitors.filter(({ judged }) => judged?.incidents.has(incident));
    const found = own.map(({ title, judged }) => {
      const [before, after] = [judged?.before, judged?.after].map((side) => side?.detections.get(incident));
      return { monitor: title, ...(before && { before }), ...(after && { after }) };
    });
    const isFound = (side: Detection | undefined) => side?.pagedAt !== undefined || side?.wasFiring === true;
    const shown = found.filter(({ before, after }) => isFound(before) || isFound(after));
    return { ...incident, isCounted: isCounted(incident, leadSecs, span), concerned: own.length, monitors: shown };
  });

const secsText = (secs: number) => durationText(Math.round(secs));

/** What there is to say of a monitor beside its pages, as sentences. */
export const notesOf = (monitor: Backtested): readonly string[] => [...incidentSentences(monitor), ...monitor.noData];

/** `caught 4 of 5 → 5 of 5 incidents, first page after 12 min → 3 min; 14 → 9 pages outside of incidents` */
function incidentSentences({ before, after }: Backtested): readonly string[] {
  const old = before?.incidents;
  const none = old && { caught: 0, missed: old.caught + old.missed, pagesOutside: 0 };
  const now: IncidentFigures | undefined = after?.incidents ?? none;
  if (now === undefined) return [];
  const { caught, missed, detectionSecs, pagesOutside } = now;
  const all = caught + missed;
  const ofAll = (value: number) => `${numberText(value)} of ${numberText(all)}`;
  const met = `caught ${figureChange(old?.caught, caught, ofAll)} ${all === 1 ? "incident" : "incidents"}`;
  const delay = detectionSecs !== undefined && figureChange(old?.detectionSecs, detectionSecs, secsText);
  const outside = `${figureChange(old?.pagesOutside, pagesOutside)} ${pagesOutside === 1 ? "page" : "pages"}`;
  const first = all === 0 ? "no counted incident concerns it" : met;
  return [`${first}${delay === false ? "" : `, first page after ${delay}`}; ${outside} outside of incidents`];
}

const isCaughtIn = ({ monitors }: IncidentOutcome, side: "before" | "after") =>
  monitors.some((each) => each[side]?.pagedAt !== undefined);

/** What there is to say of all incidents. */
export interface IncidentsText {
  /** `Incidents: 4 of 5 → 5 of 5 caught` */
  readonly title: string;
  readonly lines: readonly string[];
}

/** The most incidents that are listed, and the most monitors of each. */
const [mostLines, mostMonitors] = [1_000, 10];

/**
 * The outcome of each incident: first those that no monitor catches after the change, last those that concern none.
 * Undefined without any. @param outcomes Those of all stacks.
 */
export function incidentsText(outcomes: readonly IncidentOutcome[] | undefined): IncidentsText | undefined {
  if (outcomes === undefined) return undefined;
  const alike = grouped(outcomes, ({ name, start }) => JSON.stringify([name, start]));
  const incidents = [...alike.values()].map((some): IncidentOutcome => ({
    ...(some[0] as IncidentOutcome), // there is one
    concerned: some.reduce((sum, { concerned }) => sum + concerned, 0),
    monitors: some.flatMap(({ monitors }) => monitors),
  }));
  const counted = incidents.filter(({ isCounted }) => isCounted).sort((one, other) => one.start - other.start);
  const concerning = counted.filter(({ concerned }) => concerned > 0);
  const caughtIn = (side: "before" | "after") => concerning.filter((each) => isCaughtIn(each, side));
  const caught = caughtIn("after");
  const ofAll = (value: number) => `${numberText(value)} of ${numberText(concerning.length)}`;
  const [others, rest] = [counted.length - concerning.length, incidents.length - counted.length];
  const title = [
    `Incidents: ${figureChange(caughtIn("before").length, caught.length, ofAll)} caught`,
    ...(others > 0 ? [`${count(others, "concerns", "concern")} no simulated monitor`] : []),
    ...(rest > 0 ? [`${count(rest, "is", "are")} not counted`] : []),
  ].join("; ");
  const shown = [...new Set([...concerning.filter((each) => !isCaughtIn(each, "after")), ...caught, ...counted])];
  return {
    title,
    lines: firstOf(shown.map(outcomeLine), (left) => `and ${numberText(left)} more: --json has all`, mostLines),
  };
}

/** `2026-11-01 10:00 UTC "checkout slow": checkout-errors after 12 min → after 3 min` */
function outcomeLine(incident: IncidentOutcome): string {
  const { name, start, concerned, monitors } = incident;
  const texts = monitors.map(({ monitor, before, after = {} }) => {
    const text = stateText(incident, after);
    const old = before && stateText(incident, before);
    return `${plainly(monitor)} ${old === undefined || old === text ? text : `${old} → ${text}`}`;
  });
  const nothing = concerned === 0 ? "concerns no simulated monitor" : "caught by nothing";
  const found = firstOf(texts, undefined, mostMonitors);
  const words = [...(isCaughtIn(incident, "after") ? [] : [nothing]), ...found].join("; ");
  return `${timeText(start)} UTC ${quote(name)}: ${words}`;
}

function stateText({ start }: Incident, { pagedAt, wasFiring }: Detection): string {
  if (pagedAt === undefined) return wasFiring ? "firing already" : "missed";
  return pagedAt < start ? `${secsText(start - pagedAt)} before` : `after ${secsText(pagedAt - start)}`;
}
