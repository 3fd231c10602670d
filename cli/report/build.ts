import { monitor } from "../../provider/kinds/monitor";
import type { Kind } from "../../provider/schema/kind";
import { entries, type JsonObject } from "../../provider/wire/json";
import type { Chart } from "../backtest/chart";
import { noteText } from "../review/text";
import { unreadIn } from "../review/dependents";
import type { Review } from "../review/review";
import { firstOf, listed, quote } from "../output/words";
import type { Resources } from "../../sdk/standards/resources.gen";
import { legible } from "../equality/comparable";
import { holdsHidden, isHidden } from "../equality/hidden";
import { type Change, changeByUrn, type StackPreview } from "../preview/stackPreview";
import { rulesOf } from "../sentences/kinds/index";
import type { KindRules } from "../sentences/kinds/rules";
import { textOfRisk } from "../sentences/risk";
import { worstFirst } from "../sentences/risks";
import { valueText } from "../sentences/values";
import {
  type Alerting,
  type AlertingGap,
  isHiddenWord,
  namedBy,
  type NotifierEntry,
  type ReportChange,
  type ReportContent,
  type Row,
} from "./content";

/** The label that names a notifier, unless an option says otherwise. */
export const usualNotifierLabel = "notifier";

/** A monitor with its chart. */
type Charted = Required<Pick<ReportChange, "source" | "kind" | "name" | "chart">>;

/** @param charts By the names of the stack's monitors. */
export const chartsOf = (source: string, charts: ReadonlyMap<string, Chart>): readonly Charted[] =>
  [...charts].map(([name, chart]) => ({ source, kind: monitor.name, name, chart }));

interface ReportOptions {
  readonly notifierLabel?: string | undefined;
  readonly charts?: readonly Charted[];
}

/**
 * The content of a report.
 * @param previews The stacks whose declarations are shown.
 * @param report The review of these stacks, and of others.
 */
export function reportContent(
  previews: readonly StackPreview[],
  report: Review,
  { notifierLabel = usualNotifierLabel, charts = [] }: ReportOptions = {},
): ReportContent {
  const changed = new Map(changesIn(report).map((change) => [changeKey(change), change]));
  // A backtest may also show monitors that do not change.
  for (const each of charts)
    changed.set(changeKey(each), { risks: [], differences: [], ...changed.get(changeKey(each)), ...each });
  const changes = [...changed.values()];
  const declared = previews.flatMap(({ stack, changes }) =>
    [...changeByUrn(changes).values()].map((change) => ({ source: stack, service: serviceIn(change), change })),
  );
  const indexes = new Map(changes.map((each, i) => [changeKey(each), i]));
  const rows = declared.flatMap(({ source, service, change }): readonly Row[] => {
    const { kind, name, slug = name, op, before, after } = change;
    const sideOf = (args: JsonObject | undefined) => args && alertingOf(kind, args, notifierLabel);
    const [old, now] = [op === "same" ? undefined : sideOf(before), sideOf(after)];
    const shown = now ?? old;
    if (shown === undefined) return [];
    const index = indexes.get(changeKey({ source, kind: kind.name, name }));
    const isOther = now !== undefined && old !== undefined && JSON.stringify(old) !== JSON.stringify(now);
    return [
      {
        kind: kind.name,
        slug,
        source,
        service,
        now: shown,
        ...(isOther && { before: old }),
        ...(index !== undefined && { change: index }),
      },
    ];
  });
  // The engine's order differs from run to run.
  rows.sort((a, b) => (rowOrder(a) < rowOrder(b) ? -1 : 1));
  const notifiers = declared.flatMap(notifierIn);
  const isGone = ({ change = -1 }: Row) => changes[change]?.op === "delete";
  const current = rows.filter((row) => !isGone(row));
  return {
    createdAt: new Date().toISOString(),
    title: listed(firstOf(report.stacks.map(({ stack }) => stack))),
    problems: problemsOf(report),
    notes: notesOf(report, previews),
    rows,
    notifiers,
    gaps: [
      ...current.flatMap((row) => routeGap(row, notifiers, notifierLabel)),
      ...declared.flatMap(ownGap),
      ...unreadIn(report.stacks).map(({ stack, kind, name, after = [] }) => ({
        kind,
        slug: name,
        source: stack,
        text: `nothing in this report reads the metric ${quote(after[0] ?? "")}`,
      })),
    ],
    changes,
  };
}

interface Declared extends Pick<Row, "source" | "service"> {
  readonly change: Change;
}

const serviceIn = ({ objects }: Change) => (objects.new ?? objects.old)?.service ?? "";

const changeKey = ({ source, kind, name }: Pick<ReportChange, "source" | "kind" | "name">) =>
  JSON.stringify([source, kind, name]);

const rowOrder = ({ kind, slug, source }: Row) => JSON.stringify([kind, slug, source]);

