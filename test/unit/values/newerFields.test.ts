import { expect, test } from "vitest";
import { carryNewerFields } from "../../../dist/provider/values/newerFields.js";
import { type Json, root } from "./shape.js";

const carried = (object: Json, existing: Json) => carryNewerFields(root, object, existing);

test.each<[string, Json, Json, Json]>([
  ["at the top", { text: "new" }, { text: "old", more: { x: 1 } }, { text: "new", more: { x: 1 } }],
  ["in an object", { inner: { a: "new" } }, { inner: { a: "old", more: 1 } }, { inner: { a: "new", more: 1 } }],
  [
    "in an equal item that moved",
    { items: [{ a: "x" }, { a: "y" }] },
    { items: [{ a: "y", more: 1 }] },
    { items: [{ a: "x" }, { a: "y", more: 1 }] },
  ],
  [
    "in an equal item without its zero",
    { items: [{ a: "x", n: 0 }, { a: "y" }] },
    { items: [{ a: "x", more: 1 }] },
    { items: [{ a: "x", n: 0, more: 1 }, { a: "y" }] },
  ],
  [
    "in a changed item of a list as long as before",
    { items: [{ a: "new" }] },
    { items: [{ a: "old", more: 1 }] },
    { items: [{ a: "new", more: 1 }] },
  ],
  [
    "in the items that stay when another one goes",
    { items: [{ a: "y" }] },
    {
      items: [
        { a: "x", more: 1 },
        { a: "y", more: 2 },
      ],
    },
    { items: [{ a: "y", more: 2 }] },
  ],
  [
    "in the only changed item of an unordered list",
    { set: [{ a: "x" }, { a: "new" }] },
    {
      set: [
        { a: "old", more: 1 },
        { a: "x", more: 2 },
      ],
    },
    {
      set: [
        { a: "x", more: 2 },
        { a: "new", more: 1 },
      ],
    },
  ],
])("a field that the schema lacks is carried %s", (_, object, existing, sent) => {
  expect(carried(object, existing)).toEqual({ object: sent, lost: [] });
});

test("what the schema knows, timestamps and absent values are not carried", () => {
  const existing = { text: "old", labels: { a: "b" }, created_at: "1", updated_at: "2", more: null };
  expect(carried({}, existing)).toEqual({ object: {}, lost: [] });
});

test.each<[string, Json, Json, readonly string[]]>([
  ["item of a list", { items: [{ a: "new" }] }, { items: [{ a: "x", more: 1 }, { a: "y" }] }, ["items[0]"]],
  [
    "item of an unordered list",
    { set: [{ a: "new" }, { a: "newer" }] },
    { set: [{ a: "x", more: 1 }, { a: "y" }] },
    ["set[0]"],
  ],
  // However the service spells that a field that the schema knows is empty.
  ["known field", { items: [{ a: "new" }] }, { inner: { a: null, n: 0 }, items: [{ a: "x" }, { a: null }] }, []],
])("a %s is lost only with a field that belongs nowhere", (_, object, existing, lost) => {
  expect(carried(object, existing).lost).toEqual(lost);
});
