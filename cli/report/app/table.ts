import { type Alerting, isHiddenWord } from "../content";
import { changeView, figuresText, groupBadge } from "./changes";
import { badge, compared, h } from "./dom";
import { hoursOf, hoursText, weekStrip, weekView } from "./hours";
import { type SearchableRow, rowFilter, pairsOf, type FilterValues, silenceAt, timeAt } from "./state";

const columns = ["Monitor or SLO", "Query", "Conditions", "Route", "Active hours"];

/** The table of all monitors and SLOs. It draws the first rows at once, and the others a few at a time. */
export class Table {
  readonly element = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
  );
  readonly #body = h("tbody");
  readonly #drawn = new Map<SearchableRow, HTMLTableRowElement>();
  #isShown: (item: SearchableRow) => boolean = () => true;
  #time: number | undefined;
  #order: readonly SearchableRow[];
  readonly #isOneSource: boolean;

  constructor(private readonly items: readonly SearchableRow[]) {
    this.element.append(this.#body);
    this.#order = items;
    this.#isOneSource = new Set(items.map(({ row }) => row.source)).size < 2;
  }

  /** Shows the rows that match, first those that are newly silent at the chosen time, then those that were silent before. */
  show(state: FilterValues) {
    // Without a filter, a report of changes shows what changes.
    const isFolded = Object.keys(state).length === 0 && this.items.some(({ groups }) => groups.length > 0);
    const { change = isFolded ? "any" : "all" } = state;
    this.#isShown = rowFilter({ ...state, change });
    const time = timeAt(state.at);
    if (time !== this.#time) {
      this.#time = time;
      const silence = (item: SearchableRow) => ["newly silent", "silent at this time", ""].indexOf(this.#silence(item));
      this.#order = [...this.items].sort((a, b) => silence(a) - silence(b));
      this.#drawn.clear();
      this.#body.replaceChildren();
    }
    for (const [item, row] of this.#drawn) row.hidden = !this.#isShown(item);
    if (this.#drawn.size === 0) this.draw(60);
    const shown = this.items.filter(this.#isShown).map((item) => this.#silence(item));
    const newly = shown.filter((silence) => silence === "newly silent").length;
    return { change, shown: shown.length, silent: shown.filter((silence) => silence !== "").length, newly };
  }

  #silence(item: SearchableRow) {
    return this.#time === undefined ? "" : silenceAt(item, this.#time);
  }

  /** Draws more rows now, and the others later. */
  draw(count = this.items.length): void {
    for (const item of this.#order.slice(this.#drawn.size, this.#drawn.size + count)) {
      const row = this.#rowOf(item);
      row.hidden = !this.#isShown(item);
      this.#drawn.set(item, row);
      this.#body.append(row);
    }
    if (this.#drawn.size < this.items.length) setTimeout(() => this.draw(250));
  }

  #rowOf(item: SearchableRow): HTMLTableRowElement {
    const { row, hours, change, groups } = item;
    const { kind, slug, source, now, before } = row;
    const silence = this.#silence(item);
    const details = h("div", { class: "details", hidden: true });
    const button = h(
      "button",
      {
        type: "button",
        class: "name",
        title: now.name,
        "aria-expanded": "false",
        click: () => {
          if (details.childElementCount === 0) details.append(...this.#detailsOf(item));
          details.hidden = !details.hidden;
          button.setAttribute("aria-expanded", String(!details.hidden));
        },
      },
      now.name || slug,
    );
    const { team } = now.labels;
    const where = this.#isOneSource ? [] : [source];
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

  #detailsOf({ row: { now, before }, hours, change }: SearchableRow): readonly Node[] {
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
