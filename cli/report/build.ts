import { grouped } from "../../provider/base/grouped";
import { entries, type JsonObject } from "../../provider/wire/json";
import { noteText } from "../review/notes";
import type { Charted } from "../review/backtests";
import { isOneService, unreadIn } from "../review/dependents";
import type { Review } from "../review/review";
import { allRisks, incidentsIn } from "../review/summary";
import type { AskedNotifier } from "../review/routes";
import { firstOf, listed, quote } from "../output/words";
import type { Resources } from "../../sdk/standards/resources.gen";
import { legible } from "../meaning/comparable";
import { holdsHidden, isHidden } from "../meaning/hidden";
import { type Change, changeByUrn, type StackPreview } from "../preview/stackPreview";
import type { KnownRouting } from "../source/routes";
import { rulesOf } from "../consequences/kinds/index";
import { worstFirst } from "../consequences/risk";
import { alertingOf, openText } from "../consequences/alerting";
import { notifiedLines, silences } from "../consequences/notified";
import { valueText } from "../consequences/values";
import {
  type Alerting,
  type AlertingGap,
  isHiddenWord,
  isNamed,
  type NotifierEntry,
  receiversText,
  type ReportChange,
  type ReportContent,
  type Row,
  unrouted,
} from "./content";

/**
 * The content of a report.
 * @param previews The stacks whose declarations are shown.
 * @param report The review of these stacks, and of others.
 */
export function reportContent(
  previews: readonly StackPreview[],
  report: Review,
  charts: readonly Charted[] = [],
  routing: KnownRouting = {},
): ReportContent {
  // A backtest may also show monitors that do not change.
  const changes = changesIn(report, charts);
  const indexes = new Map(changes.map((each, i) => [changeKey(each), i]));
  const declared = previews.flatMap(({ stack: source, changes: found }) =>
    [...changeByUrn(found).values()].map((args): Declared => {
      const { name, slug = name, objects } = args;
      const { service = "" } = objects.new ?? objects.old ?? {};
      const index = indexes.get(changeKey({ source, kind: args.kind.name, name }));
      // What is unchanged has no part in a change of its namesake in another component.
      const change = args.op === "same" && changes[index ?? -1]?.op !== undefined ? undefined : index;
      const isRerouted = changes[change ?? -1]?.risks.some((risk) => risk.class === "receiver") ?? false;
      return { slug, source, service, args, isRerouted, ...(change !== undefined && { change }) };
    }),
  );
  // The engine's order differs from run to run.
  declared.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const inService = report.stacks.flatMap(({ askedNotifiers = [] }) => askedNotifiers.filter(({ isThere }) => isThere));
  const old = stateOf(declared, "before", routing, inService);
  const now = stateOf(declared, "after", routing, inService);
  const rows = declared.flatMap((each, i): readonly Row[] => {
    const { args, isRerouted: _, ...about } = each;
    const [before, after] = [old.sides[i], now.sides[i]];
    const shown = after ?? before;
    const isOther = before && after && JSON.stringify(before) !== JSON.stringify(after);
    return shown === undefined ? [] : [{ ...about, kind: args.kind.name, now: shown, ...(isOther && { before }) }];
  });
  const incidents = incidentsIn(report);
  const known = new Set(old.gaps.map((gap) => JSON.stringify(gap)));
  return {
    createdAt: new Date().toISOString(),
    title: listed(firstOf(report.stacks.map(({ stack }) => stack))),
    problems: problemsOf(report),
    notes: [...(report.accepted?.problems ?? []), ...notesOf(report, previews)],
    rows,
    notifiers: now.notifiers,
    gaps: [...now.gaps.map((gap) => ({ ...gap, isNew: !known.has(JSON.stringify(gap)) })), ...unreadGaps(report)],
    changes,
    ...(incidents && { incidents }),
  };
}

/** A resource that a preview lists. */
interface Declared extends Pick<Row, "slug" | "source" | "service" | "change"> {
  readonly args: Change;
  /** Whether its change may lead to other receivers. */
  readonly isRerouted: boolean;
}

type Side = "before" | "after";

/** The notifiers, the monitors and SLOs, and their gaps before or after the change. */
function stateOf(
  declared: readonly Declared[],
  side: Side,
  routing: KnownRouting,
  inService: readonly AskedNotifier[],
) {
  const isThere = (slug: string, of: Declared) =>
    inService.some((each) => each.slug === slug && isOneService(each, of));
  const all = declared.map((each) => ({ each, ...sideOf(each, side, routing) }));
  const notifiers = all.flatMap(({ notifier }) => notifier ?? []);
  const sides = all.map(({ each, alerting }) => {
    const withReceivers = alerting?.notifiers.map(([slug]): Alerting["notifiers"][number] => {
      const entry = notifiers.find((one) => isNamed(one, slug, each.service));
      return entry ? [slug, receiversText(entry)] : [slug];
    });
    return alerting && { ...alerting, notifiers: withReceivers ?? [] };
  });
  const gaps = all.flatMap(({ each, gaps = [] }, i): readonly AlertingGap[] => {
    const { args, slug, source } = each;
    const texts = [...routeGaps(each, sides[i], routing, isThere), ...gaps];
    return texts.map((text) => ({ kind: args.kind.name, slug, source, text }));
  });
  return { notifiers, sides, gaps };
}

