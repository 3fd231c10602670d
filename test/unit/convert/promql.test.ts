import { describe, expect, test } from "vitest";
import { eventsPerTime, parsePromql } from "../../../dist/cli/promql/expression.js";

describe("the outermost comparison with a number is the threshold", () => {
  test.each([
    ["a > -5", "a", "GT", -5],
    ["a > - 5", "a", "GT", -5],
    ["-2 ^ 2 < a", "a", "GT", -4],
    ["a > 2 ^ 3 ^ 0", "a", "GT", 2],
    ["a > 1E-3", "a", "GT", 0.001],
    ["a > 010", "a", "GT", 8],
    ["a > 1h30m", "a", "GT", 5_400],
    ["a > 0.5 * 100", "a", "GT", 50],
    ["a > (1 + 2) % 2 - 1 / 4", "a", "GT", 0.75],
    ["(a > bool 5) == 1", "a > bool 5", "EQ", 1],
    ["a + b offset 5m > 3", "a + b offset 5m", "GT", 3],
    ["a @ end() > 3", "a @ end()", "GT", 3],
    ["max_over_time((a > 5)[1h:1m]) > 0", "max_over_time((a > 5)[1h:1m])", "GT", 0],
    ["a # > 3\n> 5 # and b", "a", "GT", 5],
    ['a{x="> 3 and b"} > 5', 'a{x="> 3 and b"}', "GT", 5],
  ])("%s", (text, query, op, value) => {
    expect(parsePromql(text).threshold).toEqual({ query, op, value });
  });
});

describe("an expression has no threshold if its outermost operation is another", () => {
  test.each([
    // The parser's grammar lets `offset` and the like take all that is before them.
    "a and b offset 5m > 3",
    "a unless b @ end() == 0 + 0",
    "a or b and c offset 1h offset 5m > 3",
    "a > on (x) group_left (y) b",
    "a > scalar(b)",
    "a > NaN",
    "a < Inf",
    "a > -Inf",
    "a > 1 / 0",
    "-(a > 5)",
    "(a > 5) offset 5m",
  ])("%s", (text) => {
    const { threshold, text: whole } = parsePromql(text);
    expect([threshold, whole]).toEqual([undefined, text]);
  });
});

test.each([
  ["a", "rate(a[5m])"],
  ['sum by (x) (a{y="1"})', 'sum by (x) (rate(a{y="1"}[5m]))'],
  ["sum(a) + (b)", "sum(rate(a[5m])) + (rate(b[5m]))"],
  ["sum(rate(a[1m]))", "sum(rate(a[1m]))"],
  ["sum(a) - b", "sum(rate(a[5m])) - rate(b[5m])"],
  ["max(a)", undefined],
  ["a / b", undefined],
])("a counter %s is counted as %s", (text, rates) => {
  expect(eventsPerTime(text, "5m")).toBe(rates);
});
