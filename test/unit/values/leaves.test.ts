import { expect, test } from "vitest";
import { leaves } from "../../../dist/provider/values/leaves.js";
import { list, map, number, object, shape, string } from "../../../dist/provider/schema/field.js";
import { formatPath } from "../../../dist/provider/schema/walk.js";

const part = shape("Part", "", { size: number(""), words: list(string(""), "") });
const root = object(
  shape("Root", "", { text: string(""), labels: map(""), part: object(part), parts: list(object(part), "") }),
);

test("every scalar that a value has is found once, at its place; wrong types and what is absent are not", () => {
  const value = { text: "", labels: { a: "b" }, part: undefined, parts: [{ size: 0 }, null, { words: ["a", "b"] }] };
  expect(leaves(root, value).map(({ path, field, value: found }) => [formatPath(path), field.type, found])).toEqual([
    ["text", "string", ""],
    ["labels.a", "string", "b"],
    ["parts[0].size", "number", 0],
    ["parts[2].words[0]", "string", "a"],
    ["parts[2].words[1]", "string", "b"],
  ]);
  expect(leaves(root, { part: "text", parts: { size: 1 } })).toEqual([]);
});
