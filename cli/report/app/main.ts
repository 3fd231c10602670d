import "./report.css";
import { grouped } from "../../../provider/base/grouped";
import { isAccepted, textOfRisk, worstFirst } from "../../consequences/risk";
import { receiversText, type ReportChange, type ReportContent } from "../content";
import { changeView, figuresText, groupBadge, riskBadge } from "./changes";
import { badge, entryLink, filterLink, h, unfold } from "./dom";
import { dayNames } from "../../meaning/schedule";
import { readerZone } from "./hours";
import { numbersView } from "./numbers";
import {
  changedPages,
  type FilterName,
  groupsOf,
  isNamedBy,
  itemsOf,
  keepState,
  pairsOf,
  readState,
  unchangedPages,
  unchangedState,
} from "./state";
import { tableOf } from "./table";

const content = JSON.parse(document.getElementById("content")?.textContent ?? "") as ReportContent; // written by the command
const items = itemsOf(content);
const table = tableOf(items);
const found = h("output", { "aria-live": "polite" });
const isChanged = (content.changes ?? []).length > 0;
let state = readState();

function update(next: typeof state): void {
  state = next;
  const { change, shown, silent, newly } = table.show(state);
  const isFolded = Object.keys(state).length === 0 && shown < items.length;
  const silence = `, ${silent} silent at this time${newly > 0 ? `, ${newly} newly` : ""}`;
  found.textContent = `${shown} of ${items.length}${isFolded ? `, ${items.length - shown} unchanged` : state.at ? silence : ""}`;
  const values = { ...state, change };
  for (const control of document.querySelectorAll<Control>("form [name]")) {
    const value = values[control.name as FilterName] ?? "";
    if (control.value !== value) control.value = value;
  }
}

function choose(next: typeof state): void {
  keepState(next);
  update(next);
}

type Control = HTMLInputElement | HTMLSelectElement;

const set = ({ name, value }: Control) => {
  const { [name as FilterName]: _, ...others } = state;
  choose(value === "" ? others : { ...others, [name]: value });
};

/** A filter with the values that the rows have; none without a value. */
function choice(
  name: FilterName,
  title: string,
  values: readonly (readonly [value: string, text: string])[],
  none: typeof values = [["", "any"]],
): Node | false {
  const options = [...none, ...values].map(([value, text]) => h("option", { value }, text));
  return values.length > 0 && h("label", {}, title, h("select", { name }, ...options));
}

const sorted = (values: readonly (string | undefined)[]) =>
  [...new Set(values.filter((each) => each !== undefined))].sort().map((each) => [each, each] as const);

const times = dayNames.flatMap((name, day) =>
  Array.from({ length: 24 }, (_, hour) => {
    const clock = String(hour).padStart(2, "0");
    return [`${day}-${clock}`, `${name} ${clock}:00`] as const;
  }),
);

const changeChoices = [["any", "changed rows"] as const, ["all", "all rows"] as const];

function filterForm(): Node {
  const sides = items.map(({ row }) => row.now);
  const search = { type: "search", name: "q", placeholder: "name, label, query …" };
  return h(
    "form",
    { role: "search", submit: (event) => event.preventDefault(), input: ({ target }) => set(target as Control) },
    h("label", {}, "Search", h("input", search)),
    choice("team", "Team", sorted(sides.map(({ labels }) => labels.team))),
    choice("severity", "Severity", sorted(sides.flatMap(({ severities }) => severities))),
    choice("policy", "Policy", sorted(sides.map(({ policy }) => policy))),
    choice("notifier", "Notifier", sorted(sides.flatMap(({ notifiers }) => notifiers.map(([slug]) => slug)))),
    choice("label", "Label", sorted(sides.flatMap(pairsOf))),
    choice("change", "Change", sorted(items.flatMap(({ groups }) => groups)), changeChoices),
    choice("at", `At (your time, ${readerZone})`, times),
    h("button", { type: "button", click: () => choose({}) }, "Clear"),
    found,
  );
}

