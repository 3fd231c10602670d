import { unknown } from "../../provider/values/unknown";
import { quote } from "../report/words";
import { masked } from "./places";

/** A value for one line of text: no control character, and no more than 60 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === masked) return "a secret";
  if (value === unknown) return "what only the update brings";
  if (typeof value === "string") return quote(value);
  if (typeof value === "object") return quote(JSON.stringify(value)).slice(1, -1).replaceAll('\\"', '"');
  return String(value);
}

/** `0.05 → 0.2`; a secret that changes has no sides: what becomes one now may be in clear before, and is the same. */
export const arrow = (before: unknown, after: unknown, unit = "") => {
  const sides = [before, after];
  if (sides.includes(masked) && !sides.includes(undefined)) return "changed (secret)";
  return `${withUnit(before, unit)} → ${withUnit(after, unit)}`;
};

export const withUnit = (value: unknown, unit: string) =>
  `${shown(value)}${typeof value === "number" && unit !== "" ? ` ${unit}` : ""}`;
