import { symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectSignals, series, simulate } from "pulumi-observability/testing";
import { root, run } from "../install/manifest.js";
import { ownFolder } from "../support/folders.js";
import { blocksIn, blocksUnder, compile, compiled, filesUnder } from "./pages.js";

const [behavior, testing] = ["docs/behavior.md", "docs/testing.md"];
const require = createRequire(import.meta.url);

/** What a program under a heading exports and prints. */
function runUnder(page: string, heading: string) {
  const [program = "", printed] = blocksUnder(page, heading).map(({ text }) => text);
  const lines: string[] = [];
  const exported: Record<string, unknown> = {};
  const log = (line: string) => lines.push(`${line}\n`);
  new Function("require", "exports", "console", compile(program))(require, exported, { log });
  return { exported, lines: lines.join(""), printed };
}

test("every part of the pages with code has a test", () => {
  const headings = [behavior, testing].flatMap((page) => blocksIn(page).map(({ heading }) => heading));
  expect([...new Set(headings)]).toEqual([
    "Simulate a monitor",
    "What an SLO's alerts mean",
    "Schedules", // Compiles, with all programs of all pages.
    "Run the tests",
    "One monitor",
    "A whole program",
    "With the reference service",
  ]);
});

test.each(["Simulate a monitor", "What an SLO's alerts mean"])(
  "the program under %s prints what the page shows",
  (heading) => {
    const { lines, printed } = runUnder(behavior, heading);
    expect(lines).toBe(printed);
  },
);

test("the picture of a failure is what the page shows", () => {
  const shown = blocksIn(testing).find(({ language }) => language === "text")?.text;
  const { "errors.test.ts": code = "" } = filesUnder(testing, "One monitor");
  const [, notation = ""] = /\{ region: "eu" \}, "(.*)"\)/.exec(code) ?? [];
  const [, other = ""] = /\{ region: "us" \}, "(.*)"\)/.exec(code) ?? [];
  const conditions = [{ op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 }];
  const simulation = simulate(
    { signalGrouping: { labelNames: ["region"] }, seriesConditions: { defaults: { critical: { conditions } } } },
    [series({ region: "eu" }, notation), series({ region: "us" }, other)],
  );
  const failing = () => expectSignals(simulation).critical({ region: "eu" }).toFireAt("3m");
  expect(failing).toThrow(expect.objectContaining({ name: "ExpectationError", message: shown }));
});

test("the pages' tests pass in node:test", async () => {
  const files = { ...filesUnder(testing, "One monitor"), ...filesUnder(testing, "A whole program") };
  expect(Object.keys(files)).toEqual(["errors.test.ts", "alerts.ts", "alerts.test.ts"]);
  const folder = ownFolder(compiled(files));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const tests = ["errors.test.js", "alerts.test.js"];
  expect(await run(folder, ["node", "--test", "--test-reporter=tap", ...tests])).toMatch(/^# pass 4$/m);
});

test("the reference service answers", async () => {
  const { exported } = runUnder(testing, "With the reference service");
  expect(await exported.found).toEqual({ notifiers: [], page: { next_token: "" } });
});
