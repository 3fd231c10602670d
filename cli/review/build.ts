import { monitor } from "../../provider/kinds/monitor";
import { unknown } from "../../provider/values/unknown";
import { isObject, type JsonObject } from "../../provider/wire/json";
import { type Resources, type Standards, violations } from "../../sdk/standards/index";
import { conflictsOf, conflictText } from "../../teams/engine/holdings";
import { count, cutLine, plainly, quote } from "../report/words";
import type { Change, StackPreview } from "../stacks/changes";
import { differenceLines, driftLines } from "../stacks/differences";
import { meansTheSame } from "../stacks/meaning";
import type { Risk } from "../stacks/risk";
import { isRisk, risksOf, worstFirst } from "../stacks/risks";
import type { BacktestReview, Broken, ChangeReview, Review, StackReview, ReviewNote } from "./review";

/** A stack's preview, and the rules that hold for it. */
export interface Reviewed {
  readonly preview: StackPreview;
  readonly standards: Standards | undefined;
  /** What changed monitors would have done, by their Pulumi names. */
  readonly backtests?: ReadonlyMap<string, BacktestReview>;
}

/** What changes, as a reviewer needs it. */
export function reviewOf(reviewed: readonly Reviewed[]): Review {
  const measured = reviewed.map(({ standards = {}, ...each }) => ({
    ...each,
    found: measure(each.preview, standards),
  }));
  const report: Review = {
    command: "review",
    stacks: measured.map(({ preview, found, backtests }) => ({
      ...stackReport(preview, preview.changes.filter(isChange), differenceLines, backtests),
      isFailed: preview.isFailed || found.failures.length > 0,
      failures: [...failuresOf(preview), ...found.failures],
      oldViolations: found.old,
      ...(preview.holdings === undefined ? {} : { holdings: preview.holdings }),
    })),
    risks: reviewed.flatMap(({ preview, standards }) => risksOf(preview, new Set(standards?.textLabels))),
    violations: measured.flatMap(({ found }) => found.broken),
  };
  return merged([report]);
}

/** What is at the service and is not what was last applied. */
export function driftOf(previews: readonly StackPreview[]): Review {
  return {
    command: "drift",
    stacks: previews.map((preview) => {
      const drifted = preview.changes.filter(({ drift }) => drift !== undefined);
      const pending = preview.changes.filter((change) => isChange(change) && !isOnlyDrift(change)).length;
      const report = stackReport(preview, drifted, driftLines);
      if (pending === 0) return report;
      const text = `${count(pending, "change")} of the program not applied yet: "pulumi up" writes ${pending === 1 ? "it" : "them"}`;
      return { ...report, notes: [...report.notes, { text }] };
    }),
    risks: previews
      .flatMap((preview) => risksOf(preview))
      .filter((risk) => risk.class === "drift")
      .sort(worstFirst),
    violations: [],
  };
}

/** Reports of several jobs as one. What follows from several stacks is found anew, over all of them. */
export function merged(reports: readonly Review[]): Review {
  const stacks = reports.flatMap((report) => report.stacks);
  const single = reports.flatMap(({ risks }) => risks.filter((risk) => risk.class !== "declared-elsewhere"));
  return {
    command: reports.every(({ command }) => command === "drift") ? "drift" : "review",
    stacks,
    risks: [...single, ...conflictRisks(stacks)].sort(worstFirst),
    violations: reports.flatMap(({ violations }) => violations),
  };
}

/** Objects that one stack deletes and another one declares. */
const conflictRisks = (stacks: readonly StackReview[]): readonly Risk[] =>
  conflictsOf(stacks).map((conflict): Risk => {
    const { dropping, object, declaring, isCertain } = conflict;
    const { kind, name } = object;
    return {
      stack: dropping.stack,
      kind,
      name,
      class: "declared-elsewhere",
      direction: isCertain ? "laxer" : "unclear",
      sentence: cutLine(`${plainly(name)}: ${conflictText(conflict, `the stack ${quote(declaring.stack)}`)}`),
    };
  });

const isChange = ({ op }: Change) => op !== "same";

/** Whether the program declares what was last applied. */
const isOnlyDrift = ({ kind, before, after, changedSecrets, drift }: Change) =>
  drift !== undefined &&
  before !== undefined &&
  after !== undefined &&
  changedSecrets.length === 0 &&
  meansTheSame(kind.root, before, after);

function stackReport(
  preview: StackPreview,
  changes: readonly Change[],
  lines: (change: Change) => readonly string[],
  backtests?: Reviewed["backtests"],
): StackReview {
  const { stack, isFailed, messages, others } = preview;
  const notes = messages.filter((message) => message.severity !== "error" && !isRisk(message));
  return {
    stack,
    isFailed,
    failures: failuresOf(preview),
    notes: unique(notes.map(toldOf)),
    changes: changes
      .flatMap((change): readonly ChangeReview[] => {
        const { kind, name, op } = change;
        if (op === "same") return [];
        const backtest = kind === monitor ? backtests?.get(name) : undefined;
        return [{ kind: kind.name, name, op, differences: lines(change), ...(backtest && { backtest }) }];
      })
      .sort(byName),
    others: others.map(({ op, type, name }) => cutLine(`${op} ${plainly(type)} ${plainly(name)}`)),
    oldViolations: 0,
  };
}

const failuresOf = ({ messages }: StackPreview) =>
  unique(messages.filter(({ severity }) => severity === "error").map(toldOf));

const toldOf = ({ about, text }: StackPreview["messages"][number]): ReviewNote =>
  about === undefined ? { text } : { kind: about.kind.name, name: about.name, text };

const unique = (told: readonly ReviewNote[]) =>
  [...new Map(told.map((each) => [JSON.stringify(each), each])).values()].sort(byName);

/** The engine's order differs from run to run. What is about no resource comes first. */
function byName(a: { readonly kind?: string; readonly name?: string }, b: typeof a): number {
  const [left, right] = [a, b].map(({ kind = "", name = "" }) => `${kind} ${name}`) as [string, string]; // of two
  return left < right ? -1 : left > right ? 1 : 0;
}

interface Measured {
  readonly broken: readonly Broken[];
  readonly old: number;
  readonly failures: readonly ReviewNote[];
}

/** Applies the standards to what the program declares: what was broken before is only counted. */
function measure({ stack, changes }: StackPreview, standards: Standards): Measured {
  const broken: Broken[] = [];
  const failures: ReviewNote[] = [];
  let old = 0;
  for (const { kind, name, before, after } of changes) {
    if (after === undefined) continue;
    const apply = (inputs: JsonObject) =>
      // The registry's kinds are those of the generated types, and their inputs were checked by the provider.
      violations(standards, kind.name as keyof Resources, readable(inputs) as Resources[keyof Resources], name);
    try {
      const known = before === undefined ? [] : apply(before).map(({ rule }) => rule);
      for (const { rule, message } of apply(after)) {
        if (known.includes(rule)) old += 1;
        else broken.push({ stack, kind: kind.name, name, rule, message: cutLine(message) });
      }
    } catch (error) {
      const text = `a rule of the standards failed: ${error instanceof Error ? error.message : String(error)}`;
      failures.push({ kind: kind.name, name, text });
    }
  }
  return { broken, old, failures };
}

/** With words in the place of values that only the update brings. */
function readable(value: unknown): unknown {
  if (value === unknown) return "(known after the update)";
  if (Array.isArray(value)) return value.map(readable);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, readable(each)]))
    : value;
}
