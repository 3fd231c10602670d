import { formatPath, type Path } from "../../provider/schema/walk";
import { differences } from "../../provider/values/differences";
import type { JsonObject } from "../../provider/wire/json";
import { cutLine, plainly } from "../report/words";
import type { Change } from "./changes";
import { meansTheSame, withDefaults } from "./meaning";
import { masked, shownAt } from "./places";
import { arrow } from "./values";

/** Every difference of a change, one line for each: `labels.team: "a" → "b"`. */
export function differenceLines({ kind, op, before, after, drift, places, changedSecrets }: Change): readonly string[] {
  // After a refresh the engine compares with what the service has.
  const old = drift === undefined ? before : drift.live;
  if (op === "create" || op === "delete" || old === undefined || after === undefined) return [];
  if (meansTheSame(kind.root, old, after) && changedSecrets.length === 0) return ["means the same as before"];
  if (places === undefined || places.length === 0) return betweenLines(kind.root, old, after);
  return places.map((path) => line(path, shownAt(old, path), shownAt(after, path)));
}

/** What was edited at the service. */
export function driftLines({ kind, before, drift }: Change): readonly string[] {
  if (drift === undefined || before === undefined) return [];
  return drift.live === undefined ? ["gone from the service"] : betweenLines(kind.root, before, drift.live);
}

const betweenLines = (root: Change["kind"]["root"], from: JsonObject, to: JsonObject): readonly string[] =>
  differences(root, withDefaults(root, to), withDefaults(root, from), (_, value) => value === masked).map(
    ({ path, live, wanted }) => line(path, live, wanted),
  );

const line = (path: Path, from: unknown, to: unknown) => cutLine(`${plainly(formatPath(path))}: ${arrow(from, to)}`);
