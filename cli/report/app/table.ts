import { type Alerting, isHiddenWord, namedBy, type NotifierEntry, type ReportContent, type Row } from "../content";
import { changeView } from "./changes";
import { badge, compared, h, highlighted } from "./dom";
import { hoursOf, hoursText, isActiveAt, weekStrip, weekView } from "./hours";
import { type SearchableRow, rowFilter, pairsOf, type FilterValues, timeAt } from "./state";

const columns = ["Monitor or SLO", "Query", "Conditions", "Route", "Active hours"];

/** The table of all monitors and SLOs. It draws the first rows at once, and the others a few at a time. */
export class Table {
  readonly element = h(
    "table",
    {},
    h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
  );
  readonly #body = h("tbody");
  readonly #drawn: HTMLTableRowElement[] = [];
  #isShown: (item: SearchableRow) => boolean = () => true;
  #time: number | undefined;
  #order: readonly SearchableRow[];
  readonly #isOneSource: boolean;

  constructor(
    private readonly content: ReportContent,
    private readonly items: readonly SearchableRow[],
  ) {
    this.element.append(this.#body);
    this.#order = items;
    this.#isOneSource = new Set(content.rows.map(({ source }) => source)).size < 2;
  }

  /** Shows the rows that match, first those that are silent at the chosen time. @returns how many match and are silent. */
  show(state: FilterValues): readonly [shown: number, silent: number] {
    const matches = rowFilter(state);
    // Without a filter, a report of changes shows what changes.
    const isFolded = Object.keys(state).length === 0 && this.items.some(({ groups }) => groups.length > 0);
    this.#isShown = (item) => (isFolded ? item.groups.length > 0 : state.change === "all" || matches(item));
    const time = timeAt(state.at);
    if (time !== this.#time) {
      this.#time = time;
      this.#order = [...this.items].sort((a, b) => Number(this.#isSilent(b)) - Number(this.#isSilent(a)));
      this.#drawn.splice(0).forEach((row) => row.remove());
      this.#body.replaceChildren();
    }
    this.#drawn.forEach((row, i) => this.#hide(row, i));
    if (this.#drawn.length === 0) this.#draw(60);
    const shown = this.items.filter(this.#isShown);
    return [shown.length, shown.filter((item) => this.#isSilent(item)).length];
  }

  #isSilent({ hours, groups }: SearchableRow): boolean {
    return this.#time !== undefined && !groups.includes("removed") && isActiveAt(hours, this.#time) === false;
  }

  /** Draws all rows now, to print them. */
  drawAll(): void {
    this.#draw(this.items.length, false);
  }

  #draw(count: number, isRepeated = true): void {
    const first = this.#drawn.length;
    const rows = this.#order.slice(first, first + count).map((item) => this.#rowOf(item));
    rows.forEach((row, i) => this.#hide(row, first + i));
    this.#drawn.push(...rows);
    this.#body.append(...rows);
    if (isRepeated && this.#drawn.length < this.items.length) setTimeout(() => this.#draw(250));
  }

  #hide(row: HTMLTableRowElement, i: number): void {
    const item = this.#order[i];
    row.hidden = item === undefined || !this.#isShown(item);
  }

  #rowOf(item: SearchableRow): HTMLTableRowElement {
    const { row, hours, groups } = item;
    const { kind, slug, source, now, before } = row;
    const silent = this.#isSilent(item);
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
    // The query that changes, or the first.
    const queries = queriesOf(now, before);
    const query = queries.find(({ old, text }) => before !== undefined && old !== text) ?? queries[0];
    return h(
      "tr",
      { "data-kind": kind, "data-slug": slug, class: `${silent ? "silent " : ""}${groups.join(" ")}` },
      cell(0, button, h("div", { class: "about" }, about), ...groups.map((group) => badge(group, colorOf(group)))),
      cell(1, ...(query?.shown ?? ["(none)"])),
      cell(2, ...compared(before?.conditions, now.conditions), now.isIncomplete && badge("some values are hidden")),
      cell(3, ...compared(before && this.#routeOf(row, before), this.#routeOf(row))),
      cell(
        4,
        ...(silent ? [badge("silent at this time", "less")] : []),
        before !== undefined &&
          JSON.stringify(before.schedule) !== JSON.stringify(now.schedule) &&
          weekStrip(hoursOf(before.schedule), "old"),
        weekStrip(hours, "new"),
        ...compared(before && hoursText(hoursOf(before.schedule)), hoursText(hours)),
      ),
      h("td", { class: "wide", role: "cell" }, details),
    );
  }

  /** The policy, and the notifier that the label names. Which notifiers a policy uses, the API doesn't say. */
  #routeOf(row: Row, side = row.now): readonly string[] {
    const { policy, notifier } = side;
    const entry = this.content.notifiers.find(namedBy({ ...row, now: side }));
    const receivers = entry === undefined ? "not in this report" : receiversText(entry);
    return [
      ...(policy === undefined ? [] : [`policy ${policy}: its notifiers are not known`]),
      ...(notifier === undefined ? [] : [`notifier ${notifier}${isHiddenWord(notifier) ? "" : `: ${receivers}`}`]),
      ...(policy === undefined && notifier === undefined ? ["not known"] : []),
    ];
  }

  #detailsOf({ row: { now, before, change = -1 }, hours }: SearchableRow): readonly Node[] {
    const found = this.content.changes?.[change];
    const list = (title: string, lines: readonly string[], old?: readonly string[]) =>
      lines.length + (old?.length ?? 0) === 0 ? [] : [h("h3", {}, title), h("div", {}, ...compared(old, lines))];
    const notes = ({ annotations }: Alerting) => Object.entries(annotations).map(([key, value]) => `${key}: ${value}`);
    return [
      ...(found ? [h("h3", {}, "Change"), changeView(found)] : []),
      ...queriesOf(now, before).flatMap(({ field, shown }) => [h("h3", {}, field), ...shown]),
      ...list("Labels", pairsOf(now), before && pairsOf(before)),
      ...list("Annotations", notes(now), before && notes(before)),
      h("h3", {}, "Week"),
      weekView(hours),
    ];
  }
}

/** The queries of both sides by field, with the old text struck through where it differs. */
function queriesOf({ queries }: Alerting, before: Alerting | undefined) {
  const [old, now] = [new Map(before?.queries), new Map(queries)];
  return [...new Set([...now.keys(), ...old.keys()])].map((field) => {
    const [was, text] = [old.get(field), now.get(field)];
    const gone = was === undefined || was === text ? [] : [h("del", {}, highlighted(was))];
    return { field, old: was, text, shown: [...gone, ...(text === undefined ? [] : [highlighted(text)])] };
  });
}

const cell = (column: number, ...children: readonly (Node | string | false | undefined)[]) =>
  h("td", { role: "cell", "data-column": columns[column] }, ...children);

export const receiversText = ({ receivers, problem }: NotifierEntry) =>
  [...receivers, ...(problem === undefined ? [] : [problem])].join(", ") || "no receiver";

/** The color of a group of changes. */
export const colorOf = (group: string) =>
  ["alerts less", "removed"].includes(group) ? "less" : ["alerts more", "added"].includes(group) ? "more" : "plain";
