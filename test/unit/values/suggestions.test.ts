import { expect, test } from "vitest";
import { unusualValues } from "../../../dist/provider/values/suggestions.js";
import { list, map, object, shape, string } from "../../../dist/provider/schema/field.js";

const size = string("", { suggestions: ["SIZE_ONE_MINUTE", "SIZE_FIVE_MINUTES"] });
const root = object(
  shape("Root", "", {
    type: string("", { suggestions: ["LOGS", "TRACES"] }),
    op: string("", { suggestions: ["GT", "LT"] }),
    free: string(""),
    labels: map(""),
    parts: list(object(shape("Part", "", { size })), ""),
    sizes: list(size, ""),
  }),
);
const told = (path: string, value: string, near: string) =>
  `${path} "${value}" is not a known value: did you mean "${near}"?`;

test.each([
  [{ type: "TRACE" }, told("type", "TRACE", "TRACES")],
  [{ type: "logs" }, told("type", "logs", "LOGS")],
  [{ op: "gt" }, told("op", "gt", "GT")],
  [{ parts: [{}, { size: "SIZE-ONE-MINUTE" }] }, told("parts[1].size", "SIZE-ONE-MINUTE", "SIZE_ONE_MINUTE")],
  [{ sizes: ["SIZE_FIVE_MINUETS"] }, told("sizes[0]", "SIZE_FIVE_MINUETS", "SIZE_FIVE_MINUTES")],
])("a value that is almost one of those seen in practice is told with it: %o", (args, text) => {
  expect(unusualValues(root, args)).toEqual([text]);
});

test.each([
  { type: "LOGS", op: "LT" },
  { type: "METRICS", op: "NE", sizes: ["SIZE_TEN_MINUTES"] },
  { free: "TRACE", labels: { type: "TRACE" } },
  { type: 5, parts: "TRACE", sizes: [null] },
  { type: "" },
])("a known value, a wholly new one and one of another type are not: %o", (args) => {
  expect(unusualValues(root, args)).toEqual([]);
});

test("nor is one that the program marks as secret, by itself or with what it is in", () => {
  const args = { type: "TRACE", parts: [{ size: "SIZE-ONE-MINUTE" }], op: "gt" };
  expect(unusualValues(root, args, [["type"], ["parts"]])).toEqual([told("op", "gt", "GT")]);
});
