import { describe, expect, test } from "vitest";
import { describeDifferences as inWords, differences, isAsWritten } from "../../../dist/provider/values/differences.js";
import { formatPath, type Path } from "../../../dist/provider/schema/walk.js";
import { isMask, type Json, parts, root } from "./shape.js";

const between = (desired: Json, live: Json) => differences(root, desired, live, isMask);
const words = (desired: Json, live: Json, secrets?: readonly Path[]) =>
  inWords(root, between(desired, live), (text) => text.replaceAll("pass-word", "[secret]"), secrets);

describe("an existing object is identical", () => {
  test.each<[string, Json, Json]>([
    ["in another spelling of nothing", { text: "", labels: {}, words: [] }, {}],
    ["with what the schema says that the service fills in", {}, { count: 60, words: ["a", "b"] }],
    ["with the same in place of a zero", { count: 0, words: [] }, { count: 60, words: ["a", "b"] }],
    ["with an unordered list in another order", { set: parts("x y") }, { set: parts("y x") }],
    ["with a duration in other units", { window: "1w" }, { window: "168h" }],
    ["with no secret if none is declared", {}, { secret: "" }],
  ])("%s", (_, desired, live) => {
    expect(between(desired, live)).toEqual([]);
  });
});

describe("an existing object differs, and the adoption names how", () => {
  test.each<[string, Json, Json, string]>([
    ["in a value", { text: "a" }, { text: "b" }, 'changes: text "b" → "a"'],
    ["in a value that it lacks", { text: "a" }, {}, 'changes: text (not set) → "a"'],
    ["in a field that the program leaves out", {}, { text: "b" }, 'erases: text "b"'],
    ["in a default that was changed by hand", {}, { count: 90 }, "erases: count 90"],
    ["in a whole object", {}, { inner: { a: "x" } }, 'erases: inner {"a":"x"}'],
    ["in an empty object", {}, { inner: {} }, "erases: inner {}"],
    ["in a key of a map", { labels: { a: "b" } }, { labels: { a: "b", c: "d" } }, 'erases: labels.c "d"'],
    ["in a map that the program leaves out", {}, { labels: { c: "d" } }, 'erases: labels.c "d"'],
    ["in a field of an item", { items: [{ a: "x" }] }, { items: [{ a: "x", n: 2 }] }, "erases: items[0].n 2"],
    ["in a list of another length", { words: ["a"] }, { words: [] }, 'changes: words [] → ["a"]'],
    [
      "in one item of an unordered list in another order",
      { set: parts("x y1") },
      { set: parts("y2 x") },
      "changes: set[1].n 2 → 1",
    ],
    ["in a duration", { window: "1w" }, { window: "167h" }, 'changes: window "167h" → "1w"'],
    ["in a secret that it shows", { url: "https://a" }, { url: "https://b" }, "changes: url [secret] → [secret]"],
    ["in a secret of a list", { tokens: ["a"] }, { tokens: ["b"] }, "changes: tokens[0] [secret] → [secret]"],
    [
      "in a secret of a map",
      { headers: { a: "s" } },
      { headers: { b: "t" } },
      "changes: headers.a (not set) → [secret]; erases: headers.b [secret]",
    ],
    [
      "perhaps in a masked secret of a list",
      { tokens: ["a"] },
      { tokens: ["***"] },
      "sets: tokens[0], which the service does not show",
    ],
    [
      "perhaps in a masked secret of a map",
      { headers: { a: "s" } },
      { headers: { a: "***" } },
      "sets: headers.a, which the service does not show",
    ],
    ["in a list of secrets of another length", { tokens: ["a"] }, {}, "changes: tokens (not set) → []"],
    ["in a secret that nobody declares", {}, { secret: "***" }, "erases: secret [secret]"],
    ["perhaps in a masked secret", { secret: "s" }, { secret: "***" }, "sets: secret, which the service does not show"],
    ["perhaps in a secret that it never shows", { secret: "s" }, {}, "sets: secret, which the service does not show"],
  ])("%s", (_, desired, live, says) => {
    expect(words(desired, live)).toBe(says);
  });

  test.each<[string, readonly Path[], Json, Json, string]>([
    ["itself", [["text"]], { text: "a" }, { text: "b" }, "changes: text [secret] → [secret]"],
    [
      "and around it, without the keys of a map",
      [["labels"]],
      { labels: { a: "b" } },
      { labels: { c: "d" } },
      "changes: labels (not set) → [secret]; erases: labels [secret]",
    ],
    ["and in it", [["inner", "a"]], {}, { inner: { a: "x" } }, "erases: inner [secret]"],
    [
      "and in any item of its list",
      [["items", 0, "a"]],
      { items: [{ a: "x" }, { n: 1 }] },
      { items: parts("x y1") },
      "erases: items[1].a [secret]",
    ],
    [
      "and nowhere else",
      [["labels", "a"]],
      { labels: { b: "c" } },
      { labels: { b: "d" } },
      'changes: labels.b "d" → "c"',
    ],
  ])("in a place that the program marks as secret, %s", (_, secrets, desired, live, says) => {
    expect(words(desired, live, secrets)).toBe(says);
  });

  test("of long texts what differs is told, and no half of a secret", () => {
    const query = (secret: string, span: string) => `${"x".repeat(50)}, ${secret}, rate(http_errors_total[${span}])`;
    expect(words({ text: query("pass-word", "1m") }, { text: query("pass-word", "5m") })).toBe(
      'changes: text "…e(http_errors_total[5m])" → "…e(http_errors_total[1m])"',
    );
    expect(words({ text: "a pass-word" }, { text: "a [secret]" })).toBe("changes: text [secret] → [secret]");
    const long = (end: string) => ({ text: `${"x".repeat(60)}pass-word${end}${"y".repeat(99)}` });
    expect(words(long("a"), long("b"))).toMatch(
      /^changes: text "…x{12}\[secret\]by{38}…" → "…x{12}\[secret\]ay{38}…"$/,
    );
  });

  test("of many differences the first are told, and how many more there are", () => {
    const live = { labels: Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`l${i}`, "x".repeat(100)])) };
    expect(words({}, live)).toMatch(/^erases: labels\.l0 "x{60}…", .*labels\.l19 "x{60}…"; and 10 more$/);
  });
});

test("an object is what was written if the service only added to what was left out, and hid secrets", () => {
  const desired = { text: "a", labels: { a: "b" }, items: [{ a: "x" }], secret: "s" };
  const same = { ...desired, count: 90, secret: "***", items: [{ a: "x", n: 2 }] };
  expect(isAsWritten(between(desired, same))).toBe(true);
  for (const other of [{ text: "b" }, { labels: { a: "b", c: "d" } }, { items: [{ a: "y" }] }, { secret: "another" }]) {
    const found = between(desired, { ...same, ...other });
    expect(isAsWritten(found), found.map(({ path }) => formatPath(path)).join()).toBe(false);
  }
});
