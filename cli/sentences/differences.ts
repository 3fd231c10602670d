import { formatPath, type Path } from "../../provider/schema/walk";
import { differences } from "../../provider/values/differences";
import { unknown } from "../../provider/values/unknown";
import { cutLine, plainly } from "../report/words";
import type { Change } from "../preview/stackPreview";
import { isEquivalentInReview, normalForm } from "../equality/equivalence";
import { comparable } from "../equality/comparable";
import { programPath } from "../equality/parts";
import { shownAt } from "../equality/hidden";
import { changeText } from "./values";

/** Every difference of a change, one line for each: `labels.team: "a" → "b"`. */
export function differenceLines(change: Change): readonly string[] {
  const { kind, op, before, after, drift, places, changedSecrets, unsureSecrets, unknowns } = change;
  // After a refresh the engine compares with what the service has.
  const old = drift === undefined ? before : drift.actual;
  if (op === "create" || op === "delete" || old === undefined || after === undefined) return [];
  const { before: seen, after: now } = comparable(kind.root, old, after);
  const secrets = [...changedSecrets, ...unsureSecrets];
  if (secrets.length + unknowns.length === 0 && isEquivalentInReview(kind.root, seen, now))
    return ["means the same as before"];
  if (places !== undefined && places.length > 0)
    return places.map((path) => line(path, shownAt(old, path), shownAt(after, path)));
  return [
    ...betweenLines(kind.root, seen, now),
    ...unknowns.map((path) => line(path, shownAt(old, path), unknown)),
    ...unsureSecrets.map((path) => cutLine(`${plainly(formatPath(path))}: may have changed (secret)`)),
  ];
}

/** The differences between what was last applied and what the service has. */
export function driftLines({ kind, before, drift }: Change): readonly string[] {
  if (drift?.actual === undefined || before === undefined) return [];
  const { before: was, after: actual } = comparable(kind.root, before, drift.actual);
  const secrets = drift.secrets.map((path) => line(path, shownAt(before, path), shownAt(drift.actual, path)));
  return [...betweenLines(kind.root, was, actual), ...secrets];
}

function betweenLines(root: Change["kind"]["root"], from: unknown, to: unknown): readonly string[] {
  const normal = normalForm(root, to);
  return differences(root, normal, normalForm(root, from), () => false).map(({ path, actual, desired }) =>
    line(programPath(root, path, to, normal), actual, desired),
  );
}

const line = (path: Path, from: unknown, to: unknown) =>
  cutLine(`${plainly(formatPath(path))}: ${changeText(from, to)}`);
