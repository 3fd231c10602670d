import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalPromql } from "../../dist/cli/promql/canonical.js";
import { resultSeries } from "../../dist/cli/promql/resultSeries.js";
import { runs } from "../support/figures.js";
import { answerTo, type Expression, expressions, keyOf, parse, print, type World, worlds } from "./promql.js";

/** What an expression says, with samples in any order; nothing if the query fails. */
function said(of: Expression, world: World): unknown {
  const found = answerTo(of, world);
  return typeof found === "object" ? found.map(({ labels, value }) => [keyOf(labels), value]).sort() : found;
}

/** The same expression with parentheses around every part that may have them. */
function grouped(of: Expression): Expression {
  const group = (each: Expression): Expression => ({ is: "group", of: grouped(each) });
  if (of.is === "binary") return { ...of, gap: "  # left\n", left: group(of.left), right: group(of.right) };
  return "of" in of && of.of !== undefined ? { ...of, of: group(of.of) } : of;
}

test("a canonical text says what the expression says, and is its own canonical text", () => {
  const property = fc.property(expressions, fc.array(worlds, { minLength: 4, maxLength: 4 }), (expression, some) => {
    const text = canonicalPromql(print(expression));
    expect(canonicalPromql(text)).toBe(text);
    const read = parse(text);
    for (const world of some) expect(said(read, world)).toEqual(said(expression, world));
  });
  fc.assert(property, { numRuns: runs(3, 10) });
});

test("parentheses, comments and blanks that change nothing are in no canonical text", () => {
  // A subquery of a part in parentheses keeps one pair.
  const property = fc.property(expressions, (expression) => {
    expect(canonicalPromql(print(grouped(expression)))).toBe(canonicalPromql(print(expression)));
  });
  fc.assert(property, { numRuns: runs(3, 10) });
});

test("the labels of a result are among those that are known, and meet what is known of them", () => {
  const property = fc.property(expressions, fc.array(worlds, { minLength: 4, maxLength: 4 }), (expression, some) => {
    const { labels, matchers } = resultSeries(print(expression));
    fc.pre(labels !== undefined || matchers.length > 0);
    for (const world of some) {
      const found = answerTo(expression, world);
      for (const { labels: each } of typeof found === "object" ? found : []) {
        expect(labels ?? Object.keys(each)).toEqual(expect.arrayContaining(Object.keys(each)));
        for (const { value = "" } of matchers) expect(each.x ?? "").toMatch(new RegExp(`^(?:${value})$`));
      }
    }
  });
  fc.assert(property, { numRuns: runs(3, 10) });
});
