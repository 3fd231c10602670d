import { wholeMatch } from "../../sdk/behavior/overrides";
import { readString } from "./labels";
import { outsideQuotes } from "./literals";
import { matchersOf, nodeOf, PromqlError, readOrError, type SyntaxNode } from "./tree";

/** A selector's requirements for a metric's name, such as `["=", "up"]`. An empty list accepts every name. */
export type NameMatchers = readonly (readonly [op: string, value: string])[];

/**
 * The matchers of the metric's name in each selector of an expression; or why they can't be determined.
 * @param isAbsence Whether to return only those in `absent`, which has a value for want of data.
 */
export function metricsRead(written: string, isAbsence = false): readonly NameMatchers[] | string {
  const text = withoutVariables(written);
  const found = readOrError(() =>
    selectorsIn(nodeOf(text)).flatMap(([node, isAbsent]) => (isAbsent || !isAbsence ? [nameMatchers(node)] : [])),
  );
  if (found instanceof PromqlError) return found.message;
  const problem = found.find((each) => typeof each === "string");
  return problem ?? [...new Map(found.map((each) => [JSON.stringify(each), each as NameMatchers])).values()];
}

/** The selectors in a node, and whether each is in `absent`. */
function selectorsIn(node: SyntaxNode, isIn = false): readonly (readonly [selector: SyntaxNode, isAbsent: boolean])[] {
  if (node.name === "VectorSelector") return [[node, isIn]];
  const isAbsent = node.name === "FunctionCall" && /^absent(?:_over_time)?$/.test(node.parts[0]?.text ?? "");
  return node.parts.flatMap((part) => selectorsIn(part, isIn || isAbsent));
}

/**
 * The selectors without which an expression has no series, and whether it may also have none because of their values:
 * if it compares, has `and` or `unless`, or asks for an absence.
 */
export function selectorsOf(expression: string) {
  const node = nodeOf(expression);
  const all = selectorsIn(node);
  const selects = ({ name, parts }: SyntaxNode): boolean =>
    (name === "BinaryExpr" && selecting.includes(parts[1]?.name ?? "") && parts[2]?.name !== "BoolModifier") ||
    parts.some(selects);
  return {
    selectors: [...new Set(all.flatMap(([{ text }, isAbsent]) => (isAbsent ? [] : [text])))],
    isSelective: selects(node) || all.some(([, isAbsent]) => isAbsent),
  };
}

const selecting = ["Eql", "Neq", "Lte", "Lss", "Gte", "Gtr", "And", "Unless"];

/** The label of a matcher that stands for a variable. */
const variable = "__variable__";

/** The text with a matcher for each `$variable` between the matchers of a selector. The parser rejects it elsewhere. */
function withoutVariables(text: string): string {
  let depth = 0;
  return text.replace(outsideQuotes(String.raw`[{}]|\$\w+`), (found) => {
    depth += found === "{" ? 1 : found === "}" ? -1 : 0;
    return found.startsWith("$") && depth > 0 ? `${variable}=""` : found;
  });
}

function nameMatchers(selector: SyntaxNode): NameMatchers | string {
  const found = selector.parts.flatMap(({ name, text }): NameMatchers => (name === "Identifier" ? [["=", text]] : []));
  let hasVariable = false;
  for (const { node, name, op, quoted } of matchersOf(selector)) {
    hasVariable ||= name === variable;
    if (name !== undefined && name !== "__name__") continue;
    const { value } = readString(quoted);
    if (name === undefined || value === undefined || (op.endsWith("~") && wholeMatch(value) === undefined))
      return `unable to read ${node.text}`;
    found.push([op, value]);
  }
  return hasVariable && found.length === 0 ? "a variable may choose the metric" : found;
}

/** Returns a test for whether a selector with these matchers reads a metric. */
export function readerOf(matchers: NameMatchers): (name: string) => boolean {
  const tests = matchers.map(([op, value]) => {
    const pattern = op.endsWith("~") ? wholeMatch(value) : undefined;
    return (name: string) => (pattern?.test(name) ?? name === value) !== op.startsWith("!");
  });
  return (name) => tests.every((isMet) => isMet(name));
}

/** The name that the matchers require; undefined if several may meet them. */
export function exactName([first, ...others]: NameMatchers): string | undefined {
  const [op, name] = first ?? [];
  return op === "=" && others.length === 0 ? name : undefined;
}
