import type { SyntaxNode } from "@lezer/common";
import { partsOf } from "../../promql/tree";

/** What a selector says about one label. */
export interface Matcher {
  readonly name: string;
  readonly op: "=" | "!=" | "=~" | "!~";
  readonly value: string;
}

/** A selector of a query: the metric is a matcher of `__name__`. */
export function matchersOf(selector: SyntaxNode, text: string): readonly Matcher[] | undefined {
  const found: Matcher[] = [];
  const words = ({ from, to }: SyntaxNode) => text.slice(from, to);
  for (const part of partsOf(selector)) {
    if (part.name === "Identifier") found.push({ name: "__name__", op: "=", value: words(part) });
    for (const matcher of part.name === "LabelMatchers" ? partsOf(part) : []) {
      const [name, op, value] = partsOf(matcher);
      if (name === undefined || op === undefined || value === undefined) return undefined; // A quoted metric name.
      const [label, wanted] = [unquoted(words(name)), unquoted(words(value))];
      if (label === undefined || wanted === undefined) return undefined;
      found.push({ name: label, op: words(op) as Matcher["op"], value: wanted }); // as the grammar has it
    }
  }
  return found;
}

/** The text of a PromQL literal; undefined if it has escapes that JSON does not know. */
function unquoted(written: string): string | undefined {
  if (!/^["'`]/.test(written)) return written;
  const inner = written.slice(1, -1);
  if (written.startsWith("`") || !/[\\"]/.test(inner)) return inner;
  try {
    return JSON.parse(`"${inner.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`) as string;
  } catch {
    return undefined;
  }
}

/** Whether labels match; undefined if a pattern is none that JavaScript knows. */
export function matches(labels: Readonly<Record<string, string>>, matchers: readonly Matcher[]): boolean | undefined {
  let all = true;
  for (const { name, op, value } of matchers) {
    const found = labels[name] ?? "";
    const pattern = op.endsWith("~") ? patternOf(value) : undefined;
    if (op.endsWith("~") && pattern === undefined) return undefined;
    all &&= (pattern?.test(found) ?? found === value) === !op.startsWith("!");
  }
  return all;
}

function patternOf(value: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${value})$`, "su");
  } catch {
    return undefined;
  }
}

/** Values to try for a pattern, before its own alternatives. */
const usual = ["x", "5", "500", "5xx", "200", "GET", "/"];

/** Labels that all matchers take; `wanted` stay as they are. Undefined if none are found. */
export function labelsFor(
  matchers: readonly Matcher[],
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const labels: Record<string, string> = { ...wanted };
  for (const { name, op, value } of matchers) if (op === "=") labels[name] = value;
  for (const { name, op, value } of matchers) {
    if (op === "=") continue;
    const own = matchers.filter((each) => each.name === name);
    const tried = ["", labels[name] ?? "", ...usual, ...(op === "=~" ? value.split("|") : [])];
    const fits = tried.find((each) => matches({ [name]: each }, own) === true);
    if (fits === undefined) return undefined;
    if (fits !== "") labels[name] = fits;
  }
  const isTaken = matches(labels, matchers) === true && labels.__name__ !== undefined;
  return isTaken && Object.entries(wanted).every(([name, value]) => labels[name] === value) ? labels : undefined;
}
