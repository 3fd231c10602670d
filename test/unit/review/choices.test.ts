import { describe, expect, test } from "vitest";
import { screenOf } from "../../../dist/cli/output/output.js";
import { changeText } from "../../../dist/cli/consequences/values.js";
import { riskFilters, isWanted, type Risk } from "../../../dist/cli/consequences/risk.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

describe("--fail-on", () => {
  const risk = (both: string): Risk => {
    const [riskClass, direction] = both.split(":") as [Risk["class"], Risk["direction"]]; // typed by hand below
    return { stack: "s", kind: "Monitor", name: "x", class: riskClass, direction, sentence: "" };
  };

  test.each([
    ["schedule", ["schedule:alerts-less", "schedule:unclear"], ["threshold:alerts-less"]],
    ["unclear", ["schedule:unclear", "threshold:unclear"], ["schedule:alerts-less", "threshold:alerts-more"]],
    ["alerts-less", ["threshold:alerts-less", "schedule:alerts-less"], ["threshold:unclear", "schedule:alerts-more"]],
    ["override:alerts-less", ["override:alerts-less"], ["override:unclear", "schedule:alerts-less"]],
  ])("%s selects the risks of this class and direction", (text, wanted, others) => {
    expect(riskFilters).toContain(text);
    expect(wanted.filter((each) => !isWanted(risk(each), [text]))).toEqual([]);
    expect(others.filter((each) => isWanted(risk(each), [text]))).toEqual([]);
  });
});

test.each([
  ["a terminal", true, 200, {}, 200],
  ["a narrow terminal", true, 20, {}, 40],
  ["a pipe", false, undefined, {}, 80],
  ["a pipe of a known width", false, undefined, { COLUMNS: "132" }, 132],
  ["a terminal that is said to be narrower", true, 200, { COLUMNS: "100" }, 100],
  ["a width that is none", false, undefined, { COLUMNS: "wide" }, 80],
])("the text is as wide as %s", (_, isTTY, columns = 0, environment, width) => {
  expect(screenOf({ isTTY, columns, hasColors: () => isTTY }, environment)).toEqual({ isColored: isTTY, width });
});

describe("two sides of a change", () => {
  const start = "sum(rate(http_requests_total{service=".repeat(3);

  test.each([
    ["end", `${start}a`, `${start}b`],
    ["length", start, `${start}${start}`],
    ["middle", `${start}a${start}`, `${start}b${start}`],
    ["start", `a${start}`, `b${start}`],
    ["items", [{ id: start }, 1], [{ id: start }, 2]],
  ])("that differ at their %s never read alike", (_, before, after) => {
    const [from, to] = changeText(before, after).split(" → ");
    expect(from).not.toBe(to);
    for (const side of [from, to]) expect([...(side ?? "")].length).toBeLessThanOrEqual(62);
  });

  test("that are short are shown whole", () => {
    expect(changeText("a", "b")).toBe('"a" → "b"');
    expect(changeText({ a: 1 }, undefined)).toBe('{"a":1} → (not set)');
  });

  test("show no placeholder of the engine", () => {
    expect(changeText("a", unknown)).toBe('"a" → known only after the update');
    for (const hidden of [undefined, "[secret]", unknown, ["a"]])
      expect(changeText(hidden, unknown).replace("changed (secret)", "known only after the update")).toBe(
        "known only after the update",
      );
    expect(changeText(undefined, { a: [unknown] })).toBe('(not set) → {"a":["(known only after the update)"]}');
  });
});
