import type { Change } from "../preview/stackPreview";
import type { Compared } from "./risks";
import { comparisonOf, sameMeaning, type TextLabels } from "./changed";

/** Every difference of a change, one line for each: `labels.team: "a" → "b"`. */
export function differenceLines(change: Change, compared: Compared, textLabels?: TextLabels): readonly string[] {
  const { op, before, after, drift } = change;
  // After a refresh the engine compares with what the service has.
  const old = drift === undefined ? before : drift.actual;
  if (op === "create" || op === "delete" || old === undefined || after === undefined) return [];
  const { lines } = (drift === undefined && compared) || comparisonOf(change, old, after, textLabels);
  return lines.length === 0 ? [sameMeaning] : lines;
}

/** What an edit outside Pulumi changes, and what that means for people; undefined without one. */
export function edited({ kind, before, drift }: Change, textLabels?: TextLabels) {
  if (drift?.actual === undefined || before === undefined) return undefined;
  const { actual, secrets } = drift;
  return comparisonOf({ kind, changedSecrets: secrets, unsureSecrets: [], unknowns: [] }, before, actual, textLabels);
}
