import type { Field, ScalarField } from "../schema/field";
import { isObject } from "../wire/codec";
import { isZero, items } from "./meaning";

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

/** The value with each secret leaf in the form in which the engine takes it for a secret, whichever way it came in. */
export function withSecretsMarked(field: Field, value: unknown): unknown {
  return field.visit<unknown>({
    scalar: ({ options }) => (options.secret === undefined || isZero(value) ? value : secretOf(value)),
    map: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each) => withSecretsMarked(item, each)) : value),
    object: ({ shape }) =>
      isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, each]) => {
              // A user's key may be called "constructor".
              const inner = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
              return [name, inner === undefined ? each : withSecretsMarked(inner, each)];
            }),
          )
        : value,
  });
}

// Of Pulumi's wire protocol (sdk/go/common/resource/properties.go): the key and the value that mark a secret.
const secretOf = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

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

/**
 * The text with every secret struck out, in each form in which a service may echo what it was sent: as JSON, in a URL,
 * in HTML, in base64, and what a cut has left of it.
 */
export function strikeSecrets(text: string, secrets: readonly string[]): string {
  const pieces = secrets
    .filter((secret) => secret.length >= shortestStruck)
    .flatMap((secret) => secret.match(longestPiece) ?? [])
    // Longest first, so that one secret inside another leaves no rest behind.
    .sort((a, b) => b.length - a.length);
  const forms = pieces.flatMap((piece) => [unitsOf(piece), ...inBase64(piece)]);
  const heads = forms.map(headOf);
  // Together, so that one head inside another leaves no rest before it.
  const joined = heads.flatMap((_, i) => (i % mostJoined === 0 ? [heads.slice(i, i + mostJoined).join("|")] : []));
  return [...forms.map((units) => units.join("")), ...joined]
    .reduce((left, form) => left.replace(new RegExp(form, "g"), "[secret]"), text)
    .replace(/(?:\[secret\]){2,}/g, "[secret]");
}

// An expression for more could grow too large to compile, and would fail with a message that quotes it.
const longestPiece = /[^]{1,1024}/gu;
const mostJoined = 64;
// What follows so many of a secret's letters up to the cut is taken for the secret's, too.
const longestHead = 64;

/** What a cut, marked by an ellipsis, has left of a secret. */
function headOf(units: readonly string[]): string {
  const [sure, open] = [units.slice(0, shortestStruck), units.slice(shortestStruck, longestHead)];
  const rest = units.length > longestHead ? "[^\u2026]*?" : "";
  // The cut may go through a spelling: `%C`, `\u00`, `&quo`.
  const broken = "(?:[%&\\\\][\\w%#\\\\]{0,10})?";
  return `${sure.join("")}${open.reduceRight((after, unit) => `(?:${unit}${after})?`, rest)}${broken}(?=\u2026|\\.{3})`;
}

const unitsOf = (secret: string) => (secret.match(/\s+|\S/gu) ?? []).map(spellings);
const bytesOf = (letter: string) => [...Buffer.from(letter)].map((byte) => byte.toString(16).padStart(2, "0"));
const caseless = (hex: string) => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

/** How JSON, also quoted again, URLs, forms and HTML spell a letter, or any white space. */
function spellings(letter: string): string {
  if (/^[A-Za-z0-9]$/.test(letter)) return letter;
  if (/^\s/.test(letter)) return "(?:\\s|\\+|\\\\{1,7}[fnrt]|%(?:20|0[9A-Da-d])|&#(?:9|1[0-3]|32);){1,99}";
  const units = Array.from({ length: letter.length }, (_, i) => letter.charCodeAt(i).toString(16).padStart(4, "0"));
  const point = letter.codePointAt(0) ?? 0;
  return `(?:${[
    `\\\\{0,7}${letter.replace(/[$()*+./?[\\\]^{|}]/, "\\$&")}`,
    units.map((unit) => `\\\\{1,7}u${caseless(unit)}`).join(""),
    bytesOf(letter)
      .map((byte) => `%${caseless(byte)}`)
      .join(""),
    `&#(?:${point}|[xX]0*${caseless(point.toString(16))});`,
    ...(entities[letter] === undefined ? [] : [`&${entities[letter]};`]),
  ].join("|")})`;
}

/** A secret in base64 at each offset: as far as it alone decides the characters. */
function inBase64(secret: string): string[][] {
  return [0, 1, 2].flatMap((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const sure = bytes.toString("base64").slice(Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return sure.length < shortestStruck ? [] : [[...sure].map((each) => base64Spellings[each] ?? each)];
  });
}

const base64Spellings: Readonly<Record<string, string>> = { "+": "(?:[+-]|%2[Bb])", "/": "(?:[/_]|%2[Ff])" };
