import { directionWords } from "../../sentences/risk";
import { Zone } from "../../../sdk/behavior/zones";
import type { Alerting, ReportChange, ReportContent, Row } from "../content";
import { type ActiveHours, hoursOf, isActiveAt, nextWeek, readerZone } from "./hours";

/** The filters, as the report's address has them after the `#`: `#q=checkout&team=payments`. */
export const filters = ["q", "team", "label", "severity", "policy", "notifier", "change", "at"] as const;
export type FilterName = (typeof filters)[number];
export type FilterValues = Readonly<Partial<Record<FilterName, string>>>;

export function readState(): FilterValues {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(filters.flatMap((name) => (given.get(name) ? [[name, given.get(name) ?? ""]] : [])));
}

/** Keeps the filters in the address, so that a view can be sent. */
export const keepState = (state: FilterValues) =>
  history.replaceState(null, "", `#${new URLSearchParams(state as Record<string, string>).toString()}`);

/** A row with what is searched. */
export interface SearchableRow {
  readonly row: Row;
  readonly text: string;
  readonly hours: ActiveHours;
  readonly groups: readonly string[];
}

export const itemsOf = ({ rows, changes = [] }: ReportContent): readonly SearchableRow[] =>
  rows.map((row) => {
    const { slug, source, now, before = now, change = -1 } = row;
    const labels = pairsOf(now);
    const all = [slug, source, now.name, now.policy, ...labels, ...now.queries.flat(), ...now.conditions];
    const found = changes[change];
    const rerouted = before.receivers === now.receivers ? [] : ["rerouted"];
    return {
      row,
      text: all.join("\n").toLowerCase(),
      hours: hoursOf(now.schedule),
      groups: [...new Set([...(found ? groupsOf(found) : []), ...rerouted])],
    };
  });

export const pairsOf = ({ labels }: Alerting) => Object.entries(labels).map(([key, value]) => `${key}=${value}`);

/** The time that the filter `at` names, such as `6-03` for Sunday 03:00 of the reader's next week. */
export function timeAt(at: string | undefined): number | undefined {
  const [, weekday, hour] = /^([0-6])-([01]\d|2[0-3])$/.exec(at ?? "") ?? [];
  if (hour === undefined) return undefined;
  return nextWeek(Zone.named(readerZone)) + Number(weekday) * 86_400 + Number(hour) * 3_600;
}

/** The filter `at` of the present hour, in the reader's zone. */
export function nowFilter(): string {
  const now = new Date();
  return `${(now.getDay() + 6) % 7}-${String(now.getHours()).padStart(2, "0")}`;
}

export const isSilentAt = ({ hours, groups }: SearchableRow, time: number) =>
  !groups.includes("removed") && isActiveAt(hours, time) === false;

export function rowFilter(state: FilterValues): (item: SearchableRow) => boolean {
  const { q = "", team, label, severity, policy, notifier, change = "all" } = state;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ row: { now, slug }, text, groups }) =>
    // A slug in quotes is that of one row.
    words.every((word) => text.includes(word) || word === `"${slug.toLowerCase()}"`) &&
    (team === undefined || now.labels.team === team) &&
    (label === undefined || pairsOf(now).includes(label)) &&
    (severity === undefined || now.severities.includes(severity)) &&
    (policy === undefined || now.policy === policy) &&
    (notifier === undefined || now.notifier === notifier) &&
    (change === "all" || (change === "any" ? groups.length > 0 : groups.includes(change)));
}

const ops = { create: "added", update: "changed", replace: "replaced", delete: "removed" } as const;

/** The groups that a change belongs to: its operation, the directions of its risks, and whether its route changes. */
export const groupsOf = ({ op, risks }: ReportChange): readonly string[] => [
  ...new Set([
    ...risks.map(({ direction }) => directionWords[direction]),
    ...risks.flatMap((risk) => (["routing", "receiver"].includes(risk.class) ? ["rerouted"] : [])),
    ...(op === undefined ? [] : [ops[op]]),
  ]),
];
