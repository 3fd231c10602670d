import { monitor } from "../../provider/kinds/monitor";
import { type Conflict, conflictsOf, conflictText } from "../../sdk/engine/ownedObjects";
import { grouped } from "../../provider/base/grouped";
import { reasonOf } from "../output/output";
import { count, cutLine, firstOf, listed, plainly, quote } from "../output/words";
import {
  type Change,
  failedPreview,
  type PreviewMessage,
  type StackPreview,
  withoutIgnoredEdits,
} from "../preview/stackPreview";
import { isEquivalentInReview } from "../equality/equivalence";
import { metricUsersOf } from "./metricUsers";
import { type Risk, riskSentence, worstFirst } from "../sentences/risk";
import { comparedWith, differenceLines, edited, isRisk, risksOfChange } from "../sentences/risks";
import { dependentsIn } from "./dependents";
import type { Measured } from "./measure";
import { unmanagedIn } from "./unmanaged";
import type { BacktestReview, ChangeReview, Review, StackReview, ReviewNote } from "./review";

/** A stack's preview, with its standards and backtests. */
export interface Reviewed {
  readonly preview: StackPreview;
  /** The result of applying its standards. */
  readonly standards?: Partial<Measured> | undefined;
  /** The backtests of changed monitors, by their URNs. */
  readonly backtests?: ReadonlyMap<string, BacktestReview>;
  /** Why other parts of the review failed. */
  readonly failures?: readonly string[];
}

/** The review of the changes of all stacks. A failure in one stack is reported there, and the others are still reviewed. */
export const reviewOf = (reviewed: readonly Reviewed[]): Review => stackReviews("review", reviewed);

/** The differences between what was last applied and what the service has. */
export const driftOf = (previews: readonly StackPreview[]): Review =>
  stackReviews(
    "drift",
    previews.map((preview) => ({ preview })),
  );

/** A stack that cannot be reviewed is a failed one. */
const stackReviews = (command: Review["command"], reviewed: readonly Reviewed[]) =>
  merged(
    reviewed.map((each) => {
      try {
        return stackReview(command, each);
      } catch (error) {
        const preview = failedPreview(each.preview.stack, `the ${command} failed: ${reasonOf(error)}`);
        return stackReview(command, { preview });
      }
    }),
    command,
  );

/** Merges the reports of several jobs. Findings that concern several stacks are computed again over all of them. */
export function merged(reports: readonly Review[], command = commandOf(reports)): Review {
  const stacks = reports.flatMap((report) => report.stacks);
  const conflicts = command === "drift" ? [] : conflictsOf(stacks).map(conflictRisk);
  const dependents = dependentsIn(stacks);
  const listings = reports.flatMap(({ unmanaged }) => unmanaged ?? []);
  const told = new Set(conflicts.map((risk) => JSON.stringify(risk)));
  const isOfDependent = ({ path }: Risk) => path !== undefined;
  const isOther = (risk: Risk) =>
    risk.class !== "declared-elsewhere" && !isOfDependent(risk) && !told.has(JSON.stringify(risk));
  const others = reports.flatMap(({ risks }) => risks.filter(isOther));
  return {
    command,
    stacks: stacks.map((stack) => ({ ...stack, notes: uniqueNotes([...stack.notes, ...dependents.notesOf(stack)]) })),
    risks: [...others, ...conflicts, ...dependents.risks].sort(worstFirst),
    violations: reports.flatMap(({ violations }) => violations),
    ...(listings.length === 0 ? {} : { unmanaged: unmanagedIn(stacks, listings) }),
  };
}

const commandOf = (reports: readonly Review[]): Review["command"] =>
  reports.every(({ command }) => command === "drift") ? "drift" : "review";

/** An object that one stack removes and another one declares. */
function conflictRisk(conflict: Conflict<StackReview>): Risk {
  const { dropping, object, declaring, sameness } = conflict;
  const { kind, name, isRetained = false } = object;
  return {
    stack: dropping.stack,
    kind,
    name,
    class: isRetained ? "retained" : "declared-elsewhere",
    direction: isRetained || sameness === "unknown" ? "unclear" : "alerts-less",
    sentence: riskSentence(name, conflictText(conflict, `the stack ${quote(declaring.stack)}`)),
  };
}

/** Whether the program declares what was last applied. */
function isOnlyDrift(change: Change): boolean {
  const { kind, before, after, changedSecrets, drift } = change;
  if (drift === undefined || before === undefined || after === undefined || changedSecrets.length > 0) return false;
  return isEquivalentInReview(kind.root, before, withoutIgnoredEdits(change, after));
}

