import type { Field } from "../schema/field";
import { namespace } from "../schema/names";
import { formatPath, isWithin, type Path } from "../schema/walk";
import { type Leaf, leaves } from "./leaves";
import { intendedBy } from "./suggestions";
import { unknown } from "./unknown";
import { append } from "../base/grouped";

/** Values that are accepted without a doubt. */
export interface Undoubted {
  /** The paths of values that the program marks as secret. */
  readonly marks?: readonly Path[] | undefined;
  /** Intentional values, as strings: the setting `knownValues`. */
  readonly knownValues?: readonly string[];
}

/** A value that is allowed, but likely a mistake. */
interface Doubt {
  readonly why: string;
  readonly places: string;
}

/**
 * Finds strings that are not among those seen in practice, because enumerations are open, and numbers that are likely in
 * another unit. Returns one doubt for each value, with all its places.
 */
export function doubtsIn(root: Field, value: unknown, { marks = [], knownValues = [] }: Undoubted = {}): Doubt[] {
  const places = new Map<string, string[]>();
  for (const leaf of leaves(root, value)) {
    const { path, value: found } = leaf;
    const doubt = found === unknown || knownValues.includes(String(found)) ? undefined : doubtOf(leaf);
    if (doubt === undefined || isWithin(path, marks)) continue;
    append(places, doubt, formatPath(path));
  }
  return [...places].map(([why, paths]) => ({ why, places: paths.join(", ") }));
}

function doubtOf({ field: { options }, value }: Leaf): string | undefined {
  if (typeof value === "number") {
    const mistake = unlikelyUnit(value, options.unit);
    return mistake && `${mistake.why}. Did you mean ${mistake.intended}? ${toAllow(String(value))}`;
  }
  const { suggestions } = options;
  if (suggestions === undefined || typeof value !== "string") return undefined;
  // The receiver fills a template in.
  if (value === "" || value.includes("{{") || suggestions.includes(value)) return undefined;
  const intended = intendedBy(value, suggestions);
  const question = intended === undefined ? "" : `Did you mean "${intended}"? `;
  return `unknown value "${value}". ${question}Known values: ${suggestions.join(", ")}. ${toAllow(`"${value}"`)}`;
}

const toAllow = (value: string) => `To allow ${value}, add it to ${namespace}:knownValues`;

const hour = 3_600;
const day = 24 * hour;

/** A number that is likely in another unit than its field has. */
interface Mistake {
  readonly why: string;
  readonly intended: number;
}

/** @param unit The unit of the field, as its description says it. */
function unlikelyUnit(value: number, unit = ""): Mistake | undefined {
  // A share of the license may well be below one percent.
  if (unit.startsWith("percent, ") && value > 0 && value < 1) {
    return { why: `${value} is less than 1 percent`, intended: Number((value * 100).toPrecision(10)) };
  }
  if (unit !== "seconds" || !looksLikeMilliseconds(value)) return undefined;
  return { why: `${value} seconds are ${Number((value / hour).toFixed(1))} hours`, intended: value / 1_000 };
}

/**
 * Whole thousands from ten seconds on that are not a round time in seconds: half hours up to a day, hours up to four
 * days, days up to 30.
 */
function looksLikeMilliseconds(value: number): boolean {
  if (value < 10_000 || value % 1_000 !== 0) return false;
  if (value > 30 * day) return true;
  return value % (value > 4 * day ? day : value > day ? hour : hour / 2) !== 0;
}