/** How a resource alerts or delivers on one side, and its own gaps. */
function sideOf({ args: change, isRerouted, ...about }: Declared, side: Side, routing: KnownRouting) {
  const { kind, op } = change;
  // What the engine calls unchanged is unchanged, even if it masks a value on one side only.
  const args = op === "same" ? change.after : change[side];
  if (args === undefined) return {};
  const visible = legible(kind.root, args);
  const { idle, gap, delivers } = rulesOf(kind.name);
  const problem = (idle ?? gap)?.(visible);
  const found = alertingOf(change, args, routing);
  const receivers = delivers?.(visible);
  const hidden = Object.entries(args).flatMap(([name, value]) =>
    isHidden(value) && !(name in entries(visible)) ? [`${name} ${wordFor(value)}`] : [],
  );
  const notifier: NotifierEntry | undefined = receivers && {
    ...{ ...about, receivers: [...receivers, ...hidden] },
    ...(problem !== undefined && { problem }),
    ...(isRerouted && side === "after" && { isChanged: true }),
  };
  return {
    notifier,
    alerting: found && alertingText(found, args, visible as Shared, routing),
    gaps: problem === undefined ? silences(found?.notified ?? []).map(({ text }) => text) : [problem],
  };
}

const changeKey = ({ source, kind, name }: Pick<ReportChange, "source" | "kind" | "name">) =>
  JSON.stringify([source, kind, name]);

const order = ({ args, slug, source }: Declared) => JSON.stringify([args.kind.name, slug, source]);

/** The changes with their risks; the worst first. Resources of two components may share a name, and then share one here. */
function changesIn(report: Review, charts: readonly Charted[]): readonly ReportChange[] {
  const risks = allRisks(report).sort(worstFirst);
  const none = { risks: [], differences: [] };
  const parts: readonly ReportChange[] = [
    ...risks.map((risk) => ({ ...none, source: risk.stack, kind: risk.kind, name: risk.name, risks: [risk] })),
    ...report.stacks.flatMap(({ stack: source, changes }) =>
      changes.map(({ isDeleted: _, ...each }) => ({ ...none, source, ...each })),
    ),
    ...charts.map((each) => ({ ...none, ...each })),
  ];
  return [...grouped(parts, changeKey).values()].map((some) => ({
    ...(Object.assign({}, ...some) as ReportChange), // there is one
    risks: some.flatMap((each) => each.risks),
    differences: some.flatMap((each) => each.differences),
  }));
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

function routeGaps(
  each: Declared,
  { notifiers = [] }: Partial<Alerting> = {},
  routing: KnownRouting,
  isThere: (slug: string, of: Declared) => boolean,
): readonly string[] {
  return notifiers.flatMap(([slug, receivers]) => {
    if (slug === unrouted) return openText(notifiers.slice(1), routing);
    if (isHiddenWord(slug) || receivers !== undefined || isThere(slug, each)) return [];
    return `its label names the notifier ${quote(slug)}, which is not in this report`;
  });
}

function unreadGaps({ stacks }: Review): readonly AlertingGap[] {
  // What a resource read before its change is not known.
  const isSameReading = stacks.every(
    ({ changes, metrics = [] }) =>
      changes.every(({ op }) => op !== "delete") && metrics.every(({ change }) => change === undefined),
  );
  return unreadIn(stacks).map(({ stack: source, kind, name: slug, before = [], after: [metric = ""] = [] }) => ({
    kind,
    slug,
    source,
    text: `nothing in this report reads the metric ${quote(metric)}`,
    ...(!before.includes(metric) ? { isNew: true } : isSameReading && { isNew: false }),
  }));
}

/** The fields that monitors and SLOs share. */
type Shared = Pick<Resources["Monitor"], "name" | "labels" | "annotations" | "schedule">;

/** One side of a row. */
function alertingText(
  found: NonNullable<ReturnType<typeof alertingOf>>,
  args: JsonObject,
  { name, labels, annotations, schedule }: Shared,
  routing: KnownRouting,
): Alerting {
  const { queries, conditions, severities, policy, names, isOpen, notified } = found;
  return {
    ...{ queries, conditions, severities },
    name: wordFor(name ?? ""),
    labels: wordsIn(labels),
    annotations: wordsIn(annotations),
    ...(routing.routes && { notified: notifiedLines(notified) }),
    ...(policy ? { policy: wordFor(policy) } : {}),
    notifiers: [...new Set([...names, ...(isOpen ? [unrouted] : [])].map(wordFor))].map((slug) => [slug]),
    ...(holdsHidden(args.schedule) ? { schedule: "hidden" } : schedule && { schedule }),
    ...(holdsHidden(args) && { isIncomplete: true }),
  };
}

const wordFor = (value: unknown) => (isHidden(value) ? `(${valueText(value)})` : String(value));

const wordsIn = (map: unknown) =>
  Object.fromEntries(Object.entries(entries(map)).map(([key, value]) => [key, wordFor(value)]));
