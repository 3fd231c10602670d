import type { Kind } from "../schema/kind";
import { certainPart, formatPath, valueAt } from "../schema/walk";
import { pathFrom } from "../values/ignored";
import type { JsonObject } from "../wire/json";

/**
 * A warning for each path of `ignoreChanges` into a list whose order means nothing: the engine tells its items by their
 * index, and the recorded order may be another one than the program's.
 */
export function ignoringItems(
  { root }: Kind,
  title: string,
  declared: JsonObject,
  ignoreChanges: readonly string[] = [],
): readonly string[] {
  return ignoreChanges.flatMap((text) => {
    const path = pathFrom(text);
    const list = certainPart(root, path);
    const items = valueAt(declared, list);
    if (list.length === path.length || !Array.isArray(items) || items.length < 2) return [];
    return [
      `${title}: ignoreChanges names ${text}, but the order of ${formatPath(list)} means nothing, so that another ` +
        `item's value may be kept: name ${formatPath(list)}`,
    ];
  });
}
