import { describe, expect, test } from "vitest";
import { filledIn, objectAsWritten, threeWay } from "../../../dist/provider/values/drift.js";
import { object, shape } from "../../../dist/provider/schema/field.js";
import { isMask, type Json, parts, root } from "./shape.js";

/** What a refresh shows: written as `sent`, answered with `answered`, now found as `live`. */
const seen = (sent: Json, answered: Json, live: Json) =>
  threeWay(
    root,
    { recorded: sent, written: objectAsWritten(sent, filledIn(root, sent, answered, isMask)), actual: live },
    isMask,
  );

const receiver = object(root.shape, undefined, { format: "settings" });
const withSecret = object(shape("Outer", "", { receiver }));

describe("what a refresh shows", () => {
  test.each<[string, Json, Json]>([
    ["an unordered list in another order, with fields filled in", { set: parts("x y") }, { set: parts("y2 x1") }],
    ["something left out", { text: "a", inner: { a: "b" } }, { text: "a" }],
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
    ["a changed default of the service", {}, { count: 90 }, { answered: { count: 60 } }],
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
    ["a removed key called constructor", { labels: { constructor: "x" } }, {}, { shown: { labels: {} } }],
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
    expect(
      threeWay(withSecret, { recorded: {}, written: {}, actual: { receiver: { secret: "t", text: "a" } } }, isMask),
    ).toEqual({
      receiver: { text: "a" },
    });
  });

  test.each<[Json, boolean]>([
    [{ url: "https://a" }, true],
    [{ url: "https://a", secret: "s" }, true],
    [{ secret: "s" }, false],
  ])("of settings that were removed all but what a service may hide: %j", (settings, isSeen) => {
    const recorded = { receiver: settings };
    expect(threeWay(withSecret, { recorded, written: recorded, actual: {} }, isMask)).toEqual(isSeen ? {} : recorded);
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
