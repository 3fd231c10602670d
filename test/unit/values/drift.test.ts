import { describe, expect, test } from "vitest";
import { filledIn, settled, threeWay } from "../../../dist/provider/values/drift.js";
import { object, shape } from "../../../dist/provider/schema/field.js";
import { isMask, type Json, parts, root } from "./shape.js";

/** What a refresh shows: written as `sent`, answered with `answered`, now found as `live`. */
const seen = (sent: Json, answered: Json, live: Json) =>
  threeWay(
    root,
    { recorded: sent, written: settled(sent, filledIn(root, sent, answered, isMask)), actual: live },
    isMask,
  );

describe("what a refresh shows", () => {
  test.each<[string, Json, Json]>([
    ["a filled-in scalar", { text: "a" }, { text: "a", count: 60 }],
    ["a filled-in scalar in place of a zero", { count: 0 }, { count: 60 }],
    ["a filled-in map key", { labels: { a: "b" } }, { labels: { a: "b", "c/d~e": "f" } }],
    ["a filled-in map", {}, { labels: { a: "b" } }],
    ["a filled-in object", {}, { inner: { a: "b" } }],
    ["a filled-in field of an array's item", { items: [{ a: "x" }] }, { items: [{ a: "x", n: 3 }] }],
    ["a filled-in array", {}, { words: ["a"] }],
    ["an unordered list in another order", { set: parts("x y") }, { set: parts("y x") }],
    ["an unordered list in another order, with fields filled in", { set: parts("x y") }, { set: parts("y2 x1") }],
    ["a duration in other units", { window: "1w" }, { window: "168h" }],
    ["something left out", { text: "a", inner: { a: "b" } }, { text: "a" }],
    ["empties left out", { words: [], labels: {}, count: 0 }, {}],
    ["a masked secret", { secret: "s" }, { secret: "**REDACTED**" }],
    ["a secret left out", { secret: "s" }, {}],
    ["a secret masked in part", { secret: "s" }, { secret: "****9999" }],
    ["masked items of a list", { tokens: ["s", "t"] }, { tokens: ["***", "***"] }],
    ["masked values of a map", { headers: { a: "s", b: "t" } }, { headers: { a: "***", b: "t" } }],
    ["values of a secret map in another form", { headers: { a: "s", b: "t" } }, { headers: { a: "S", b: "t" } }],
    ["a secret URL normalized by the service", { url: "https://a" }, { url: "https://a/" }],
    ["a key called constructor left out", { labels: { constructor: "x", a: "b" } }, { labels: { a: "b" } }],
    ["a text normalized by the service", { text: "A " }, { text: "a" }],
  ])("nothing of %s", (_, sent, answered) => {
    expect(seen(sent, answered, answered)).toEqual(sent);
    expect(Object.keys(filledIn(root, sent, sent, isMask))).toEqual([]);
  });

  // Written as the second, found as the third. Answered as the second and shown as the third, unless a row has others.
  test.each<[string, Json, Json, { readonly answered?: Json; readonly shown?: Json }?]>([
    ["a changed value", { text: "a" }, { text: "b" }],
    ["a value set that was absent", {}, { text: "b" }],
    ["a value taken away", { text: "a" }, {}],
    ["a changed default of the service", {}, { count: 90 }, { answered: { count: 60 } }],
    ["an added key", { labels: { a: "b" } }, { labels: { a: "b", c: "d" } }],
    ["a removed key", { labels: { a: "b", c: "d" } }, { labels: { c: "d" } }],
    ["an emptied map", { labels: { a: "b" } }, {}, { shown: { labels: {} } }],
    ["an added object", {}, { inner: { a: "b" } }],
    ["a removed object", { inner: { a: "b" } }, {}],
    [
      "a changed item, and nothing of what was filled in",
      { items: parts("x y") },
      { items: parts("x1 z1") },
      { answered: { items: parts("x1 y1") }, shown: { items: parts("x z") } },
    ],
    ["an added item", { words: ["a"] }, { words: ["a", "b"] }],
    [
      "an added item, and nothing of what was filled in beside it",
      { items: parts("x") },
      { items: parts("x1 y2") },
      { answered: { items: parts("x1") }, shown: { items: parts("x y2") } },
    ],
    [
      "a changed item of an unordered list that the service reorders and fills in",
      { set: parts("x y") },
      { set: parts("x1 z2") },
      { answered: { set: parts("y2 x1") }, shown: { set: parts("x z") } },
    ],
    [
      "an item less in an unordered list, and nothing of its new order",
      { set: parts("x y z") },
      { set: parts("z x") },
      { shown: { set: parts("x z") } },
    ],
    [
      "an item more in an unordered list, and nothing of its new order",
      { set: parts("x y") },
      { set: parts("w y x") },
      { shown: { set: parts("x y w") } },
    ],
    ["a changed duration", { window: "1w" }, { window: "192h" }, { answered: { window: "168h" } }],
    ["a removed key called constructor", { labels: { constructor: "x" } }, {}, { shown: { labels: {} } }],
    ["an emptied array", { words: ["a"] }, { words: [] }],
    ["a plain secret that is another one", { secret: "s" }, { secret: "t" }, { answered: { secret: "***" } }],
    [
      "another secret in a list",
      { tokens: ["s", "t"] },
      { tokens: ["s", "u"] },
      { answered: { tokens: ["***", "***"] } },
    ],
    [
      "a secret less in a map",
      { headers: { a: "s", b: "t" } },
      { headers: { b: "***" } },
      { shown: { headers: { b: "t" } } },
    ],
    ["a secret URL that was emptied", { url: "https://a" }, {}],
  ])("%s", (_, sent, live, { answered = sent, shown = live } = {}) => {
    expect(seen(sent, answered, live)).toEqual(shown);
  });

  test("never a secret if none is managed, nor one in what was added", () => {
    expect(seen({}, {}, { secret: "t", text: "a" })).toEqual({ text: "a" });
    expect(seen({}, {}, { tokens: ["t"], headers: { a: "t" }, text: "a" })).toEqual({ text: "a" });
    const [before, after] = [
      { tokens: ["s"], headers: { a: "s" } },
      { tokens: ["s", "t"], headers: { a: "s", b: "t" } },
    ];
    expect(seen(before, before, after)).toEqual(before);
    const withSecret = object(shape("Outer", "", { receiver: root }));
    expect(
      threeWay(withSecret, { recorded: {}, written: {}, actual: { receiver: { secret: "t", text: "a" } } }, isMask),
    ).toEqual({
      receiver: { text: "a" },
    });
  });

  test.each(["**REDACTED**", "***", "********", "hidden", "", undefined])("no mask: %s", (mask) => {
    expect(seen({ secret: "s" }, { secret: mask }, { secret: mask })).toEqual({ secret: "s" });
  });
});

test("what the service filled in is recorded without secrets", () => {
  const sent = { secret: "s", tokens: ["s"], headers: { a: "s" } };
  const answered = { secret: "t", url: "https://u", inner: { a: "b" }, tokens: ["t"], headers: { a: "t", b: "t" } };
  const digest = { sha256: expect.any(String) };
  const filled = filledIn(root, sent, answered, isMask);
  expect(filled).toMatchObject({ "/inner": { a: "b" }, "/secret": digest, "/tokens/0": digest, "/headers/b": digest });
  expect(JSON.stringify([filled, filledIn(root, {}, answered, isMask)])).not.toMatch(/"t"|https/);
});
