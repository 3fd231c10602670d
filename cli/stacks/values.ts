import { unknown } from "../../provider/values/unknown";
import { masked } from "./places";

const longest = 60;

/** A value for one line of text: no control character, and no more than 60 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === masked) return "a secret";
  if (value === unknown) return "what only the update brings";
  if (typeof value === "string") return quote(value);
  if (typeof value === "object") return quote(JSON.stringify(value)).slice(1, -1).replaceAll('\\"', '"');
  return String(value);
}

/** A text in double quotes, as JSON, cut to 60 characters. What could move or turn a reader's text is escaped. */
export function quote(text: string): string {
  const letters = [...text];
  const cut = letters.length > longest ? `${letters.slice(0, longest - 1).join("")}…` : text;
  return JSON.stringify(cut).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);
}

const longestLine = 400;

/** A line of text, cut if it is longer than anybody reads. */
export const cutLine = (text: string) =>
  text.length > longestLine ? `${[...text].slice(0, longestLine - 1).join("")}…` : text;

/** A name without quotes, on one line. */
export const plainly = (text: string) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escaped);

const escaped = (letter: string) =>
  [...letter].map((each) => `\\u{${each.codePointAt(0)?.toString(16) ?? ""}}`).join("");

/** `0.05 → 0.2`; a secret that changes has no sides. */
export const arrow = (before: unknown, after: unknown, unit = "") =>
  before === masked && after === masked ? "changed (secret)" : `${withUnit(before, unit)} → ${withUnit(after, unit)}`;

export const withUnit = (value: unknown, unit: string) =>
  `${shown(value)}${typeof value === "number" && unit !== "" ? ` ${unit}` : ""}`;
