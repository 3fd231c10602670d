import { describe, expect, test } from "vitest";
import { keepSpelling, sameMeaning } from "../../../dist/provider/values/equal.js";
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
  }),
);

describe("two values mean the same", () => {
  test.each<[string, unknown, unknown]>([
    ["a zero and nothing", { text: "", count: 0, flag: false }, {}],
    ["an empty array or map and nothing", { labels: {}, items: [] }, {}],
    ["keys in another order", { text: "a", count: 1 }, { count: 1, text: "a" }],
    ["a zero in an array's item", { items: [{ a: "x", n: 0 }] }, { items: [{ a: "x" }] }],
  ])("%s", (_, a, b) => {
    expect(sameMeaning(root, a, b)).toBe(true);
    expect(sameMeaning(root, b, a)).toBe(true);
  });

  test.each<[string, unknown, unknown]>([
    ["an empty object and nothing", { inner: {} }, {}],
    ["zero in an array and none", { numbers: [0] }, { numbers: [] }],
    ["an empty text in a map and none", { labels: { a: "" } }, { labels: {} }],
    ["items in another order", { numbers: [1, 2] }, { numbers: [2, 1] }],
    ["an unknown value and itself", { text: unknown }, { text: unknown }],
    ["an unknown map value and itself", { labels: { a: unknown } }, { labels: { a: unknown } }],
    ["an unknown item and itself", { numbers: [unknown] }, { numbers: [unknown] }],
  ])("but not %s", (_, a, b) => {
    expect(sameMeaning(root, a, b)).toBe(false);
    expect(sameMeaning(root, b, a)).toBe(false);
  });
});

test("what means the same keeps its old spelling, part by part, and only that", () => {
  const before = { text: "", count: 1, inner: { a: "x" }, items: [{ a: "x", n: 0 }, { a: "y" }] };
  const wanted = { count: 2, inner: { a: "x", n: 0 }, items: [{ a: "x" }, { a: "z" }], labels: {} };
  const kept = keepSpelling(root, wanted, before);
  expect(kept).toEqual({ text: "", count: 2, inner: { a: "x" }, items: [{ a: "x", n: 0 }, { a: "z" }] });
  expect(keepSpelling(root, wanted, kept)).toEqual(kept);
});
