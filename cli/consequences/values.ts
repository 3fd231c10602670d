import { aroundDifference, cutText } from "../../provider/base/aroundDifference";
import { unknown } from "../../provider/values/unknown";
import { secondsText } from "../../sdk/behavior/durations";
import { longestQuote, plainly, quote } from "../output/words";
import { masked } from "../../sdk/engine/preview";

/** A value for one line of text: no control character, and no more than 60 characters. */
export const valueText = (value: unknown) => wordFor(value) ?? quoted(value, plainText(value));

/** A name for one line of text, without quotes. */
export const unquotedText = (name: string) => valueText(name).replace(/^"|"$/g, "");

const hides = "known only after the update";

/** The words for a value that has no text. */
function wordFor(value: unknown): string | undefined {
  if (value === undefined) return "(not set)";
  if (value === masked) return "a secret";
  if (value === unknown) return "a value known only after the update";
  return typeof value === "string" || typeof value === "object" ? undefined : String(value);
}

const plainText = (value: unknown) =>
  typeof value === "string"
    ? value
    : JSON.stringify(value, (_, each: unknown) => (each === unknown ? `(${hides})` : each));

/** A string in quotes; an object contains its own quotes. */
const quoted = (value: unknown, text: string) =>
  typeof value === "string" ? quote(text) : plainly(cutText(text, 2 * longestQuote));

/**
 * `0.05 → 0.2`. A changed secret is not shown on either side: a value that becomes a secret may be in plain text before.
 * Long strings are cut to the parts that differ.
 */
export function changeText(before: unknown, after: unknown, unit = ""): string {
  if ([before, after].includes(masked)) {
    return `${after === undefined ? "removed" : before === undefined ? "added" : "changed"} (secret)`;
  }
  if (after === unknown) return isScalar(before) ? `${valueText(before)} → ${hides}` : hides;
  if (wordFor(before) !== undefined || wordFor(after) !== undefined)
    return `${withUnit(before, unit)} → ${withUnit(after, unit)}`;
  const [from, to, others] = aroundDifference(plainText(before), plainText(after), longestQuote);
  return `${quoted(before, from)} → ${quoted(after, to)}${others}`;
}

/** Whether a value is a visible scalar. */
const isScalar = (value: unknown) =>
  value !== undefined && typeof value !== "object" && value !== masked && value !== unknown;

export const withUnit = (value: unknown, unit: string) =>
  `${valueText(value)}${typeof value === "number" && unit !== "" ? ` ${unit}` : ""}`;

/** `2 min`, `3 d 11 h 20 min` */
export const secsText = (value: unknown): string =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? secondsText(value) : withUnit(value, "s");
