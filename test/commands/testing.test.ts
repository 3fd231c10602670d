import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { expectSignals, series, simulate } from "pulumi-observability/testing";
import { ownService } from "../support/service.js";
import { blocksUnder, compile, filesUnder, runTests } from "./pages.js";

const page = "docs/testing.md";
const require = createRequire(import.meta.url);

/** What a program under a heading exports and prints. */
function runUnder(heading: string) {
  const [program = "", printed] = blocksUnder(page, heading).map(({ text }) => text);
  const lines: string[] = [];
  const exported: Record<string, unknown> = {};
  const log = (line: string) => lines.push(`${line}\n`);
  new Function("require", "exports", "console", compile(program))(require, exported, { log });
  return { exported, lines: lines.join(""), printed };
}

test.each(["Simulate a monitor", "What an SLO's alerts mean"])(
  "the program under %s prints what the page shows",
  (heading) => {
    const { lines, printed } = runUnder(heading);
    expect(lines).toBe(printed);
  },
);

test("the picture of a failure is what the page shows", () => {
  const shown = blocksUnder(page, "One monitor").find(({ language }) => language === "text")?.text;
  const { "errors.test.ts": code = "" } = filesUnder(page, "One monitor");
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

test("the page's tests pass in node:test", async () => {
  const files = { ...filesUnder(page, "One monitor"), ...filesUnder(page, "A whole program") };
  expect(Object.keys(files)).toEqual(["errors.test.ts", "alerts.ts", "alerts.test.ts"]);
  expect(await runTests(files)).toMatch(/^# pass 4$/m);
});

test("the test with mocks passes, without a request", async () => {
  const service = await ownService();
  const files = filesUnder(page, "Test a program with mocks");
  expect(Object.keys(files)).toEqual(["alerts.ts", "alerts.test.ts"]);
  expect(await runTests(files, { OBSERVABILITY_BASE_URL: service.url })).toMatch(/^# pass 2$/m);
  expect(service.counters().total).toBe(0);
});

test("the reference service answers", async () => {
  const { exported } = runUnder("With the reference service");
  expect(await exported.found).toEqual({ notifiers: [], page: { next_token: "" } });
});
