import { type Conflict, conflictsOf, conflictText } from "../../sdk/engine/ownedObjects";
import { type Risk, riskOf, worstFirst } from "../consequences/risk";
import { quote } from "../output/words";
import { dependentsIn } from "./dependents";
import { allRisks } from "./summary";
import { uniqueNotes } from "./notes";
import type { Review, StackReview } from "./review";
import { unmanagedIn } from "./unmanaged";
import { isUnseenNote, unroutedIn } from "./unrouted";

/** Merges the reports of several jobs. Findings that concern several stacks are computed again over all of them. */
export function merged(reports: readonly Review[], command = commandOf(reports)): Review {
  const stacks = reports.flatMap((report) => report.stacks);
  const conflicts = command === "drift" ? [] : conflictsOf(stacks).map(conflictRisk);
  const [dependents, unrouted] = [dependentsIn(stacks), unroutedIn(stacks)];
  const notesOf = (stack: StackReview) => [
    ...stack.notes.filter((note) => !isUnseenNote(note)),
    ...dependents.notesOf(stack),
    ...unrouted.notesOf(stack),
  ];
  const listings = reports.flatMap(({ unmanaged }) => unmanaged ?? []);
  const told = new Set(conflicts.map((risk) => JSON.stringify(risk)));
  const isOfDependent = ({ path }: Risk) => path !== undefined;
  const isOther = (risk: Risk) =>
    !["declared-elsewhere", "unrouted"].includes(risk.class) && !isOfDependent(risk) && !told.has(JSON.stringify(risk));
  // The job that merges accepts by its own file.
  const others = reports.flatMap(allRisks).map(({ acceptance: _, ...risk }): Risk => risk);
  return {
    command,
    stacks: stacks.map((stack) => ({ ...stack, notes: uniqueNotes(notesOf(stack)) })),
    risks: [...others.filter(isOther), ...conflicts, ...dependents.risks, ...unrouted.risks].sort(worstFirst),
    violations: reports.flatMap(({ violations }) => violations),
    ...(listings.length === 0 ? {} : { unmanaged: unmanagedIn(stacks, listings) }),
  };
}

const commandOf = (reports: readonly Review[]): Review["command"] =>
  reports.every(({ command }) => command === "drift") ? "drift" : "review";

/** An object that one stack removes and another one declares. */
function conflictRisk(conflict: Conflict<StackReview>): Risk {
  const { dropping, object, declaring, sameness } = conflict;
  const { isRetained = false } = object;
  return riskOf(
    { ...object, stack: dropping.stack },
    {
      class: isRetained ? "retained" : "declared-elsewhere",
      direction: isRetained || sameness === "unknown" ? "unclear" : "alerts-less",
      text: conflictText(conflict, `the stack ${quote(declaring.stack)}`),
    },
  );
}
