import type { Field } from "../../dist/provider/schema/field.js";
import { leaves } from "../../dist/provider/values/leaves.js";
import { isObject, isZero, type Json } from "../property/equivalence.js";
import { plain, secretMark } from "../support/plain.js";

/** How every secret of a generated configuration begins, and nothing else. */
const beginning = "secret-";

/** What a text shows of a secret. */
export const leaksIn = (text: string): string[] =>
  [...text.matchAll(new RegExp(`.{0,20}${beginning}.{0,20}`, "g"))].map(([around]) => around);

const isMarked = (value: unknown) => isObject(value) && Object.hasOwn(value, secretMark[0]);

/** Secrets in properties that are not marked as such, so that the engine would record and show them in plain text. */
export function shownIn(value: unknown): string[] {
  if (typeof value === "string") return leaksIn(value);
  if (typeof value !== "object" || value === null || isMarked(value)) return [];
  return Object.values(value).flatMap(shownIn);
}

/** An answer with the marks of the request at the same places, too (provider_plugin.go, annotateSecrets). */
export function markedAs(asked: Json, answer: Json): Json {
  const mark = ([key, value]: [string, any]): [string, unknown] => {
    if (!Object.hasOwn(asked, key) || isMarked(value)) return [key, value];
    if (isMarked(asked[key])) return [key, { [secretMark[0]]: secretMark[1], value: plain(value) }];
    return [key, isObject(value) && isObject(asked[key]) ? markedAs(asked[key], value) : value];
  };
  return Object.fromEntries(Object.entries(answer).map(mark));
}

/** What an adoption's note shows of arguments that the program marks as secret. */
export const shownOf = (marks: readonly string[], note: string): string[] =>
  marks.flatMap((name) => {
    const place = String.raw`[:,] ${name}(?:\.[\w$]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\])*`;
    return [...note.matchAll(new RegExp(`${place} (?!\\[secret\\]|\\(not set\\) →).{0,20}`, "g"))].map(
      ([shown]) => shown,
    );
  });

/** Whether a value holds more than what the schema says is secret. */
export const isPublic = (field: Field, value: unknown) =>
  leaves(field, value).some(({ field: { options } }) => options.secret === undefined);

/** Secret texts, in order. */
export const secretsIn = (field: Field, value: unknown): unknown[] =>
  leaves(field, value)
    .filter(({ field: { options }, value: found }) => options.secret !== undefined && !isZero(found))
    .map(({ value: found }) => found);
