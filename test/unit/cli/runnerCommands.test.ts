import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonText, withoutRunnerCommands } from "../../../dist/cli/output/runnerCommands.js";

/** What GitHub's, Azure's and TeamCity's runners execute. */
const isExecuted = (printed: string) =>
  printed.split(/[\r\n]/).some((line) => line.trimStart().startsWith("::") || /##\[|##\w+\[/.test(line));

const hostile = fc
  .array(fc.constantFrom("::", ":", "#", "##", "##[", "vso[", "error", "[", "x", " ", "\t", "\u00a0", "\r", "\n"))
  .map((parts) => parts.join(""));

test("a runner finds no command in what is printed, wherever it is cut", () => {
  fc.assert(
    fc.property(fc.array(hostile), (chunks) => {
      let printed = "";
      for (const chunk of chunks) {
        const isLineStart = /(?:^|[\r\n])[^\S\r\n]*$/.test(printed);
        printed += withoutRunnerCommands(chunk, isLineStart);
      }
      expect(isExecuted(printed)).toBe(false);
      expect(printed.replaceAll("\u200b", "")).toBe(chunks.join(""));
    }),
  );
});

test("JSON has the same value, without a command", () => {
  fc.assert(
    fc.property(hostile, (value) => {
      const text = jsonText({ value });
      expect(isExecuted(text)).toBe(false);
      expect(JSON.parse(text)).toEqual({ value });
    }),
  );
});
