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

/** The value of a text in quotes; undefined if it has rarer escapes. */
export function valueOfString(written: string): string | undefined {
  const inner = written.slice(1, -1);
  if (written.startsWith("`")) return inner;
  if (inner.replace(escapes, "").includes("\\")) return undefined;
  return inner.replace(escapes, (_, plain: string | undefined, byte: string, code = byte) =>
    plain === undefined ? String.fromCharCode(Number.parseInt(code, 16)) : (controls[plain] ?? plain),
  );
}

const controls: Readonly<Record<string, string>> = { n: "\n", t: "\t" };
// Not the bytes above 7f, which are only parts of a letter, nor halves of one, which Prometheus rejects.
const escapes = /\\(?:([\\"'nt])|x([0-7][\da-fA-F])|u((?![dD][89a-fA-F])[\da-fA-F]{4}))/g;

/** A label's name, without quotes if it needs none. */
export function labelName(written: string): string {
  if (!/^["'`]/.test(written)) return written;
  const { text, value = "" } = readString(written);
  return /^[A-Za-z_]\w*$/.test(value) ? value : text;
}

/** `region=~"eu|us"`. A name alone, which is the metric's, stays in its quotes. */
export function canonicalMatcher({ parts, text }: SyntaxNode): string {
  const [name, op, value] = parts.map((part) => part.text);
  if (name === undefined || op === undefined || value === undefined) return readString(text).text;
  const read = readString(value);
  if (!op.endsWith("~") || read.value === undefined) return `${labelName(name)}${op}${read.text}`;
  // A pattern is always compared with the whole value.
  const pattern = canonicalPattern(read.value, true);
  const plain = onlyMatch(pattern);
  if (plain !== undefined) return `${labelName(name)}${plainOps[op]}${JSON.stringify(plain)}`;
  // Any value but none.
  if (pattern === ".+") return `${labelName(name)}${op === "=~" ? "!=" : "="}""`;
  return `${labelName(name)}${op}${JSON.stringify(pattern)}`;
}

/** How a string is compared instead of a pattern. */
const plainOps: Readonly<Record<string, string>> = { "=~": "=", "!~": "!=" };

/** The matchers of a selector's parts, without that of the metric's name; undefined if a template may change one of them. */
export function matchersIn(parts: readonly SyntaxNode[]): readonly (LabelMatcher & { isNot: boolean })[] | undefined {
  const all = parts.flatMap((part) => (part.name === "LabelMatchers" ? part.parts : []));
  const read = all.flatMap(({ parts: [label, op, quoted] }) => {
    const { value } = readString(quoted?.text ?? "");
    if (label === undefined || op === undefined || value === undefined) return [];
    const [name, type] = [labelName(label.text), op.text.endsWith("~") ? "REGEX" : "EXACT"];
    return name === "__name__" ? [] : [{ name, type, value, isNot: op.text.startsWith("!") }];
  });
  return read.length === all.length ? read : undefined;
}
