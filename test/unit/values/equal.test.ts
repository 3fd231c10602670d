import { describe, expect, test } from "vitest";
import { isEquivalent } from "../../../dist/provider/values/equal.js";
import { keepSpelling } from "../../../dist/provider/values/spelling.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { boolean, list, map, number, object, shape, string } from "../../../dist/provider/schema/field.js";

const inner = shape("Inner", "", { a: string(""), n: number("") });
const root = object(
  shape("Root", "", {
    text: string(""),
    count: number(""),
    flag: boolean(""),
    labels: map(""),
    inner: object(inner),
    items: list(object(inner), ""),
    numbers: list(number(""), ""),
    set: list(string(""), "", { unordered: true }),
    parts: list(
      object(shape("Part", "", { a: string(""), n: number(""), set: list(number(""), "", { unordered: true }) })),
      "",
      { unordered: true },
    ),
    window: string("", { format: "duration" }),
  }),
);

// What means the same is drawn by test/property/spellings.ts.
describe("two values do not mean the same", () => {
  test.each<[string, unknown, unknown]>([
    ["an empty object and nothing", { inner: {} }, {}],
    ["zero in an array and none", { numbers: [0] }, { numbers: [] }],
    ["an empty text in a map and none", { labels: { a: "" } }, { labels: {} }],
    ["items in another order", { numbers: [1, 2] }, { numbers: [2, 1] }],
    ["an unordered list with an item more often", { set: ["a", "a", "b"] }, { set: ["a", "b", "b"] }],
    ["an unordered list with another item", { parts: [{ a: "x" }, { a: "y" }] }, { parts: [{ a: "y" }, { a: "z" }] }],
    ["a number and its text in an unordered list", { set: ["1", "a"] }, { set: ["a", 1] }],
    ["an unordered list with an unknown item", { set: ["a", unknown, "b"] }, { set: ["b", unknown, "a"] }],
    ["an unordered list with an unknown inside", { parts: [{ a: unknown }, {}] }, { parts: [{}, { a: unknown }] }],
    ["durations of other lengths", { window: "1d" }, { window: "25h" }],
    ["a duration and what is none", { window: "0m" }, { window: "0 m" }],
    ["a duration and nothing", { window: "0m" }, {}],
    ["texts that only look like durations", { text: "1d" }, { text: "24h" }],
    ["durations too long to count", { window: "99999999999999999d" }, { window: "99999999999999998d" }],
    ["an unknown value and itself", { text: unknown }, { text: unknown }],
    ["an unknown item and itself", { numbers: [unknown] }, { numbers: [unknown] }],
  ])("%s", (_, a, b) => {
    expect(isEquivalent(root, a, b)).toBe(false);
    expect(isEquivalent(root, b, a)).toBe(false);
  });
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["keeps its order", { set: ["c", "a", "b"] }, { set: ["a", "b", "c"] }],
  ["has new items in the places that are free", { set: ["c", "d", "a"] }, { set: ["a", "d", "c"] }],
  ["has further items at its end", { set: ["d", "c", "e", "b", "a"] }, { set: ["a", "b", "c", "d", "e"] }],
  ["lacks what was removed", { set: ["c", "a"] }, { set: ["a", "c"] }],
  ["has an unknown item in a free place", { set: ["c", unknown, "a"] }, { set: ["a", unknown, "c"] }],
  [
    "has a changed item in the place of the one that is most like it",
    { parts: [{ a: "y" }, { a: "x", n: 2 }] },
    {
      parts: [
        { a: "x", n: 2 },
        { a: "y", n: 0 },
      ],
    },
  ],
])("an unordered list %s", (_, desired, kept) => {
  const before = {
    set: ["a", "b", "c"],
    parts: [
      { a: "x", n: 1 },
      { a: "y", n: 0 },
    ],
  };
  expect(keepSpelling(root, desired, before)).toEqual(kept);
});

test("what means the same keeps its old spelling, part by part, and only that", () => {
  const before = { text: "", count: 1, window: "1d", inner: { a: "x" }, items: [{ a: "x", n: 0 }, { a: "y" }] };
  const desired = { count: 2, window: "24h", inner: { a: "x", n: 0 }, items: [{ a: "x" }, { a: "z" }], labels: {} };
  const kept = keepSpelling(root, desired, before);
  expect(kept).toEqual({ text: "", count: 2, window: "1d", inner: { a: "x" }, items: [{ a: "x", n: 0 }, { a: "z" }] });
  expect(keepSpelling(root, desired, kept)).toEqual(kept);
});
