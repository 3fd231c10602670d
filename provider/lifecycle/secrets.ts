import type { Field, ScalarField } from "../schema/field";
import { isObject } from "../wire/codec";
import { items } from "./meaning";

/** Tells whether a text stands in a secret's place without being it. */
export type MaskTest = (field: ScalarField, value: unknown) => boolean;

/** `**REDACTED**`, a run of three or more `*`, and further texts. For a masked value, empty and absent count too. */
export function maskTest(furtherMasks: readonly string[]): MaskTest {
  return ({ options: { secret } }, value) => {
    if (secret === undefined) return false;
    if (value === undefined || value === null || value === "") return secret === "value";
    return (
      typeof value === "string" && (value === "**REDACTED**" || /^\*{3,}$/.test(value) || furtherMasks.includes(value))
    );
  };
}

/** The value with its secret leaves left out. */
export function withoutSecrets(field: Field, value: unknown): unknown {
  return field.visit<unknown>({
    scalar: ({ options }) => (options.secret === undefined ? value : undefined),
    map: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each) => withoutSecrets(item, each)) : value),
    object: ({ shape }) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(shape.fields)
              .map(([name, inner]) => [name, withoutSecrets(inner, value[name])])
              .filter(([, inner]) => inner !== undefined),
          )
        : value,
  });
}

/** Every secret text in the value. */
export function secretTexts(field: Field, value: unknown): string[] {
  return field.visit<string[]>({
    scalar: ({ options }) => (options.secret !== undefined && typeof value === "string" && value !== "" ? [value] : []),
    map: () => [],
    list: ({ item }) => items(value).flatMap((each) => secretTexts(item, each)),
    object: ({ shape }) =>
      isObject(value) ? Object.entries(shape.fields).flatMap(([name, inner]) => secretTexts(inner, value[name])) : [],
  });
}

// Shorter ones would strike half of every text, and so tell themselves by what is missing.
const shortestStruck = 4;

/** The text with every secret struck out, in each form in which a service may echo what it was sent. */
export function strikeSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= shortestStruck)
    .flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
      secret.replace(/\s+/g, " "),
    ])
    // Longest first, so that one secret inside another leaves no rest behind.
    .sort((a, b) => b.length - a.length)
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return forms.length === 0 ? text : text.replace(new RegExp(forms.join("|"), "g"), "[secret]");
}