/** The changes with their risks; the worst first. */
function changesIn({ stacks, risks }: Review): readonly ReportChange[] {
  const found = new Map<string, ReportChange>();
  for (const risk of [...risks].sort(worstFirst)) {
    const about = { source: risk.stack, kind: risk.kind, name: risk.name };
    const known = found.get(changeKey(about)) ?? { ...about, risks: [], differences: [] };
    const { class: riskClass, direction } = risk;
    const own = { class: riskClass, direction, sentence: textOfRisk(risk) };
    found.set(changeKey(about), { ...known, risks: [...known.risks, own] });
  }
  for (const { stack, changes } of stacks) {
    for (const { kind, name, op, differences, backtest } of changes) {
      const about = { source: stack, kind, name };
      // Resources of two components may share a name.
      const known = found.get(changeKey(about)) ?? { risks: [], differences: [] };
      const lines = backtest && [backtest.sentence, ...backtest.picture];
      const all = [...known.differences, ...differences];
      found.set(changeKey(about), { op, ...known, ...about, differences: all, ...(lines && { backtest: lines }) });
    }
  }
  return [...found.values()];
}

const problemsOf = ({ stacks, violations }: Review): readonly string[] => [
  ...stacks.flatMap(({ stack, failures, isPartial }) => [
    ...failures.map((each) => `${stack}: ${noteText(each)}`),
    ...(isPartial ? [`${stack}: unchanged resources are missing. Run the preview with --show-sames.`] : []),
  ]),
  ...violations.map((each) => `${each.stack}: ${each.kind} ${each.name}: ${each.rule}: ${each.message}`),
];

const notesOf = ({ stacks }: Review, previews: readonly StackPreview[]): readonly string[] =>
  stacks.flatMap(({ stack, notes }) => [
    ...(previews.some((each) => each.stack === stack)
      ? []
      : [`${stack}: only its changes are shown, because they come from a report.`]),
    ...notes.map((each) => `${stack}: ${noteText(each)}`),
  ]);

function notifierIn({ source, service, change }: Declared): readonly NotifierEntry[] {
  const { kind, after, slug, name } = change;
  if (after === undefined) return [];
  return saidByRules(kind, after, ({ delivers, gap }, visible) => {
    const receivers = delivers?.(visible);
    if (receivers === undefined) return [];
    const problem = gap?.(visible);
    return [{ slug: slug ?? name, source, service, receivers, ...(problem !== undefined && { problem }) }];
  });
}

function ownGap({ source, change: { kind, after, slug, name } }: Declared): readonly AlertingGap[] {
  const text = after && saidByRules(kind, after, ({ gap }, visible) => gap?.(visible));
  return text === undefined ? [] : [{ kind: kind.name, slug: slug ?? name, source, text }];
}

function routeGap(row: Row, notifiers: readonly NotifierEntry[], label: string): readonly AlertingGap[] {
  const { kind, slug, source } = row;
  const { policy, notifier } = row.now;
  const find = (text: string) => [{ kind, slug, source, text }];
  if (policy === undefined && notifier === undefined)
    return find(`has no notification policy and no label ${quote(label)}: its route is not known`);
  if (notifier === undefined || isHiddenWord(notifier) || notifiers.some(namedBy(row))) return [];
  return find(`its label names the notifier ${quote(notifier)}, which is not in this report`);
}

/** What the rules of a kind say of a declaration, without the objects and lists that are hidden. */
const saidByRules = <T>(kind: Kind, args: JsonObject, say: (rules: KindRules, visible: unknown) => T): T =>
  say(rulesOf(kind.name), legible(kind.root, args));

/** The fields that monitors and SLOs share. */
type Shared = Pick<Resources["Monitor"], "name" | "labels" | "annotations" | "notificationPolicySlug" | "schedule">;

/** One side of a row; undefined for a kind that doesn't alert. */
function alertingOf(kind: Kind, args: JsonObject, notifierLabel: string): Alerting | undefined {
  return saidByRules(kind, args, ({ alerting }, visible) => {
    const found = alerting?.(visible);
    if (found === undefined) return undefined;
    const { name, labels, annotations, notificationPolicySlug: policy, schedule } = visible as Shared;
    const notifier = entries(labels)[notifierLabel];
    return {
      ...found,
      name: wordFor(name ?? ""),
      labels: wordsIn(labels),
      annotations: wordsIn(annotations),
      ...(policy ? { policy: wordFor(policy) } : {}),
      ...(notifier ? { notifier: wordFor(notifier) } : {}),
      ...(holdsHidden(args.schedule) ? { schedule: "hidden" } : schedule && { schedule }),
      ...(holdsHidden(args) && { isIncomplete: true }),
    };
  });
}

const wordFor = (value: unknown) => (isHidden(value) ? `(${valueText(value)})` : String(value));

const wordsIn = (map: unknown) =>
  Object.fromEntries(Object.entries(entries(map)).map(([key, value]) => [key, wordFor(value)]));
