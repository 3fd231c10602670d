import type { IncidentOutcome } from "../backtest/incidents";
import { monitor } from "../../provider/kinds/monitor";
import { comparedWith, differenceLines, edited, isRisk, risksOfChange } from "../consequences/risks";
import { summaryOf } from "../consequences/alerting";
import { isEquivalentInReview } from "../meaning/normalForm";
import { reasonOf } from "../output/output";
import { count, cutLine, plainly } from "../output/words";
import {
  type Change,
  failedPreview,
  type PreviewMessage,
  type StackPreview,
  withoutIgnoredEdits,
} from "../preview/stackPreview";
import type { KnownRouting } from "../source/routes";
import type { Measured } from "./measure";
import { merged } from "./merged";
import { metricUsersOf } from "./metricUsers";
import { byCause, byName, noteOfMessage, uniqueNotes } from "./notes";
import { routeUsersOf } from "./routes";
import type { BacktestReview, ChangeReview, Review, StackReview, ReviewNote } from "./review";

/** A stack's preview, with its standards and backtests. */
export interface Reviewed {
  readonly preview: StackPreview;
  /** The result of applying its standards. */
  readonly standards?: Partial<Measured> | undefined;
  /** The backtests of changed monitors, by their URNs. */
  readonly backtests?: ReadonlyMap<string, BacktestReview>;
  readonly incidents?: readonly IncidentOutcome[] | undefined;
  /** Why other parts of the review failed. */
  readonly failures?: readonly string[];
  readonly routing?: KnownRouting;
}

/** The differences between what was last applied and what the service has. */
export const driftOf = (previews: readonly StackPreview[]): Review =>
  reviewOf(
    previews.map((preview) => ({ preview })),
    "drift",
  );

/** The review of the changes of all stacks. One that cannot be reviewed is a failed one, and the others are still reviewed. */
export const reviewOf = (reviewed: readonly Reviewed[], command: Review["command"] = "review"): Review =>
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

/** The report on one stack. A failure is reported, and the rest of the report continues. */
function stackReview(command: Review["command"], reviewed: Reviewed): Review {
  const { preview, standards = {}, failures = [], incidents } = reviewed;
  const { stack, messages, isFailed, ownedObjects, others, isPartial = false } = preview;
  const found = preview.changes.map((change) => foundIn(change, command, reviewed));
  const metrics = found.flatMap((each) => each.metrics);
  const routes = found.flatMap((each) => each.routes);
  const failed = [
    ...messages.filter(({ severity }) => severity === "error").map(noteOfMessage),
    ...failures.map((text) => ({ text })),
    ...(standards.failures ?? []),
    ...found.flatMap((each) => each.failures),
    ...(isFailed && ownedObjects !== undefined ? [{ text: incomplete[command] }] : []),
  ];
  const notes = [
    ...messageNotes(preview),
    ...(standards.notes ?? []),
    ...(command === "drift" ? pendingNote(preview) : []),
  ];
  const report: StackReview = {
    stack,
    isFailed,
    failures: byCause(uniqueNotes(failed)),
    notes: uniqueNotes(notes),
    changes: found.flatMap(({ shown }) => shown).sort(byName),
    others: others.map(({ op, type, name }) => cutLine(`${op} ${plainly(type)} ${plainly(name)}`)),
    oldViolations: standards.old ?? 0,
    ...(ownedObjects && { ownedObjects }),
    ...(metrics.length > 0 && { metrics: metrics.sort(byName) }),
    ...(routes.length > 0 && { routes: routes.sort(byName) }),
    ...(incidents && { incidents }),
    ...(isPartial && command === "review" && { isPartial }),
  };
  return { command, stacks: [report], risks: found.flatMap(({ risks }) => risks), violations: standards.broken ?? [] };
}

/** What a report says of one change, and why it can't say more. */
function foundIn(change: Change, command: Review["command"], reviewed: Reviewed) {
  const { preview, standards, backtests, routing = {} } = reviewed;
  const { urn, kind, name, op, drift } = change;
  const isDrift = command === "drift";
  const textLabels = new Set(standards?.textLabels);
  const failures: ReviewNote[] = [];
  const tried = <T>(say: () => readonly T[]): readonly T[] => {
    try {
      return say();
    } catch (error) {
      failures.push({ kind: kind.name, name, text: `unable to review this change: ${reasonOf(error)}` });
      return [];
    }
  };
  const compared = tried(() => [{ sides: comparedWith(change, preview, textLabels, routing.routes) }]);
  const risks = compared.flatMap(({ sides }) => tried(() => risksOfChange(change, preview, textLabels, sides)));
  const ofDrift = risks.filter((risk) => risk.class === "drift");
  // Without a refresh, the provider may find that an object was deleted.
  const isDrifted = drift !== undefined || ofDrift.length > 0;
  const differences = () =>
    (isDrift ? edited(change)?.lines : differenceLines(change, compared[0]?.sides, textLabels)) ?? [];
  const backtest = kind === monitor ? backtests?.get(urn) : undefined;
  const isNew = op === "create" && compared[0]?.sides === undefined;
  const [summary] = isNew && !isDrift ? tried(() => [summaryOf(change, routing)]) : [];
  const notified = compared[0]?.sides?.notified ?? [];
  const shown = (): ChangeReview => ({
    kind: kind.name,
    name,
    op: op === "same" ? "update" : op,
    ...(isDrifted && drift?.actual === undefined && { isDeleted: true }),
    ...(summary !== undefined && { summary }),
    ...(notified.length > 0 && { notified }),
    differences: tried(differences),
    ...(backtest && { backtest }),
  });
  return {
    risks: isDrift ? ofDrift : risks,
    metrics: isDrift ? [] : compared.flatMap(({ sides }) => tried(() => metricUsersOf(change, preview, sides))),
    routes: isDrift ? [] : compared.flatMap(({ sides }) => tried(() => routeUsersOf(change, sides, routing))),
    shown: (isDrift ? isDrifted : op !== "same") ? [shown()] : [],
    failures,
  };
}

/** The messages that are not reported as risks or errors. */
function messageNotes({ changes, messages }: StackPreview): readonly ReviewNote[] {
  const isReported = (message: PreviewMessage) =>
    isRisk(message) && (message.about === undefined || changes.some(({ urn }) => urn === message.about?.urn));
  return messages.filter((message) => message.severity !== "error" && !isReported(message)).map(noteOfMessage);
}

/** The number of changes that the program makes beside the edits; empty if there are none. */
function pendingNote({ changes }: StackPreview): readonly ReviewNote[] {
  const pending = changes.filter((change) => change.op !== "same" && !isOnlyDrift(change)).length;
  const verb = pending === 1 ? "is" : "are";
  const text = `${count(pending, "change")} of the program ${verb} not applied yet: run "pulumi up"`;
  return pending === 0 ? [] : [{ text }];
}

/** Whether the program declares what was last applied. */
function isOnlyDrift(change: Change): boolean {
  const { kind, before, after, changedSecrets, drift } = change;
  if (drift === undefined || before === undefined || after === undefined || changedSecrets.length > 0) return false;
  return isEquivalentInReview(kind.root, before, withoutIgnoredEdits(change, after));
}

/** The engine stops at the first object that it can't refresh, and plans deletes last, after the program has ended. */
const incomplete: Readonly<Record<Review["command"], string>> = {
  review: "incomplete: the preview failed. Only changes found before that are listed; deletes are missing.",
  drift: "incomplete: the preview failed. Objects that it had not read before were not checked.",
};
