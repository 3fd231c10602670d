import type { LabelMatcher } from "../../sdk/types.gen";
import { canonicalPattern, onlyMatch } from "./pattern";
import type { SyntaxNode } from "./tree";

/** A string of an expression in one spelling, and its value if that is plain to see. */
interface StringLiteral {
  readonly text: string;
  readonly value?: string;
}

/**
 * A text in one kind of quotes. One with rarer escapes stays as it is written, and so does one with `$` before its end or
 * with `{{`: a template may put anything in their place.
 */
export function readString(written: string): StringLiteral {
  const value = valueOfString(written);
  const isPlain = value !== undefined && !/\$(?!$)|\{\{/.test(value);
  return isPlain ? { text: JSON.stringify(value), value } : { text: written };
}

/** The value of a text in quotes; undefined if it is invalid, or if its bytes are no text. */
export function valueOfString(written: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytesOfString(written) ?? notUtf8);
  } catch {
    return undefined;
  }
}

const notUtf8 = Buffer.of(0xff);

/** The bytes of a text in quotes, by Go's rules; undefined if Prometheus rejects it. */
export function bytesOfString(written: string): Buffer | undefined {
  const [quote, inner] = [written.charAt(0), written.slice(1, -1)];
  if (written.length < 2 || !written.endsWith(quote)) return undefined;
  if (quote === "`") return Buffer.from(inner);
  const parts = inner.match(/\\(?:[0-7]{3}|x[^]{2}|u[^]{4}|U[^]{8}|[^])?|[^\\]+/g) ?? [];
  const all = parts.map((part) => (part.startsWith("\\") ? bytesOfEscape(part.slice(1), quote) : Buffer.from(part)));
  return inner.includes("\n") || all.includes(undefined) ? undefined : Buffer.concat(all as Buffer[]);
}

function bytesOfEscape(code: string, quote: string): Buffer | undefined {
  if (code === quote) return Buffer.from(quote);
  if (Object.hasOwn(controls, code)) return Buffer.from(controls[code] ?? "");
  const digits = /^[0-7]{3}$/.test(code) ? `0o${code}` : /^[xuU][\da-fA-F]+$/.test(code) ? `0x${code.slice(1)}` : "";
  const value = digits === "" ? Number.NaN : Number(digits);
  if (code.length === 3) return value <= 0xff ? Buffer.of(value) : undefined;
  const isCharacter = value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
  return isCharacter ? Buffer.from(String.fromCodePoint(value)) : undefined;
}

const controls: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "\\": "\\" },
};

/** The name that a part of an expression writes, with or without quotes; undefined if it can't be read. */
export const nameWritten = (written: string): string | undefined =>
  /^["'`]/.test(written) ? valueOfString(written) : written;

/** A label's name as an expression writes it: in quotes if it needs them. */
export const labelText = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(?:inf|nan)$/i.test(name) ? name : JSON.stringify(name);

/** The same of a name that is written: one that can't be read, or that a template may replace, stays as it is. */
function canonicalName(written: string): string {
  const { value } = /^["'`]/.test(written) ? readString(written) : { value: written };
  return value === undefined ? written : labelText(value);
}

/** `(a, "b.c")` */
export const labelList = (names: readonly string[]) => `(${names.map(labelText).join(", ")})`;

/** The labels of a grouping in one form and order. */
export const canonicalLabels = ({ parts }: SyntaxNode) =>
  `(${[...new Set(parts.map(({ text }) => canonicalName(text)))].sort().join(", ")})`;

/** The names in a grouping; undefined if one can't be read. */
export function namesIn({ parts }: SyntaxNode): readonly string[] | undefined {
  const names = parts.map(({ text }) => nameWritten(text));
  return names.includes(undefined) ? undefined : (names as string[]);
}

/** `region=~"eu|us"`. A name alone is the metric's. */
export function canonicalMatcher({ parts, text }: SyntaxNode): string {
  const [name = "", op, value = ""] = parts.map((part) => part.text);
  const label = op === undefined ? "__name__" : canonicalName(name);
  const read = readString(op === undefined ? text : value);
  const written = writtenMatcher(label, op ?? "=", read);
  // What a selector can't begin with stands alone, in quotes.
  const [, metric = ""] = /^__name__=(".*[^\w:].*"|"\d.*")$/.exec(written) ?? [];
  return metric === "" ? written : metric;
}

function writtenMatcher(label: string, op: string, read: StringLiteral): string {
  if (!op.endsWith("~") || read.value === undefined) return `${label}${op}${read.text}`;
  // A pattern is always compared with the whole value.
  const pattern = canonicalPattern(read.value, true);
  const plain = onlyMatch(pattern);
  if (plain !== undefined) return `${label}${plainOps[op]}${JSON.stringify(plain)}`;
  // Any value but none.
  if (pattern === ".+") return `${label}${op === "=~" ? "!=" : "="}""`;
  return `${label}${op}${JSON.stringify(pattern)}`;
}

/** How a string is compared instead of a pattern. */
const plainOps: Readonly<Record<string, string>> = { "=~": "=", "!~": "!=" };

/** The matchers of a selector's parts, without that of the metric's name; undefined if a template may change one of them. */
export function matchersIn(parts: readonly SyntaxNode[]): readonly (LabelMatcher & { isNot: boolean })[] | undefined {
  const all = parts.flatMap((part) => (part.name === "LabelMatchers" ? part.parts : []));
  const read = all.flatMap(({ parts: [label, op, quoted] }) => {
    const name = op === undefined ? "__name__" : nameWritten(label?.text ?? "");
    const { value } = readString((quoted ?? label)?.text ?? "");
    if (name === undefined || value === undefined) return [];
    return [
      { name, type: op?.text.endsWith("~") ? "REGEX" : "EXACT", value, isNot: op?.text.startsWith("!") === true },
    ];
  });
  return read.length === all.length ? read.filter(({ name }) => name !== "__name__") : undefined;
}