const section = (id: string, title: string, ...children: readonly (Node | false)[]) =>
  h("section", { id, tabindex: "-1", "aria-label": title }, h("h2", {}, title), ...children);

/** Nodes behind a title, if they are many. */
const folded = (title: string, nodes: readonly Node[], count = nodes.length): readonly Node[] =>
  count > 5 ? [h("details", {}, h("summary", {}, title), ...nodes)] : nodes;

/** A list whose rest is folded, if it is long. */
function cutList(lines: readonly Node[]): readonly Node[] {
  const more = lines.slice(20);
  const rest = h("details", {}, h("summary", {}, `${more.length} more`), h("ul", {}, ...more));
  return [h("ul", {}, ...lines.slice(0, 20)), ...(more.length > 0 ? [rest] : [])];
}

/** A line for each of these risks, in the order of a review. */
function risksSection(id: string, title: string, isShown: typeof isAccepted): Node | false {
  const { changes = [] } = content;
  const isOneSource = new Set(changes.map(({ source }) => source)).size < 2;
  const risks = changes.flatMap(({ risks }, index) => risks.map((risk) => ({ ...risk, index })));
  const shown = risks.filter(isShown).sort(worstFirst);
  const lines = shown.map((risk) => {
    const text = `: ${textOfRisk(risk)}${isOneSource ? "" : ` (${risk.stack})`}`;
    return h("li", {}, riskBadge(risk), ` ${risk.kind} `, entryLink(risk.index, risk.name), text);
  });
  return lines.length > 0 && section(id, title, ...cutList(lines));
}

const stateWords = { fired: "fired", noData: "no data", neverFired: "never fired" };

function changesSection(): Node | false {
  const { changes } = content;
  if (changes === undefined) return false;
  const risky = changes
    .filter(({ risks, chart }) => risks.length > 0 || chart !== undefined)
    .sort((a, b) => changedPages(b) - changedPages(a) || unchangedPages(b) - unchangedPages(a));
  const open = new Set(risky.filter(({ chart }) => chart !== undefined).slice(0, 3));
  const entryOf = (change: ReportChange) => {
    const { kind, name, source } = change;
    const index = changes.indexOf(change);
    const shown = items.find((each) => each.change === change)?.row.now.name || name;
    const about = `${shown === name ? "" : ` (${shown})`} ${kind} · ${source} `;
    const badges = groupsOf(change).map((each) => groupBadge(each));
    const title = h("summary", {}, h("b", {}, name), about, ...badges, figuresText(change));
    const isOpen = open.has(change) || (change.chart === undefined && change.risks.length > 0);
    return h("details", { id: `change-${index}`, open: isOpen }, title, changeView(change));
  };
  // In this order, a print draws their charts.
  const entries = risky.map((change) => ({ change, entry: entryOf(change) }));
  // Many are folded by the class of their worst risk, and what doesn't change by what it did.
  const isFolded = ({ change }: (typeof entries)[number]) => risky.length > 20 && !open.has(change);
  const classes = grouped(entries.filter(isFolded), ({ change }) => {
    const state = unchangedState(change);
    return state ? `unchanged, ${stateWords[state]}` : (change.risks[0]?.class ?? "without a risk");
  });
  const foldedClasses = [...classes].map(([name, some]) =>
    h("details", {}, h("summary", {}, `${some.length} ${name}`), ...some.map(({ entry }) => entry)),
  );
  const safe = changes.filter(({ risks, chart }) => risks.length === 0 && chart === undefined).map(entryOf);
  return section(
    "changes",
    "Changes",
    changes.length === 0 && h("p", {}, "nothing changes"),
    ...entries.flatMap((each) => (isFolded(each) ? [] : each.entry)),
    ...foldedClasses,
    ...folded(`${safe.length} without a risk`, safe),
  );
}

