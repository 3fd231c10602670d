import { expect, test } from "vitest";
import { valuesOf } from "../../../dist/sdk/testing/notation.js";

const none = undefined;

// The first five are the examples of Prometheus's own page on unit tests.
test.each<[string, (number | undefined)[]]>([
  ["-2+4x3", [-2, 2, 6, 10]],
  ["1-2x4", [1, -1, -3, -5, -7]],
  ["1x4", [1, 1, 1, 1, 1]],
  ["1 _x3", [1, none, none, none]],
  ["stale", [none]],
  ["0 0 5x2 _ 1+1x2", [0, 0, 5, 5, 5, none, 1, 2, 3]],
  ["1.5e2 -.5 +3 NaN Inf -Inf", [150, -0.5, 3, NaN, Infinity, -Infinity]],
  ["INF -iNf nan", [Infinity, -Infinity, NaN]],
  ["Inf+1x1 NaN-1x1", [Infinity, Infinity, NaN, NaN]],
  // An octal number, two that only look like one, and digits in groups.
  ["010 -010 018 010.5 1_000 1_0.2_5 1_0e0_1", [8, -8, 18, 10.5, 1000, 10.25, 100]],
  // Steps are added up one by one.
  ["0+0.1x3", [0, 0.1, 0.2, 0.30000000000000004]],
  ["1+010x1", [1, 9]],
  ["1x010", Array(11).fill(1)],
  ["_x0 1", [1]],
  ["  1   2  ", [1, 2]],
  ["", []],
])("%j are the values %j", (notation, values) => {
  expect(valuesOf(notation)).toEqual(values);
});

test.each([
  ["0 0 5x1o", 5],
  ["1,2", 1],
  ["1 2 x", 5],
  ["5x", 1],
  ["_x", 1],
  ["1 --2", 3],
  ["0 stalex3", 3],
  ["STALE", 1],
  ["1 Infx3", 3],
  ["1+Infx3", 1],
  ["1__0", 1],
  ["1_", 1],
  ["5x1_0", 1],
  ["0x1F", 1],
  ["1 1e400", 3],
  ["0 5x10000000000", 3],
])("%j is rejected at character %i, which the message marks", (notation, position) => {
  const rejected = () => valuesOf(notation);
  expect(rejected).toThrow(new RegExp(`^series at character ${position}: `));
  expect(rejected).toThrow(`\n  ${notation}\n  ${" ".repeat(position - 1)}^`);
});
