import { describe, expect, test } from "vitest";
import { kindNamed } from "../../../dist/provider/lifecycle/session.js";
import { isEquivalent } from "../../../dist/provider/values/equal.js";
import { keepSpelling } from "../../../dist/provider/values/spelling.js";
import { unknown } from "../../../dist/provider/values/unknown.js";
import { parts, root } from "./shape.js";

// What means the same is drawn by test/property/spellings.ts.
describe("two values do not mean the same", () => {
  test.each<[string, unknown, unknown]>([
    ["an empty object and nothing", { inner: {} }, {}],
    ["zero in an array and none", { numbers: [0] }, { numbers: [] }],
    ["an empty text in a map and none", { labels: { a: "" } }, { labels: {} }],
    ["items in another order", { numbers: [1, 2] }, { numbers: [2, 1] }],
    ["an unordered list with an item more often", { names: ["a", "a", "b"] }, { names: ["a", "b", "b"] }],
    ["an unordered list with another item", { set: parts("x y") }, { set: parts("y z") }],
    ["a number and its text in an unordered list", { names: ["1", "a"] }, { names: ["a", 1] }],
    ["an unordered list with an unknown item", { names: ["a", unknown, "b"] }, { names: ["b", unknown, "a"] }],
    ["an unordered list with an unknown inside", { set: [{ a: unknown }, {}] }, { set: [{}, { a: unknown }] }],
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
  ["keeps its order", { names: ["c", "a", "b"] }, { names: ["a", "b", "c"] }],
  ["has new items in the places that are free", { names: ["c", "d", "a"] }, { names: ["a", "d", "c"] }],
  ["has further items at its end", { names: ["d", "c", "e", "b", "a"] }, { names: ["a", "b", "c", "d", "e"] }],
  ["lacks what was removed", { names: ["c", "a"] }, { names: ["a", "c"] }],
  ["has an unknown item in a free place", { names: ["c", unknown, "a"] }, { names: ["a", unknown, "c"] }],
  ["has a changed item in the place of the one that is most like it", { set: parts("y x2") }, { set: parts("x2 y0") }],
])("an unordered list %s", (_, desired, kept) => {
  const before = { names: ["a", "b", "c"], set: parts("x1 y0") };
  expect(keepSpelling(root, desired, before)).toEqual(kept);
});

test("what means the same keeps its old spelling, part by part, and only that", () => {
  const before = { text: "", count: 1, window: "1d", inner: { a: "x" }, items: [{ a: "x", n: 0 }, { a: "y" }] };
  const desired = { count: 2, window: "24h", inner: { a: "x", n: 0 }, items: [{ a: "x" }, { a: "z" }], labels: {} };
  const kept = keepSpelling(root, desired, before);
  expect(kept).toEqual({ text: "", count: 2, window: "1d", inner: { a: "x" }, items: [{ a: "x", n: 0 }, { a: "z" }] });
  expect(keepSpelling(root, desired, kept)).toEqual(kept);
});

// A service may reject it beside what has changed, such as a second way to log in.
test("settings without values are not kept beside a change if the program leaves them out, and not dropped if it has them", () => {
  const { root: notifier } = kindNamed("Notifier");
  const webhook = (httpConfig: object) => ({ webhook: { url: "https://hook.example.com", httpConfig } });
  const [bearer, empty] = [webhook({ bearerToken: "b" }), webhook({ basicAuth: {} })];
  expect(keepSpelling(notifier, bearer, empty)).toEqual(bearer);
  expect(keepSpelling(notifier, empty, bearer)).toEqual(empty);
  expect(keepSpelling(notifier, webhook({}), empty)).toBe(empty);
});
