import { formatPath, isWithin, type Path } from "../../provider/schema/walk";
import { pathsOf } from "../../provider/values/unknown";
import type { JsonObject } from "../../provider/wire/json";
import { masked, shownAt } from "./places";

/** What can be known of the values that the engine masks on one side of a change or on both. */
export interface SecretPlaces {
  /** Those that the engine names as changed. */
  readonly changedSecrets: readonly Path[];
  /** Those of which it does not tell whether they change. */
  readonly unsureSecrets: readonly Path[];
}

/** @param places Where the engine sees a difference; it names all of them, or undefined stands for none told. */
export function secretsIn(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  places: readonly Path[] | undefined,
): SecretPlaces {
  if (before === undefined || after === undefined) return { changedSecrets: [], unsureSecrets: [] };
  // What only one side has can be seen, whatever it hides.
  const isOnBoth = (path: Path) => [before, after].every((side) => shownAt(side, path.slice(0, -1)) !== undefined);
  const all = unique([...maskedPaths(before), ...maskedPaths(after)]).filter(isOnBoth);
  if (places === undefined) return { changedSecrets: [], unsureSecrets: all };
  // The engine may name one value inside of what it masks as a whole.
  const named = all.flatMap((secret) => {
    const inside = places.filter((place) => isWithin(place, [secret]));
    return inside.length === 0 && places.some((place) => isWithin(secret, [place])) ? [secret] : inside;
  });
  return { changedSecrets: named, unsureSecrets: [] };
}

/** The paths of all masked values. The engine masks a list that holds a secret as a whole. */
export const maskedPaths = (value: unknown): readonly Path[] => pathsOf(masked, value);

const unique = (paths: readonly Path[]): readonly Path[] => [
  ...new Map(paths.map((path) => [formatPath(path), path])).values(),
];
