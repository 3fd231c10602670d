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
const types = "Known values: LOGS, TRACES";
const sizes = "Known values: SIZE_ONE_MINUTE, SIZE_FIVE_MINUTES";
const ops = "Known values: GT, GEQ, NEQ";

test.each([
  [{ type: "TRACE" }, `type: unknown value "TRACE". Did you mean "TRACES"? ${types}. To allow "TRACE"`],
  [{ type: "METRICS" }, `type: unknown value "METRICS". ${types}. To allow "METRICS"`],
  [{ op: "gt" }, `op: unknown value "gt". Did you mean "GT"? ${ops}. To allow "gt"`],
  [{ op: ">" }, `op: unknown value ">". Did you mean "GT"? ${ops}. To allow ">"`],
  [{ op: "GTE" }, `op: unknown value "GTE". Did you mean "GEQ"? ${ops}. To allow "GTE"`],
  [{ op: "GT " }, `op: unknown value "GT ". Did you mean "GT"? ${ops}. To allow "GT "`],
  [{ op: "greater than" }, `op: unknown value "greater than". Did you mean "GT"? ${ops}. To allow "greater than"`],
  [{ op: "!=" }, `op: unknown value "!=". Did you mean "NEQ"? ${ops}. To allow "!="`],
  [{ op: "constructor" }, `op: unknown value "constructor". ${ops}. To allow "constructor"`],
  [
    { parts: [{ size: "five" }] },
    `parts[0].size: unknown value "five". Did you mean "SIZE_FIVE_MINUTES"? ${sizes}. To allow "five"`,
  ],
  [{ parts: [{ size: "size" }] }, `parts[0].size: unknown value "size". ${sizes}. To allow "size"`],
  [
    { severity: "crit" },
    'severity: unknown value "crit". Did you mean "critical"? Known values: critical, warn. To allow "crit"',
  ],
  [
    { parts: [{}, { size: "SIZE-ONE-MINUTE" }], sizes: ["SIZE-ONE-MINUTE"] },
    `parts[1].size, sizes[0]: unknown value "SIZE-ONE-MINUTE". Did you mean "SIZE_ONE_MINUTE"? ${sizes}. To allow "SIZE-ONE-MINUTE"`,
  ],
  [{ objective: 0.999 }, "objective: 0.999 is less than 1 percent. Did you mean 99.9? To allow 0.999"],
  [{ secs: 120_000 }, "secs: 120000 seconds are 33.3 hours. Did you mean 120? To allow 120000"],
  [{ secs: 86_400_000 }, "secs: 86400000 seconds are 24000 hours. Did you mean 86400? To allow 86400000"],
])("a value that is likely a mistake is reported once, with a suggestion: %o", (args, text) => {
  expect(doubtsIn(root, args).map(({ places, why }) => `${places}: ${why}`)).toEqual([
    `${text}, add it to observability:knownValues`,
  ]);
});

test.each([
  { type: "LOGS", op: "GEQ", severity: "warn" },
  { type: unknown, op: "" },
  { severity: "{{ .Labels.severity }}" },
  { free: "TRACE", labels: { type: "TRACE" } },
  { type: 5, parts: "TRACE", sizes: [null] },
  { objective: 99.9, share: 0.5, plain: 60_000 },
  ...[0, 45, 1_000, 3_600, 36_000, 86_400, 144_000, 432_000, 604_800].map((secs) => ({ secs })),
])("a known value, an unknown one, a round time and one of another type are not reported: %o", (args) => {
  expect(doubtsIn(root, args)).toEqual([]);
});

test("a doubtful value is not reported if it is secret, by itself or with what it is in, or is a known value", () => {
  const args = { type: "TRACE", parts: [{ size: "SIZE-ONE-MINUTE" }], op: "gt", objective: 0.5 };
  const undoubted = { marks: [["type"], ["parts"]], knownValues: ["0.5"] };
  expect(doubtsIn(root, args, undoubted)).toEqual([expect.objectContaining({ places: "op" })]);
});

const sdkText = "Calling [toString] on an [Output<T>] is not supported.";

test.each([
  [{ labels: { notifier: sdkText } }, "labels.notifier: contains the SDK's text"],
  [{ parts: [{ size: `a ${sdkText} b` }] }, "parts[0].size: contains the SDK's text"],
  [{ labels: { [sdkText]: "a" } }, "labels: contains the SDK's text"],
  [{ free: sdkText.replace("toString", "toJSON") }, "free: contains the SDK's text"],
  [{ free: "a Calling __str__ on an Output[T] is not supported.\n" }, "in Python: pulumi.Output.format"],
])("the SDK's words in place of an output are refused with their place: %o", (args, text) => {
  expect(outputTexts(args, [])).toEqual([expect.stringContaining(text)]);
});

test("the SDK's words are accepted if they are a known value", () => {
  expect(outputTexts({ free: sdkText, labels: { [sdkText]: "a" } }, [sdkText])).toEqual([]);
});
