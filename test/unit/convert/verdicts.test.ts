import { describe, expect, test } from "vitest";
import { promqlProblem } from "../../../dist/cli/promql/expression.js";
import { queryProblem } from "../../../service/dist/rules/shapes/promql.js";
import { verdicts } from "../judge/verdicts.js";

/** The reason to reject an expression; undefined if there is none. */
const judges = {
  convert: promqlProblem,
  "the reference service": (text: string) => queryProblem(text, { parsesQueries: true, spend: () => undefined }),
};

describe.each(Object.entries(judges))("as Prometheus's parser, %s", (_, reason) => {
  const { accepted, rejected, newer, rejectedByItsEngine } = verdicts;

  test("accepts what it accepts", () => {
    expect(accepted.length).toBeGreaterThan(900);
    expect(accepted.flatMap((text) => reason(text) ?? [])).toEqual([]);
  });

  test("rejects what it rejects, or what only its engine rejects", () => {
    expect(rejected.length).toBeGreaterThan(300);
    expect([...rejected, ...rejectedByItsEngine].filter((text) => reason(text) === undefined)).toEqual([]);
  });

  test("calls unknown, and not invalid, what it accepts and ours does not", () => {
    for (const text of newer) expect(reason(text), text).toMatch(/unknown to the PromQL that this \w+ reads/);
  });
});

test.each([
  ["max_of(1, 2) * up > 1", "the function max_of is unknown to the PromQL that this version reads"],
  [
    "holt_winters(x[5m], 0.5, 0.5) > 3",
    "the function holt_winters is unknown to the PromQL that this version reads: it is double_exponential_smoothing since Prometheus 3.0",
  ],
  ["a and f(b)", "the function f is unknown"],
  ["a xor b", '"xor" is unknown'],
  ["rate(x[5m] newer)", '"newer" is unknown'],
  ["a >> b", "the operator >> is unknown"],
  ["a && -b", "the operator && is unknown"],
  ["sum(a", "syntax error at the end"],
  ["sum(a))", 'syntax error at ")"'],
  ["a > $threshold", 'syntax error at "$threshold"'],
  ["sum by a (b)", 'syntax error at "a"'],
  ["a > > 5", 'syntax error at ">"'],
  ["a[5m] sum(b)", 'syntax error at "sum(b)"'],
  ["info(x, y)", "the second argument of info must be label matchers alone"],
  ["x fill(0)", 'syntax error at "fill(0)"'],
  ["x[5m:1m:1m]", 'syntax error at "5m:1m:1m]"'],
  ["x\u00a0> 5", "U+00A0 is no blank in PromQL"],
  ["a offset", "syntax error at the end"],
])("%s: %s", (text, reason) => {
  expect(judges.convert(text)).toContain(reason);
});
