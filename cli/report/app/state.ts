import { directionWords } from "../../consequences/risk";
import { Zone } from "../../../sdk/behavior/zones";
import { isNamed, type NotifierEntry, type ReportChange, type ReportContent, type Row } from "../content";
import { type ActiveHours, hoursOf, isActiveAt, nextWeek, readerZone } from "./hours";

/** The filters, as the report's address has them after the `#`: `#q=checkout&team=payments`. */
const filters = ["q", "team", "label", "severity", "policy", "notifier", "change", "at"] as const;
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
  readonly change?: ReportChange | undefined;
  readonly groups: readonly string[];
}

/** How many pages a change adds or removes. */
export const changedPages = ({ chart }: ReportChange): number =>
  Math.abs((chart?.after?.pages ?? 0) - (chart?.before?.pages ?? 0));

/** What a monitor did that doesn't change: only a backtest of all monitors shows it. */
export const unchangedState = ({ op, backtest }: ReportChange) => (op === undefined ? backtest?.state : undefined);

/** The pages of a monitor that doesn't change; all that changes is before it, and one that never fired is the last. */
export function unchangedPages(change: ReportChange): number {
  const state = unchangedState(change);
  if (state === undefined) return Number.MAX_SAFE_INTEGER;
  return state === "neverFired" ? -1 : (change.chart?.after?.pages ?? 0);
}

/** The rows, first those that change, by how many pages. */
export function itemsOf({ rows, changes = [] }: ReportContent): readonly SearchableRow[] {
  const items = rows.map((row) => {
    const { slug, source, now, before = now } = row;
    const labels = pairsOf(now);
    const all = [slug, source, now.name, now.policy, ...labels, ...now.queries.flat(), ...now.conditions];
    const change = changes[row.change ?? -1];
    const isRerouted = JSON.stringify(before.notifiers) !== JSON.stringify(now.notifiers);
    const found = [...(change ? groupsOf(change) : []), ...(isRerouted ? ["rerouted"] : [])];
    return {
      row,
      text: all.join("\n").toLowerCase(),
      hours: hoursOf(now.schedule),
      change,
      groups: groups.filter((group) => found.includes(group)),
    };
  });
  const weightOf = ({ change }: SearchableRow) => (change ? 1 + changedPages(change) : 0);
  return items.sort((one, other) => weightOf(other) - weightOf(one));
}

export const isNamedBy =
  (entry: NotifierEntry) =>
  ({ row: { now, service } }: SearchableRow) =>
    now.notifiers.some(([slug]) => isNamed(entry, slug, service));

export const pairsOf = ({ labels }: Row["now"]) => Object.entries(labels).map(([key, value]) => `${key}=${value}`);

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

/** Whether a row notifies nobody at a time, and whether the change causes it; "" if it is active or not known. */
export function silenceAt({ row, hours, groups }: SearchableRow, time: number) {
  const isRemoved = groups.includes("removed");
  if (!isRemoved && isActiveAt(hours, time) !== false) return "";
  const before = isRemoved ? hours : row.before && hoursOf(row.before.schedule);
  return before && isActiveAt(before, time) ? "newly silent" : "silent at this time";
}

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
    (notifier === undefined || now.notifiers.some(([slug]) => slug === notifier)) &&
    (change === "all" || (change === "any" ? groups.length > 0 : groups.includes(change)));
}

const ops = { create: "added", update: "changed", replace: "replaced", delete: "removed" } as const;

/** The groups of changes with their colors, the worst first. */
export const groupColors: Readonly<Record<string, string>> = {
  "alerts less": "less",
  removed: "less",
  "effect unclear": "plain",
  rerouted: "plain",
  "alerts more": "more",
  added: "more",
  replaced: "plain",
  changed: "plain",
};
export const groups = Object.keys(groupColors);

/** The groups that a change belongs to: its operation, the directions of its risks, and whether its route changes. */
export function groupsOf({ op, risks }: ReportChange): readonly string[] {
  const isRerouted = risks.some((risk) => ["routing", "receiver"].includes(risk.class));
  const found = [op && ops[op], isRerouted && "rerouted", ...risks.map(({ direction }) => directionWords[direction])];
  return groups.filter((group) => found.includes(group));
}