function gapsSection(): HTMLElement | false {
  const known = new Set(content.rows.map(({ slug }) => slug));
  const { gaps } = content;
  const texts = [...new Set(gaps.map(({ text }) => text))];
  const lists = texts.flatMap((text) => {
    const some = gaps.filter((gap) => gap.text === text);
    const entries = some.map(({ kind, slug, source, isNew }) => {
      const name = known.has(slug) ? filterLink("q", `"${slug}"`, slug) : h("b", {}, slug);
      return h("li", {}, `${kind} `, name, ` (${source}): ${text} `, isNew && isChanged && badge("new", "less"));
    });
    return folded(`${some.length}: ${text}`, [h("ul", {}, ...entries)], gaps.length);
  });
  return gaps.length > 0 && section("gaps", `Gaps (${gaps.length})`, ...lists);
}

function notifiersSection(): Node | false {
  const entries = content.notifiers.map((entry) => {
    const { slug, source, problem } = entry;
    const named = items.filter(isNamedBy(entry)).length;
    const text = ` (${source}): ${receiversText(entry)}; named by ${named} of the rows`;
    return h("li", {}, h("b", {}, slug), text, problem !== undefined && badge("gap", "less"));
  });
  return entries.length > 0 && section("notifiers", `Notifiers (${entries.length})`, h("ul", {}, ...entries));
}

const created = new Date(content.createdAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
const about = h("p", {}, `Alerting as of ${created} (${readerZone})`);
const listOf = (texts: readonly string[]) => h("ul", {}, ...texts.map((text) => h("li", {}, text)));
const gaps = gapsSection();
const { incidents } = content;
const newGaps = content.gaps.filter(({ isNew }) => isNew).length;
const isKnown = isChanged && content.gaps.every(({ isNew }) => isNew !== undefined);
// What a change removes has no gap, but notifies nobody either.
const where = (content.changes ?? []).some(({ op }) => op === "delete") ? " in what remains" : "";
const gapsText = `Gaps${where}: ${content.gaps.length}${isKnown ? `, ${newGaps || "none"} new` : ""}`;
const toGaps = gaps
  ? h("button", { type: "button", class: "name", click: () => gaps.focus() }, gapsText)
  : `no gaps${where}`;
const alerting = section("alerting", "Monitors and SLOs", filterForm(), table.element);
document.body.prepend(
  h("button", { type: "button", class: "name skip", click: () => alerting.focus() }, "Skip to monitors and SLOs"),
  h("header", {}, h("h1", {}, content.title), about, numbersView(content, items, toGaps)),
  h(
    "main",
    {},
    content.problems.length > 0 && section("problems", "Errors", listOf(content.problems)),
    risksSection("risks", "Risks, worst first", (risk) => !isAccepted(risk)),
    risksSection("accepted", "Accepted risks", isAccepted),
    incidents && section("incidents", incidents.title, ...cutList(incidents.lines.map((line) => h("li", {}, line)))),
    changesSection(),
    content.notes.length > 0 && section("notes", "Notes", listOf(content.notes)),
    alerting,
    gaps,
    notifiersSection(),
  ),
);
update(state);

/** Shows what the address names: the entry of a change, or the rows that filters select. */
function follow(): void {
  // Back from a link: the browser returns to where it was.
  if (location.hash === "") return update(readState());
  const entry = document.getElementById(location.hash.slice(1))?.closest("details");
  if (entry) unfold(entry);
  else update(readState());
  (entry ?? alerting).scrollIntoView();
  (entry?.querySelector("summary") ?? alerting).focus({ preventScroll: true });
}
if (location.hash.length > 1) follow();
addEventListener("hashchange", follow);
addEventListener("click", ({ target }) => {
  // A link to what the address names already is no change of it.
  if (target instanceof Element && target.closest("a")?.hash === location.hash) setTimeout(follow);
});
addEventListener("beforeprint", () => table.draw());
