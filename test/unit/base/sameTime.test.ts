import { expect, test } from "vitest";
import { isExact, isSameTime } from "../../../dist/provider/base/sameTime.js";

test.each([
  ["2026-01-01T00:00:07.123Z", "2026-01-01T00:00:07.123Z", true],
  ["2026-01-01T00:00:07.123Z", "2026-01-01T00:00:07.124Z", false],
  // Other zones, more digits than JavaScript has, cut off and rounded.
  ["2026-01-01T00:00:07.123Z", "2026-01-01T01:00:07.123+01:00", true],
  ["2026-01-01T00:00:07.123456Z", "2026-01-01T00:00:07.123Z", true],
  ["2026-01-01T00:00:07.123612Z", "2026-01-01T00:00:07.124Z", true],
  ["2026-01-01T00:00:07.123612Z", "2026-01-01T00:00:07.125Z", false],
  ["2026-01-01T00:00:07.623Z", "2026-01-01T00:00:07Z", true],
  ["2026-01-01T00:00:07.623Z", "2026-01-01T00:00:08Z", true],
  ["2026-01-01T00:00:07.623Z", "2026-01-01T00:00:09Z", false],
  ["2026-01-01T00:00:07Z", "2026-01-01T00:00:08Z", true],
  ["2026-01-01T00:00:07Z", "2026-01-01T00:00:09Z", false],
  [1_767_225_607, "1767225607", true],
  [1_767_225_607, 1_767_225_608, true],
  [1_767_225_607, 1_767_225_609, false],
  [1_767_225_607_123, "2026-01-01T00:00:07.124Z", false],
  [undefined, "2026-01-01T00:00:07Z", undefined],
  ["0001-01-01T00:00:00Z", "2026-01-01T00:00:07Z", undefined],
  ["soon", "2026-01-01T00:00:07Z", undefined],
])("%s and %s: %s", (one, other, expected) => {
  expect(isSameTime(one, other)).toBe(expected);
  expect(isSameTime(other, one)).toBe(expected);
});

test("only a time with milliseconds is exact", () => {
  expect(
    ["2026-01-01T00:00:07.123456Z", "2026-01-01T00:00:07Z", "2026-01-01T00:00:07.1Z", undefined].map(isExact),
  ).toEqual([true, false, false, false]);
});
