import type { Field } from "../../dist/provider/schema/field.js";
import { leaves } from "../../dist/provider/values/leaves.js";
import { isZero } from "../property/equivalence.js";

/** How every secret of a generated configuration begins, and nothing else. */
const beginning = "secret-";

/** What a text shows of a secret. */
export const leaksIn = (text: string): string[] =>
  [...text.matchAll(new RegExp(`.{0,20}${beginning}.{0,20}`, "g"))].map(([around]) => around);

// Pulumi's mark of a secret (sdk/go/common/resource/properties.go).
const mark = "4dabf18193072939515e22adb298388d";

/** Secrets in properties that are not marked as such, so that the engine would record and show them in clear. */
export function shownIn(value: unknown): string[] {
  if (typeof value === "string") return leaksIn(value);
  if (typeof value !== "object" || value === null || mark in value) return [];
  return Object.values(value).flatMap(shownIn);
}

/** What a take-over's note shows of arguments that the program marks as secret. */
export const shownOf = (marks: readonly string[], note: string): string[] =>
  marks.flatMap((name) => {
    const place = String.raw`[:,] ${name}(?:\.[\w$]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*`;
    return [...note.matchAll(new RegExp(`${place} (?!\\[secret\\]|nothing →).{0,20}`, "g"))].map(([shown]) => shown);
  });

/** Whether a value holds more than what the schema says is secret. */
export const isPublic = (field: Field, value: unknown) =>
  leaves(field, value).some(({ field: { options } }) => options.secret === undefined);

/** Secret texts, in order. */
export const secretsIn = (field: Field, value: unknown): unknown[] =>
  leaves(field, value)
    .filter(({ field: { options }, value: found }) => options.secret !== undefined && !isZero(found))
    .map(({ value: found }) => found);
