import { describe, expect, test } from "vitest";
import { monitor } from "../../../dist/provider/kinds/monitor.js";
import { fromWire, fromWirePath } from "../../../dist/provider/wire/codec.js";

describe("an answer", () => {
  test("is read without nulls and without what the schema does not know", () => {
    expect(
      fromWire(monitor.root, {
        name: "a",
        labels: null,
        schedule: { timezone: null },
        signal_grouping: { label_names: ["x", null] },
        invented_later: 1,
      }),
    ).toEqual({
      name: "a",
      schedule: {},
      signalGrouping: { labelNames: ["x"] },
    });
  });

  test.each<[string, unknown, string]>([
    ["an array for a map", { labels: ["a"] }, "labels is an array; the API spec has an object"],
    ["a text for an object", { schedule: "x" }, "schedule is a string; the API spec has an object"],
  ])("with %s is refused by place", (_, wire, message) => {
    expect(() => fromWire(monitor.root, wire)).toThrow(message);
  });
});

test.each([
  ["labels.snake_key", "labels.snake_key"],
  ['labels["a.b"]', 'labels["a.b"]'],
  ['labels[""]', 'labels[""]'],
  ['labels["say \\"x\\" [0]"]', 'labels["say \\"x\\" [0]"]'],
  ["made_up.path", "made_up.path"],
  ["series_conditions.overrides[].label_matchers", "seriesConditions.overrides.labelMatchers"],
  ["series_conditions.overrides[*].label_matchers", 'seriesConditions.overrides["*"].labelMatchers'],
  ["", ""],
])("the wire path %s is %s in a program", (wire, program) => {
  expect(fromWirePath(monitor.root, wire)).toBe(program);
});
