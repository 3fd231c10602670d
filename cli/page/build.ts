import type { JsonObject } from "../../provider/wire/json";
import { noteText } from "../review/text";
import { unreadIn } from "../review/dependents";
import type { Review } from "../review/review";
import { firstOf, listed, plainly, quote } from "../report/words";
import type { Change, StackPreview } from "../stacks/changes";
import { worstFirst } from "../stacks/risks";
import type { Gap, NotifierEntry, PageChange, PageContent, Row } from "./content";
import { alertingOf, said } from "./rows";

/** The label that names a notifier, unless an option says otherwise. */
export const usualNotifierLabel = "notifier";

/**
 * The content of a page.
 * @param previews The stacks whose declarations are shown.
 * @param report The review of these stacks, and of others.
 */
export function contentOf(
  previews: readonly StackPreview[],
  report: Review,
  notifierLabel = usualNotifierLabel,
): PageContent {
  const changes = changesIn(report);
  const declared = previews.flatMap(({ stack, changes }) => changes.map((change) => ({ source: stack, change })));
  const indexes = new Map(changes.map((each, i) => [keyOf(each), i]));
  const rows = declared.flatMap(({ source, change }): readonly Row[] => {
    const { kind, name, slug = name, op, before, after } = change;
    const sideOf = (args: JsonObject | undefined) => args && alertingOf(kind, args, notifierLabel);
    const [old, now] = [op === "same" ? undefined : sideOf(before), sideOf(after)];
    const shown = now ?? old;
    if (shown === undefined) return [];
    const index = indexes.get(keyOf({ source, kind: kind.name, name }));
    const isOther = now !== undefined && old !== undefined && JSON.stringify(old) !== JSON.stringify(now);
    return [
      {
        kind: kind.name,
        slug,
        source,
        now: shown,
        ...(isOther && { before: old }),
        ...(index !== undefined && { change: index }),
      },
    ];
  });
  // The engine's order differs from run to run.
  rows.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const notifiers = declared.flatMap(notifierIn);
  const isGone = ({ change = -1 }: Row) => changes[change]?.op === "delete";
  const current = rows.filter((row) => !isGone(row));
  return {
    createdAt: new Date().toISOString(),
    title: listed(firstOf(report.stacks.map(({ stack }) => stack))),
    problems: problemsOf(report, previews),
    rows,
    notifiers,
    gaps: [
      ...current.flatMap((row) => routeGap(row, notifiers, notifierLabel)),
      ...declared.flatMap(ownGap),
      ...unreadIn(report.stacks).map(({ stack, kind, name, after = [] }) => ({
        kind,
        slug: name,
        source: stack,
        text: `nothing on this page reads the metric ${quote(after[0] ?? "")}`,
      })),
    ],
    changes,
  };
}

interface Declared {
  readonly source: string;
  readonly change: Change;
}

const keyOf = ({ source, kind, name }: Pick<PageChange, "source" | "kind" | "name">) =>
  JSON.stringify([source, kind, name]);

const orderOf = ({ kind, slug, source }: Row) => JSON.stringify([kind, slug, source]);

/** The changes with their risks; the worst first. */
function changesIn({ stacks, risks }: Review): readonly PageChange[] {
  const found = new Map<string, PageChange>();
  for (const risk of [...risks].sort(worstFirst)) {
    const about = { source: risk.stack, kind: risk.kind, name: risk.name };
    const known = found.get(keyOf(about)) ?? { ...about, risks: [], differences: [] };
    const { class: riskClass, direction } = risk;
    const sentence = risk.sentence.slice(`${plainly(risk.name)}: `.length);
    found.set(keyOf(about), { ...known, risks: [...known.risks, { class: riskClass, direction, sentence }] });
  }
  for (const { stack, changes } of stacks) {
    for (const { kind, name, op, differences, backtest } of changes) {
      const about = { source: stack, kind, name };
      const risks = found.get(keyOf(about))?.risks ?? [];
      const lines = backtest && [backtest.sentence, ...backtest.picture];
      found.set(keyOf(about), { ...about, op, risks, differences, ...(lines && { backtest: lines }) });
    }
  }
  return [...found.values()];
}

function problemsOf({ stacks, violations }: Review, previews: readonly StackPreview[]): readonly string[] {
  const shown = new Set(previews.map(({ stack }) => stack));
  return [
    ...stacks.flatMap(({ stack, failures, isPartial, notes }) => [
      ...failures.map((each) => `${stack}: ${noteText(each)}`),
      ...(isPartial ? [`${stack}: unchanged resources are missing. Run the preview with --show-sames.`] : []),
      ...(shown.has(stack) ? [] : [`${stack}: only its changes are shown, because they come from a report.`]),
      ...notes.map((each) => `${stack}: ${noteText(each)}`),
    ]),
    ...violations.map((each) => `${each.stack}: ${each.kind} ${each.name}: ${each.rule}: ${each.message}`),
  ];
}

function notifierIn({ source, change }: Declared): readonly NotifierEntry[] {
  const { kind, after, slug, name } = change;
  if (after === undefined) return [];
  return said(kind, after, ({ delivers, gap }, visible) => {
    const receivers = delivers?.(visible);
    if (receivers === undefined) return [];
    const problem = gap?.(visible);
    return [{ slug: slug ?? name, source, receivers, ...(problem !== undefined && { problem }) }];
  });
}

function ownGap({ source, change: { kind, after, slug, name } }: Declared): readonly Gap[] {
  const text = after && said(kind, after, ({ gap }, visible) => gap?.(visible));
  return text === undefined ? [] : [{ kind: kind.name, slug: slug ?? name, source, text }];
}

function routeGap(
  { kind, slug, source, now: { policy, notifier } }: Row,
  notifiers: readonly NotifierEntry[],
  label: string,
): readonly Gap[] {
  const find = (text: string) => [{ kind, slug, source, text }];
  if (policy === undefined && notifier === undefined)
    return find(`has no notification policy and no label ${quote(label)}: its route is not known`);
  if (notifier === undefined || notifiers.some((each) => each.slug === notifier)) return [];
  return find(`its label names the notifier ${quote(notifier)}, which is not on this page`);
}
