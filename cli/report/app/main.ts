import "./report.css";
import { grouped } from "../../../provider/values/grouped";
import { namedBy, type ReportChange, type ReportContent } from "../content";
import { changeView } from "./changes";
import { badge, filterLink, h } from "./dom";
import { dayNames, readerZone } from "./hours";
import { addedPages, numbersView } from "./numbers";
import { type FilterName, groupsOf, itemsOf, keepState, pairsOf, readState, type FilterValues } from "./state";
import { colorOf, receiversText, Table } from "./table";

const content = JSON.parse(document.getElementById("content")?.textContent ?? "") as ReportContent; // written by the command
const items = itemsOf(content);
const table = new Table(content, items);
const found = h("output", { "aria-live": "polite" });
let state: FilterValues = readState();

function update(next: FilterValues): void {
  state = next;
  keepState(state);
  const [shown, silent] = table.show(state);
  const isFolded = Object.keys(state).length === 0 && shown < items.length;
  const note = isFolded ? `, ${items.length - shown} unchanged` : state.at ? `, ${silent} silent at this time` : "";
  found.textContent = `${shown} of ${items.length}${note}`;
  for (const control of document.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-filter]")) {
    const value = state[control.dataset.filter as FilterName] ?? "";
    if (control.value !== value) control.value = value;
  }
}

const set = (name: FilterName, value: string) => {
  const { [name]: _, ...others } = state;
  update(value === "" ? others : { ...others, [name]: value });
};

const onInput = (name: FilterName) => (event: Event) => set(name, (event.target as HTMLInputElement).value);

/** A filter with the values that the rows have; none without a value. */
function choice(
  name: FilterName,
  title: string,
  values: readonly (readonly [value: string, text: string])[],
): Node | false {
  const options = values.map(([value, text]) => h("option", { value }, text));
  const any = h("option", { value: "" }, "any");
  return (
    values.length > 0 &&
    h("label", {}, title, h("select", { "data-filter": name, change: onInput(name) }, any, ...options))
  );
}

const sorted = (values: readonly (string | undefined)[]) =>
  [...new Set(values.filter((each) => each !== undefined))].sort().map((each) => [each, each] as const);

const times = dayNames.flatMap((name, day) =>
  Array.from({ length: 24 }, (_, hour) => {
    const clock = String(hour).padStart(2, "0");
    return [`${day}-${clock}`, `${name} ${clock}:00`] as const;
  }),
);

function filterForm(): Node {
  const sides = items.map(({ row }) => row.now);
  const groups = sorted(items.flatMap((each) => each.groups));
  const search = { type: "search", "data-filter": "q", input: onInput("q"), placeholder: "name, label, query …" };
  return h(
    "form",
    { role: "search", submit: (event) => event.preventDefault() },
    h("label", {}, "Search", h("input", search)),
    choice("team", "Team", sorted(sides.map(({ labels }) => labels.team))),
    choice("severity", "Severity", sorted(sides.flatMap(({ severities }) => severities))),
    choice("policy", "Policy", sorted(sides.map(({ policy }) => policy))),
    choice("notifier", "Notifier", sorted(sides.map(({ notifier }) => notifier))),
    choice("label", "Label", sorted(sides.flatMap(pairsOf))),
    choice("change", "Change", groups.length === 0 ? [] : [["all", "show all"], ...groups]),
    choice("at", `At (${readerZone})`, times),
    h("button", { type: "button", click: () => update({}) }, "Clear"),
    found,
  );
}

const section = (id: string, title: string, ...children: readonly (Node | false)[]) =>
  h("section", { id, tabindex: "-1", "aria-label": title }, h("h2", {}, title), ...children);

/** Nodes behind a title, if they are many. */
const folded = (title: string, nodes: readonly Node[], count = nodes.length): readonly Node[] =>
  count > 5 ? [h("details", {}, h("summary", {}, title), ...nodes)] : nodes;

