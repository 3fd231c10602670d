import type { LabelMatcher } from "../../sdk/types.gen";
import { canonicalPattern, onlyMatch } from "./pattern";
import { valueOfString } from "./literals";
import { matchersOf, type SyntaxNode } from "./tree";

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

/** The matchers of a selector, without that of the metric's name; undefined if a template may change one of them. */
export function matchersIn(selector: SyntaxNode): readonly (LabelMatcher & { isNot: boolean })[] | undefined {
  const all = matchersOf(selector);
  const read = all.flatMap(({ name, op, quoted }) => {
    const { value } = readString(quoted);
    if (name === undefined || value === undefined) return [];
    return [{ name, type: op.endsWith("~") ? "REGEX" : "EXACT", value, isNot: op.startsWith("!") }];
  });
  return read.length === all.length ? read.filter(({ name }) => name !== "__name__") : undefined;
}
