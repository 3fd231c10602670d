import { expect, test } from "vitest";
import { valuesOf } from "../../../dist/testing/notation.js";

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
])("%j is refused at character %i", (notation, position) => {
  expect(() => valuesOf(notation)).toThrow(new RegExp(`^series at character ${position}: `));
  const [, shown = "", mark = ""] = messageOf(() => valuesOf(notation)).split("\n");
  expect(shown.trim()).toBe(notation);
  expect(mark.length - 2).toBe(position);
});

test("a count that is a slip is refused", () => {
  expect(() => valuesOf("0 5x10000000000")).toThrow("series at character 3: it repeats 10000000000 times");
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String((error as Error).message);
  }
  throw new Error("it did not throw");
}