/** The report on one stack. A failure is reported, and the rest of the report continues. */
function stackReview(command: Review["command"], { preview, standards, backtests, failures = [] }: Reviewed): Review {
  const isDrift = command === "drift";
  const { stack, changes, messages, others, ownedObjects, isPartial = false } = preview;
  const failed: ReviewNote[] = [...failures.map((text) => ({ text })), ...(standards?.failures ?? [])];
  const tried = <T>({ kind, name }: Change, say: () => readonly T[]): readonly T[] => {
    try {
      return say();
    } catch (error) {
      failed.push({ kind: kind.name, name, text: `unable to review this change: ${reasonOf(error)}` });
      return [];
    }
  };
  const textLabels = new Set(standards?.textLabels);
  const comparisons = changes.flatMap((change) =>
    tried(change, () => [[change, comparedWith(change, preview, textLabels)] as const]),
  );
  const risksOf = new Map(
    comparisons.map(([change, compared]) => [
      change,
      tried(change, () => risksOfChange(change, preview, textLabels, compared)),
    ]),
  );
  const risks = [...risksOf.values()].flat();
  // Without a refresh, the provider may find that an object was deleted.
  const isDrifted = (change: Change) =>
    change.drift !== undefined || risksOf.get(change)?.some((risk) => risk.class === "drift") === true;
  const metrics = comparisons.flatMap(([change, compared]) =>
    isDrift ? [] : tried(change, () => metricUsersOf(change, preview, compared)),
  );
  const comparedOf = new Map(comparisons);
  const shown = changes.flatMap((change): readonly ChangeReview[] => {
    const { urn, kind, name, op: planned, drift } = change;
    if (isDrift ? !isDrifted(change) : planned === "same") return [];
    const op = planned === "same" ? "update" : planned;
    const backtest = kind === monitor ? backtests?.get(urn) : undefined;
    const differences = tried(
      change,
      () => (isDrift ? edited(change)?.lines : differenceLines(change, comparedOf.get(change), textLabels)) ?? [],
    );
    const isDeleted = isDrifted(change) && drift?.actual === undefined;
    return [{ kind: kind.name, name, op, ...(isDeleted && { isDeleted }), differences, ...(backtest && { backtest }) }];
  });
  if (preview.isFailed && ownedObjects !== undefined) failed.push({ text: incomplete[command] });
  const isTold = (message: PreviewMessage) =>
    isRisk(message) && (message.about === undefined || changes.some(({ urn }) => urn === message.about?.urn));
  const notes = messages.filter((message) => message.severity !== "error" && !isTold(message)).map(noteOfMessage);
  const pending = isDrift ? changes.filter((change) => change.op !== "same" && !isOnlyDrift(change)).length : 0;
  const text = `${count(pending, "change")} of the program ${pending === 1 ? "is" : "are"} not applied yet: run "pulumi up"`;
  const report: StackReview = {
    stack,
    isFailed: preview.isFailed,
    failures: byCause(
      uniqueNotes([...messages.filter(({ severity }) => severity === "error").map(noteOfMessage), ...failed]),
    ),
    notes: uniqueNotes([...notes, ...(standards?.notes ?? []), ...(pending === 0 ? [] : [{ text }])]),
    changes: shown.sort(byName),
    others: others.map(({ op, type, name }) => cutLine(`${op} ${plainly(type)} ${plainly(name)}`)),
    oldViolations: standards?.old ?? 0,
    ...(ownedObjects && { ownedObjects }),
    ...(metrics.length > 0 && { metrics: [...metrics].sort(byName) }),
    ...(isPartial && !isDrift && { isPartial }),
  };
  return {
    command,
    stacks: [report],
    risks: isDrift ? risks.filter((risk) => risk.class === "drift") : risks,
    violations: standards?.broken ?? [],
  };
}

/** The engine stops at the first object that it can't refresh, and plans deletes last, after the program has ended. */
const incomplete: Readonly<Record<Review["command"], string>> = {
  review: "incomplete: the preview failed. Only changes found before that are listed; deletes are missing.",
  drift: "incomplete: the preview failed. Objects that it had not read before were not checked.",
};

const noteOfMessage = ({ about, text }: StackPreview["messages"][number]): ReviewNote =>
  about === undefined ? { text } : { kind: about.kind.name, name: about.name, text };

const uniqueNotes = (told: readonly ReviewNote[]) =>
  [...new Map(told.map((each) => [JSON.stringify(each), each])).values()].sort(byName);

/** One failure for all with the same cause, if URL or token may be wrong: then each request fails. */
const byCause = (failures: readonly ReviewNote[]): readonly ReviewNote[] =>
  [...grouped(failures, causeOf).values()].flatMap(([first, ...others]) => {
    const names = others.map(({ kind, name, text }) =>
      kind && name ? `${kind} ${plainly(name)}` : text.replace(requestFails, "$1"),
    );
    const more = listed(firstOf(names, (left) => count(left, "other")));
    if (first === undefined || others.length === 0) return first ?? [];
    return { ...first, text: `${first.text}\n${count(others.length, "more error")} with this cause: ${more}` };
  });

/** `unable to validate monitor "x": GET /api/v1/config/monitors/x answered 401 …` */
const requestFails = /^unable to (.*?): [A-Z]+ \/[^]*$/;

/** The text of a failure of the settings without the object and the request; any other failure has its own cause. */
const causeOf = (failure: ReviewNote) =>
  requestFails.test(failure.text) && /\bbaseUrl\b|\btoken\b/.test(failure.text)
    ? failure.text.replace(/^.*?: |\b[A-Z]+ \/\S+| Gave up after .*? s\.| \(request [^)]*\)$/g, "")
    : failure;

/** The engine's order differs from run to run. Notes without a resource come first. */
function byName(a: { readonly kind?: string; readonly name?: string }, b: typeof a): number {
  const [left, right] = [a, b].map(({ kind = "", name = "" }) => `${kind} ${name}`) as [string, string]; // of two
  return left < right ? -1 : left > right ? 1 : 0;
}
