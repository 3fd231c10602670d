import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalPromql } from "../../dist/cli/promql/canonical.js";
import { reportFigure, runs } from "../support/figures.js";
import {
  Ambiguous,
  evaluate,
  type Expression,
  expressions,
  keyOf,
  parse,
  print,
  type World,
  worlds,
} from "./promql.js";

/** What an expression says, with samples in any order; nothing if the query fails. */
function said(of: Expression, world: World): unknown {
  try {
    const found = evaluate(of, world);
    return typeof found === "number" ? found : found.map(({ labels, value }) => [keyOf(labels), value]).sort();
  } catch (error) {
    if (error instanceof Ambiguous) return undefined;
    throw error;
  }
}

/** The same expression with parentheses around every part that may have them. */
function grouped(of: Expression): Expression {
  const group = (each: Expression): Expression => ({ is: "group", of: grouped(each) });
  if (of.is === "binary") return { ...of, gap: "  # left\n", left: group(of.left), right: group(of.right) };
  return "of" in of && of.of !== undefined ? { ...of, of: group(of.of) } : of;
}

/** One text says the same in every world, and is its own canonical text. */
const keepsItsMeaning = (canonical: (text: string) => string) =>
  fc.property(expressions, fc.array(worlds, { minLength: 4, maxLength: 4 }), (expression, some) => {
    const text = canonical(print(expression));
    expect(canonical(text)).toBe(text);
    const read = parse(text);
    for (const world of some) expect(said(read, world)).toEqual(said(expression, world));
  });

test("a canonical text says what the expression says, and is its own canonical text", () => {
  fc.assert(keepsItsMeaning(canonicalPromql), { numRuns: runs(10) });
});

test("parentheses, comments and blanks that change nothing are in no canonical text", () => {
  // A subquery of a part in parentheses keeps one pair.
  const property = fc.property(expressions, (expression) => {
    expect(canonicalPromql(print(grouped(expression)))).toBe(canonicalPromql(print(expression)));
  });
  fc.assert(property, { numRuns: runs(10) });
});

test.each<[string, (text: string) => string]>([
  ["all parentheses taken away", (text) => canonicalPromql(text).replace(/(?<![a-z] ?)\(([^()]*)\)/g, "$1")],
  ["bool taken away", (text) => canonicalPromql(text).replaceAll(" bool", "")],
])("a text with %s is found out", (_, canonical) => {
  const { failed, counterexample } = fc.check(keepsItsMeaning(canonical), { seed: 20_260, numRuns: 2_000 });
  expect(failed).toBe(true);
  reportFigure(`found out by: ${counterexample === null ? "" : print(counterexample[0]).replaceAll("\n", " ")}`);
});
