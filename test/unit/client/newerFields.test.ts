import { expect, test } from "vitest";
import { carryNewerFields } from "../../../dist/provider/client/newerFields.js";
import { type Json, root } from "../values/shape.js";

const carried = (object: Json, existing: Json) => carryNewerFields(root, object, existing);

/** `x+1 y`: an x with a field that the schema lacks, and a y. */
const some = (text: string) =>
  text.split(" ").map((each) => {
    const [a, more] = each.split("+");
    return more === undefined ? { a } : { a, more: Number(more) };
  });

test.each<[string, Json, Json, Json]>([
  ["at the top", { text: "new" }, { text: "old", more: { x: 1 } }, { text: "new", more: { x: 1 } }],
  ["in an object", { inner: { a: "new" } }, { inner: { a: "old", more: 1 } }, { inner: { a: "new", more: 1 } }],
  ["in an equal item that moved", { items: some("x y") }, { items: some("y+1") }, { items: some("x y+1") }],
  [
    "in an equal item without its zero",
    { items: [{ a: "x", n: 0 }, { a: "y" }] },
    { items: some("x+1") },
    { items: [{ a: "x", n: 0, more: 1 }, { a: "y" }] },
  ],
  ["in a changed item of as long a list", { items: some("new") }, { items: some("old+1") }, { items: some("new+1") }],
  [
    "in the items that stay when another goes",
    { items: some("y") },
    { items: some("x+1 y+2") },
    { items: some("y+2") },
  ],
  [
    "in the only changed item without an order",
    { set: some("x new") },
    { set: some("old+1 x+2") },
    { set: some("x+2 new+1") },
  ],
])("a field that the schema lacks is carried %s", (_, object, existing, sent) => {
  expect(carried(object, existing)).toEqual({ object: sent, lost: [] });
});

test("what the schema knows, timestamps and absent values are not carried", () => {
  const existing = { text: "old", labels: { a: "b" }, created_at: "1", updated_at: "2", more: null };
  expect(carried({}, existing)).toEqual({ object: {}, lost: [] });
});

test.each<[string, Json, Json, readonly string[]]>([
  ["item of a list", { items: some("new") }, { items: some("x+1 y") }, ["items[0]"]],
  ["item of an unordered list", { set: some("new newer") }, { set: some("x+1 y") }, ["set[0]"]],
  // However the service spells that a field that the schema knows is empty.
  ["known field", { items: some("new") }, { inner: { a: null, n: 0 }, items: [{ a: "x" }, { a: null }] }, []],
])("a %s is lost only with a field that belongs nowhere", (_, object, existing, lost) => {
  expect(carried(object, existing).lost).toEqual(lost);
});
