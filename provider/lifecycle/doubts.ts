import { formatPath } from "../schema/walk";
import { shownPart } from "../values/differences";
import { doubtsIn } from "../values/doubts";
import { nullPaths } from "../values/unknown";
import type { Doubted } from "../protocol";
import type { JsonObject } from "../wire/json";
import { oneLine, redact } from "./explain";
import type { Target } from "./target";

/**
 * Warnings of values that are allowed, but likely a slip; the service is not asked.
 * @param before The old arguments, whose secrets are struck too.
 */
export function doubts(target: Target, before: JsonObject): readonly Doubted[] {
  const { run, kind, title, wanted } = target;
  const { knownValues } = run.settings;
  const { secrets } = target;
  const safe = (text: string) => oneLine(redact(text, target, before));
  return doubtsIn(kind.root, wanted, { secrets, knownValues }).map(({ why, places }) => ({
    what: safe(why),
    object: `${title}: ${safe(places)}`,
  }));
}

/**
 * Warns of each null: it counts as left out.
 * @param given The arguments as the program gives them.
 */
export function tellNulls({ run, kind, title, secrets }: Target, given: JsonObject): void {
  const places = nullPaths(given)
    .map((path) => formatPath(shownPart(kind.root, path, secrets)))
    .sort();
  if (places.length === 0) return;
  run.noteOnce(
    oneLine(`${title}: ${places.join(", ")}: null counts as left out: leave it out if that is meant`),
    "warning",
  );
}
