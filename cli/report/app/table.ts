import { type Alerting, isHiddenWord } from "../content";
import { changeView, figuresText, groupBadge } from "./changes";
import { badge, compared, h } from "./dom";
import { hoursOf, hoursText, weekStrip, weekView } from "./hours";
import { type SearchableRow, rowFilter, pairsOf, type FilterValues, silenceAt, timeAt } from "./state";

const columns = ["Monitor or SLO", "Query", "Conditions", "Route", "Active hours"];

/** The table of all monitors and SLOs. It draws the first rows at once, and the others a few at a time. */
export function tableOf(items: readonly SearchableRow[]) {
  const body = h("tbody");
  const head = h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name))));
  const isOneSource = new Set(items.map(({ row }) => row.source)).size < 2;
  const drawn = new Map<SearchableRow, HTMLTableRowElement>();
  let isShown: (item: SearchableRow) => boolean = () => true;
  let time: number | undefined;
  let order = items;
  const silenceOf = (item: SearchableRow) => (time === undefined ? "" : silenceAt(item, time));

  /** Draws more rows now, and the others later. */
  function draw(count = items.length): void {
    for (const item of order.slice(drawn.size, drawn.size + count)) {
      const row = rowOf(item, silenceOf(item), isOneSource);
      row.hidden = !isShown(item);
      drawn.set(item, row);
      body.append(row);
    }
    if (drawn.size < items.length) setTimeout(() => draw(250));
  }

  /** Shows the rows that match, first those that are newly silent at the chosen time, then those that were silent before. */
  function show(state: FilterValues) {
    // Without a filter, a report of changes shows what changes.
    const isFolded = Object.keys(state).length === 0 && items.some(({ groups }) => groups.length > 0);
    const { change = isFolded ? "any" : "all" } = state;
    isShown = rowFilter({ ...state, change });
    if (time !== timeAt(state.at)) {
      time = timeAt(state.at);
      const rank = (item: SearchableRow) => ["newly silent", "silent at this time", ""].indexOf(silenceOf(item));
      order = [...items].sort((a, b) => rank(a) - rank(b));
      drawn.clear();
      body.replaceChildren();
    }
    for (const [item, row] of drawn) row.hidden = !isShown(item);
    if (drawn.size === 0) draw(60);
    const shown = items.filter(isShown).map(silenceOf);
    const newly = shown.filter((silence) => silence === "newly silent").length;
    return { change, shown: shown.length, silent: shown.filter((silence) => silence !== "").length, newly };
  }
  return { element: h("table", {}, head, body), show, draw };
}

function rowOf(item: SearchableRow, silence: string, isOneSource: boolean): HTMLTableRowElement {
  const { row, hours, change, groups } = item;
  const { kind, slug, source, now, before } = row;
  const details = h("div", { class: "details", hidden: true });
  const button = h(
    "button",
    {
      type: "button",
      class: "name",
      title: now.name,
      "aria-expanded": "false",
      click: () => {
        if (details.childElementCount === 0) details.append(...detailsOf(item));
        details.hidden = !details.hidden;
        button.setAttribute("aria-expanded", String(!details.hidden));
      },
    },
    now.name || slug,
  );
  const { team } = now.labels;
  const where = isOneSource ? [] : [source];
  const about = [kind, slug, ...(team === undefined ? [] : [`team ${team}`]), ...where].join(" · ");
  const badges = groups.map((group) => groupBadge(group));
  // The query that changes, or the first.
  const queries = queriesOf(now, before);
  const query = queries.find(({ old, text }) => before !== undefined && old !== text) ?? queries[0];
  return h(
    "tr",
    { "data-kind": kind, "data-slug": slug, class: `${silence && "silent "}${groups.join(" ")}` },
    cell(0, button, h("div", { class: "about" }, about), ...badges, h("div", {}, figuresText(change))),
    cell(1, ...(query?.shown ?? ["(none)"])),
    cell(2, ...compared(before?.conditions, now.conditions), now.isIncomplete && badge("some values are hidden")),
    cell(3, ...compared(before && routeOf(before), routeOf(now))),
    cell(
      4,
      silence !== "" && badge(silence, "less"),
      before !== undefined &&
        JSON.stringify(before.schedule) !== JSON.stringify(now.schedule) &&
        weekStrip(hoursOf(before.schedule), "old"),
      weekStrip(hours, "new"),
      ...compared(before && hoursText(hoursOf(before.schedule)), hoursText(hours)),
    ),
    h("td", { class: "wide", role: "cell" }, details),
  );
}

function detailsOf({ row: { now, before }, hours, change }: SearchableRow): readonly Node[] {
  const list = (title: string, lines: readonly string[], old?: readonly string[]) =>
    lines.length + (old?.length ?? 0) === 0 ? [] : [h("h3", {}, title), h("div", {}, ...compared(old, lines))];
  const notes = ({ annotations }: Alerting) => Object.entries(annotations).map(([key, value]) => `${key}: ${value}`);
  return [
    ...(change ? [h("h3", {}, "Change"), changeView(change)] : []),
    ...queriesOf(now, before).flatMap(({ field, shown }) => [h("h3", {}, field), ...shown]),
    ...list("Labels", pairsOf(now), before && pairsOf(before)),
    ...list("Annotations", notes(now), before && notes(before)),
    h("h3", {}, "Week"),
    weekView(hours),
  ];
}

/** Who is notified by the routes; without them, the policy, and the notifier that the label names. */
const routeOf = ({ policy, notifiers, notified }: Alerting): readonly string[] => [
  ...(notified ?? []),
  // Which notifiers a policy uses, the API doesn't say.
  ...(policy === undefined || notified !== undefined ? [] : [`policy ${policy}: its notifiers are not known`]),
  ...notifiers.map(
    ([slug, receivers = "not in this report"]) => `notifier ${slug}${isHiddenWord(slug) ? "" : `: ${receivers}`}`,
  ),
];

const queryCode = (text: string) => h("code", { class: "query" }, text);

/** The queries of both sides by field, with the old text struck through where it differs. */
function queriesOf({ queries }: Alerting, before: Alerting | undefined) {
  const [old, now] = [new Map(before?.queries), new Map(queries)];
  return [...new Set([...now.keys(), ...old.keys()])].map((field) => {
    const [was, text] = [old.get(field), now.get(field)];
    const gone = was === undefined || was === text ? [] : [h("del", {}, queryCode(was))];
    return { field, old: was, text, shown: [...gone, ...(text === undefined ? [] : [queryCode(text)])] };
  });
}

const cell = (column: number, ...children: readonly (Node | string | false | undefined)[]) =>
  h("td", { role: "cell", "data-column": columns[column] }, ...children);
