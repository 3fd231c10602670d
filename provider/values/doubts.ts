import type { Field } from "../schema/field";
import { formatPath, isWithin, type Path } from "../schema/walk";
import { type Leaf, leaves } from "./leaves";
import { meantBy } from "./suggestions";
import { unlikelyUnit } from "./units";
import { unknown } from "./unknown";
import { append } from "./grouped";

/** What is not to be doubted. */
export interface Undoubted {
  /** The paths of values that the program marks as secret. */
  readonly secrets?: readonly Path[] | undefined;
  /** Texts of values that are meant: the setting `knownValues`. */
  readonly knownValues?: readonly string[];
}

/** A value that is allowed, but likely a slip. */
export interface Doubt {
  readonly why: string;
  readonly places: string;
}

/**
 * Texts that are none of those seen in practice, because enumerations are open, and numbers that are likely in another
 * unit. One doubt for each value, with all its places.
 */
export function doubtsIn(root: Field, value: unknown, { secrets = [], knownValues = [] }: Undoubted = {}): Doubt[] {
  const places = new Map<string, string[]>();
  for (const leaf of leaves(root, value)) {
    const { path, value: found } = leaf;
    const doubt = found === unknown || knownValues.includes(String(found)) ? undefined : doubtOf(leaf);
    if (doubt === undefined || isWithin(path, secrets)) continue;
    append(places, doubt, formatPath(path));
  }
  return [...places].map(([why, paths]) => ({ why, places: paths.join(", ") }));
}

function doubtOf({ field: { options }, value }: Leaf): string | undefined {
  if (typeof value === "number") {
    const slip = unlikelyUnit(value, options.unit);
    return slip && `${slip.why}: ${question(`${slip.meant}`)}`;
  }
  const { suggestions } = options;
  if (suggestions === undefined || typeof value !== "string" || value === "" || suggestions.includes(value)) {
    return undefined;
  }
  const meant = meantBy(value, suggestions);
  return `"${value}" is none of ${suggestions.join(", ")}: ${question(meant && `"${meant}"`)}`;
}

const question = (meant: string | undefined) =>
  `${meant === undefined ? "if it is meant" : `did you mean ${meant}? If not`}, add it to the setting knownValues`;
