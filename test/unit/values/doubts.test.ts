import { expect, test } from "vitest";
import { list, map, number, object, shape, string } from "../../../dist/provider/schema/field.js";
import { doubtsIn } from "../../../dist/provider/values/doubts.js";
import { outputTexts } from "../../../dist/provider/values/outputTexts.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const size = string("", { suggestions: ["SIZE_ONE_MINUTE", "SIZE_FIVE_MINUTES"] });
const root = object(
  shape("Root", "", {
    type: string("", { suggestions: ["LOGS", "TRACES"] }),
    op: string("", { suggestions: ["GT", "GEQ", "NEQ"] }),
    severity: string("", { suggestions: ["critical", "warn"] }),
    free: string(""),
    labels: map(""),
    parts: list(object(shape("Part", "", { size })), ""),
    sizes: list(size, ""),
    objective: number("", { unit: "percent, above 0 and below 100" }),
    share: number("", { unit: "percent of the license, 0–100" }),
    secs: number("", { unit: "seconds" }),
    plain: number(""),
  }),
);
const end = ", add it to the setting knownValues";
const types = "is none of LOGS, TRACES";
const sizes = "is none of SIZE_ONE_MINUTE, SIZE_FIVE_MINUTES";
const ops = "is none of GT, GEQ, NEQ";

test.each([
  [{ type: "TRACE" }, `type: "TRACE" ${types}: did you mean "TRACES"? If not`],
  [{ type: "logs" }, `type: "logs" ${types}: did you mean "LOGS"? If not`],
  [{ type: "METRICS" }, `type: "METRICS" ${types}: if it is meant`],
  [{ op: "gt" }, `op: "gt" ${ops}: did you mean "GT"? If not`],
  [{ op: ">" }, `op: ">" ${ops}: did you mean "GT"? If not`],
  [{ op: "GTE" }, `op: "GTE" ${ops}: did you mean "GEQ"? If not`],
  [{ op: "GT " }, `op: "GT " ${ops}: did you mean "GT"? If not`],
  [{ op: "greater than" }, `op: "greater than" ${ops}: did you mean "GT"? If not`],
  [{ op: "!=" }, `op: "!=" ${ops}: did you mean "NEQ"? If not`],
  [{ op: "constructor" }, `op: "constructor" ${ops}: if it is meant`],
  [{ parts: [{ size: "five" }] }, `parts[0].size: "five" ${sizes}: did you mean "SIZE_FIVE_MINUTES"? If not`],
  [{ parts: [{ size: "size" }] }, `parts[0].size: "size" ${sizes}: if it is meant`],
  [{ severity: "crit" }, 'severity: "crit" is none of critical, warn: did you mean "critical"? If not'],
  [
    { parts: [{}, { size: "SIZE-ONE-MINUTE" }], sizes: ["SIZE-ONE-MINUTE"] },
    `parts[1].size, sizes[0]: "SIZE-ONE-MINUTE" ${sizes}: did you mean "SIZE_ONE_MINUTE"? If not`,
  ],
  [{ objective: 0.999 }, "objective: 0.999 is less than 1 percent: did you mean 99.9? If not"],
  [{ objective: 0.02 }, "objective: 0.02 is less than 1 percent: did you mean 2? If not"],
  [{ secs: 120_000 }, "secs: 120000 seconds are 33.3 hours: did you mean 120? If not"],
  [{ secs: 60_000 }, "secs: 60000 seconds are 16.7 hours: did you mean 60? If not"],
  [{ secs: 86_400_000 }, "secs: 86400000 seconds are 24000 hours: did you mean 86400? If not"],
])("a value that is likely a slip is told once, with what is meant: %o", (args, text) => {
  expect(doubtsIn(root, args).map(({ places, why }) => `${places}: ${why}`)).toEqual([text + end]);
});

test.each([
  { type: "LOGS", op: "GEQ", severity: "warn" },
  { type: unknown, op: "" },
  { free: "TRACE", labels: { type: "TRACE" } },
  { type: 5, parts: "TRACE", sizes: [null] },
  { objective: 99.9, share: 0.5, plain: 60_000 },
  ...[0, 45, 1_000, 3_600, 36_000, 86_400, 432_000, 604_800].map((secs) => ({ secs })),
])("a known value, an unknown one, a round time and one of another type are not reported: %o", (args) => {
  expect(doubtsIn(root, args)).toEqual([]);
});

test("a doubtful value is not reported if it is secret, by itself or with what it is in, or is a known value", () => {
  const args = { type: "TRACE", parts: [{ size: "SIZE-ONE-MINUTE" }], op: "gt", objective: 0.5 };
  const undoubted = { secrets: [["type"], ["parts"]], knownValues: ["0.5"] };
  expect(doubtsIn(root, args, undoubted)).toEqual([expect.objectContaining({ places: "op" })]);
});

const sdkText = "Calling [toString] on an [Output<T>] is not supported.";

test.each([
  [{ labels: { notifier: sdkText } }, "labels.notifier: holds the SDK's words"],
  [{ parts: [{ size: `a ${sdkText} b` }] }, "parts[0].size: holds the SDK's words"],
  [{ labels: { [sdkText]: "a" } }, "labels: holds the SDK's words"],
  [{ free: sdkText.replace("toString", "toJSON") }, "free: holds the SDK's words"],
])("the SDK's words in place of an output are refused with their place: %o", (args, text) => {
  expect(outputTexts(args, [])).toEqual([expect.stringContaining(text)]);
});

test("the SDK's words are accepted if they are a known value", () => {
  expect(outputTexts({ free: sdkText, labels: { [sdkText]: "a" } }, [sdkText])).toEqual([]);
});