function changesSection(): Node | false {
  const { changes } = content;
  if (changes === undefined) return false;
  const entryOf = (change: ReportChange) => {
    const { kind, name, source, op } = change;
    const title = h(
      "summary",
      {},
      h("b", {}, name),
      ` ${kind} · ${source} `,
      ...groupsOf(change).map((each) => badge(each, colorOf(each))),
    );
    return h(
      "details",
      { open: change.risks.length > 0 || change.chart !== undefined, "data-op": op ?? "" },
      title,
      changeView(change),
    );
  };
  const risky = changes
    .filter(({ risks, chart }) => risks.length > 0 || chart !== undefined)
    .sort((one, other) => addedPages(other) - addedPages(one));
  // Many are folded by the class of their worst risk.
  const classes = [...grouped(risky, ({ risks }) => risks[0]?.class)].map(([name = "without a risk", some]) =>
    h("details", {}, h("summary", {}, `${some.length} ${name}`), ...some.map(entryOf)),
  );
  const others = changes.filter(({ risks, chart }) => risks.length === 0 && chart === undefined).map(entryOf);
  return section(
    "changes",
    "Changes",
    changes.length === 0 && h("p", {}, "nothing changes"),
    ...(risky.length > 20 ? classes : risky.map(entryOf)),
    ...folded(`${others.length} without a risk`, others),
  );
}

function gapsSection(): HTMLElement | false {
  const known = new Set(content.rows.map(({ slug }) => slug));
  const { gaps } = content;
  const texts = [...new Set(gaps.map(({ text }) => text))];
  const lists = texts.flatMap((text) => {
    const some = gaps.filter((gap) => gap.text === text);
    const entries = some.map(({ kind, slug, source }) => {
      const name = known.has(slug) ? filterLink("q", `"${slug}"`, slug) : h("b", {}, slug);
      return h("li", {}, `${kind} `, name, ` (${source}): ${text}`);
    });
    return folded(`${some.length}: ${text}`, [h("ul", {}, ...entries)], gaps.length);
  });
  return gaps.length > 0 && section("gaps", `Gaps (${gaps.length})`, ...lists);
}

function notifiersSection(): Node | false {
  const entries = content.notifiers.map((entry) => {
    const { slug, source, problem } = entry;
    const named = items.filter(({ row }) => namedBy(row)(entry)).length;
    return h(
      "li",
      {},
      h("b", {}, slug),
      ` (${source}): ${receiversText(entry)}; named by ${named} of the rows`,
      problem !== undefined && badge("gap", "less"),
    );
  });
  return entries.length > 0 && section("notifiers", `Notifiers (${entries.length})`, h("ul", {}, ...entries));
}

const created = new Date(content.createdAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
const listOf = (texts: readonly string[]) => h("ul", {}, ...texts.map((text) => h("li", {}, text)));
const gaps = gapsSection();
const toGaps = gaps
  ? h("button", { type: "button", class: "name", click: () => gaps.focus() }, `Gaps: ${content.gaps.length}`)
  : "no gaps";
const alerting = section("alerting", "Monitors and SLOs", filterForm(), table.element);
document.body.prepend(
  h("button", { type: "button", class: "name skip", click: () => alerting.focus() }, "Skip to monitors and SLOs"),
  h(
    "header",
    {},
    h("h1", {}, content.title),
    h("p", {}, `Alerting as of ${created} (${readerZone})`),
    numbersView(content, items, toGaps),
  ),
  h(
    "main",
    {},
    content.problems.length > 0 && section("problems", "Errors", listOf(content.problems)),
    changesSection(),
    content.notes.length > 0 && section("notes", "Notes", listOf(content.notes)),
    alerting,
    gaps,
    notifiersSection(),
  ),
);
update(state);
addEventListener("hashchange", () => {
  update(readState());
  alerting.scrollIntoView();
  alerting.focus({ preventScroll: true });
});
addEventListener("beforeprint", () => table.drawAll());
