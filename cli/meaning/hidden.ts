import { formatPath, isWithin, overlaps, type Path } from "../../provider/schema/walk";
import { pathsWhere, unknown } from "../../provider/values/unknown";
import type { JsonObject } from "../../provider/wire/json";
import { masked } from "../../sdk/engine/preview";

/** Whether a value is hidden: the engine prints a placeholder instead of a secret or a value known only after the update. */
export const isHidden = (value: unknown) => value === masked || value === unknown;

export const hiddenWord = (value: unknown) => (value === masked ? "a secret" : "known only after the update");

/** `labelQuery is a secret` */
export const hiddenText = (path: Path, value: unknown) => `${formatPath(path)} is ${hiddenWord(value)}`;

/** Whether a value or a part of it is hidden. */
export const holdsHidden = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(holdsHidden) : isHidden(value);

/** The value at a path, and `[secret]` for everything inside a masked value; undefined if there is none. */
export function shownAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const step of path) {
    if (here === masked) return masked;
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Readonly<Record<string | number, unknown>>)[step];
  }
  return here;
}

/** The values that the engine masks on one or both sides of a change. */
export interface SecretPlaces {
  /** Those that the engine reports as changed. */
  readonly changedSecrets: readonly Path[];
  /** Those for which the engine does not report whether they change. */
  readonly unsureSecrets: readonly Path[];
}

/**
 * @param places All places where the engine reports a difference; undefined if it reports no places.
 * @param edits The places that were edited outside Pulumi. The engine reports them even if the program does not change them.
 */
export function secretPlaces(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  places: readonly Path[] | undefined,
  edits: readonly Path[] = [],
): SecretPlaces {
  if (before === undefined || after === undefined) return { changedSecrets: [], unsureSecrets: [] };
  // A value that only one side has is reported as added or removed.
  const isOnBoth = (path: Path) => [before, after].every((side) => shownAt(side, path.slice(0, -1)) !== undefined);
  const all = uniquePaths([...maskedPaths(before), ...maskedPaths(after)]).filter(isOnBoth);
  if (places === undefined) return { changedSecrets: [], unsureSecrets: all };
  // The engine may report one value inside a list that it masks as a whole.
  const named = all.flatMap((secret) => {
    const inside = places.filter((place) => isWithin(place, [secret]));
    return inside.length === 0 && places.some((place) => isWithin(secret, [place])) ? [secret] : inside;
  });
  const isEdited = (path: Path) => overlaps(path, edits);
  return { changedSecrets: named.filter((path) => !isEdited(path)), unsureSecrets: named.filter(isEdited) };
}

/** The paths of all masked values. The engine masks a list that contains a secret as a whole. */
export const maskedPaths = (value: unknown): readonly Path[] => pathsWhere(value, (each) => each === masked);

/** The values in a value that are hidden, each with a clause. */
export const hiddenIn = (value: unknown) =>
  pathsWhere(value, isHidden).map((path) => ({ path, text: hiddenText(path, shownAt(value, path)) }));

export const uniquePaths = (paths: readonly Path[]): readonly Path[] => [
  ...new Map(paths.map((path) => [formatPath(path), path])).values(),
];
