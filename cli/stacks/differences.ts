import { formatPath, type Path } from "../../provider/schema/walk";
import { differences } from "../../provider/values/differences";
import type { JsonObject } from "../../provider/wire/json";
import { cutLine, plainly } from "../report/words";
import type { Change } from "./changes";
import { isEquivalentInReview, withDefaults } from "./equivalence";
import { shownAt } from "./places";
import { withoutMasked } from "./secrets";
import { arrow } from "./values";

/** Every difference of a change, one line for each: `labels.team: "a" → "b"`. */
export function differenceLines(change: Change): readonly string[] {
  const { kind, op, before, after, drift, places, changedSecrets, unsureSecrets } = change;
  // After a refresh the engine compares with what the service has.
  const old = drift === undefined ? before : drift.actual;
  if (op === "create" || op === "delete" || old === undefined || after === undefined) return [];
  const [seen, now] = withoutMasked(old, after);
  const secrets = [...changedSecrets, ...unsureSecrets];
  if (secrets.length === 0 && isEquivalentInReview(kind.root, seen, now)) return ["means the same as before"];
  if (places !== undefined && places.length > 0)
    return places.map((path) => line(path, shownAt(old, path), shownAt(after, path)));
  const unsure = unsureSecrets.map((path) => cutLine(`${plainly(formatPath(path))}: may have changed (secret)`));
  return [...betweenLines(kind.root, seen, now), ...unsure];
}

/** What was edited at the service. */
export function driftLines({ kind, before, drift }: Change): readonly string[] {
  if (drift?.actual === undefined || before === undefined) return [];
  return betweenLines(kind.root, ...withoutMasked(before, drift.actual));
}

const betweenLines = (root: Change["kind"]["root"], from: JsonObject, to: JsonObject): readonly string[] =>
  differences(root, withDefaults(root, to), withDefaults(root, from), () => false).map(({ path, actual, desired }) =>
    line(path, actual, desired),
  );

const line = (path: Path, from: unknown, to: unknown) => cutLine(`${plainly(formatPath(path))}: ${arrow(from, to)}`);
