import type { Field } from "../../dist/provider/schema/field.js";
import { isZero, type Json } from "../property/meaning.js";

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

/** Secret texts, in order. */
export function secretsIn(field: Field, value: unknown): unknown[] {
  const found: unknown[] = [];
  field.visit({
    scalar: ({ options }) => {
      if (options.secret !== undefined && !isZero(value)) found.push(value);
    },
    map: () => {},
    list: ({ item }) => {
      if (Array.isArray(value)) for (const each of value as unknown[]) found.push(...secretsIn(item, each));
    },
    object: ({ shape }) => {
      for (const [name, inner] of Object.entries(shape.fields))
        found.push(...secretsIn(inner, (value as Json)?.[name]));
    },
  });
  return found;
}
