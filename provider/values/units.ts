const hour = 3_600;
const day = 24 * hour;

/** A number that is likely in another unit than its field has. */
interface Slip {
  readonly why: string;
  readonly meant: number;
}

/** @param unit The unit of the field, as its description says it. */
export function unlikelyUnit(value: number, unit = ""): Slip | undefined {
  // A share of the license may well be below one percent.
  if (unit.startsWith("percent, ") && value > 0 && value < 1) {
    return { why: `${value} is less than 1 percent`, meant: Number((value * 100).toPrecision(10)) };
  }
  if (unit !== "seconds" || !looksLikeMilliseconds(value)) return undefined;
  return { why: `${value} seconds are ${Number((value / hour).toFixed(1))} hours`, meant: value / 1_000 };
}

/** Thousands from ten seconds on that are no round time in seconds: half hours up to a day, whole days up to 30. */
function looksLikeMilliseconds(value: number): boolean {
  if (value < 10_000 || value % 1_000 !== 0) return false;
  if (value > 30 * day) return true;
  return value % (value > day ? day : hour / 2) !== 0;
}
