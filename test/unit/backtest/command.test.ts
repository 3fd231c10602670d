import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, onTestFinished, test, vi } from "vitest";
import { backtestOptions } from "../../../dist/cli/commands/backtest/options.js";
import { exportOptions } from "../../../dist/cli/commands/export/options.js";
import { ownFolder } from "../../support/folders.js";
import { answerJson, prometheusAnswer, queryApi } from "../../support/queryApi.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const day = 86_400;
const urnOf = (name: string) => `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/observability:Monitor::${name}`;
const above = (value: number, more: object = {}) => ({
  labelQuery: "errors",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value }] } } },
  ...more,
});
const november = ["--since", "2026-11-01", "--until", "2026-11-11"];
const step = (op: string, name: string, before?: object, after?: object) => ({
  op,
  urn: urnOf(name),
  ...(before && { oldState: { inputs: { slug: name, ...before } } }),
  ...(after && { newState: { inputs: { slug: name, ...after } } }),
});
const previews = {
  one: { steps: [step("create", "error", undefined, above(1))] },
  same: { steps: [step("same", "error", above(1), above(1))] },
  dotted: { steps: [step("create", "error", undefined, { dottedQuery: "up" })] },
  failed: { diagnostics: [{ urn: urnOf("error"), severity: "error", message: "error: no query" }] },
  many: {
    steps: [
      step("update", "changed", above(5), above(1)),
      step("create", "new", undefined, above(1)),
      step("delete", "old", above(1)),
      step("same", "same", above(3), above(3)),
      // A replacement comes in three steps.
      step("create-replacement", "moved", above(1), above(1)),
      step("replace", "moved", above(5), above(1, { labelQuery: "other" })),
      step("delete-replaced", "moved", above(5)),
      step("create", "broken", undefined, above(1, { labelQuery: "refused" })),
      step("create", "variable", undefined, above(1, { labelQuery: 'errors{a="$b"} > $c' })),
      step("create", "open", undefined, above(1, { intervalSecs: unknown })),
    ],
  },
};
const folder = ownFolder({
  ...Object.fromEntries(Object.entries(previews).map(([name, preview]) => [`${name}.json`, JSON.stringify(preview)])),
  "empty/.keep": "",
  "taken/monitors.rules.yml": "groups: []",
});

/** Runs a command in this process. */
async function run(command: Command, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let [stdout, stderr] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((stdout += String(text))));
  vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((stderr += String(text))));
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    process.exitCode = undefined;
  });
  const words = args.map((arg) => arg.replace("@", `${folder}/`));
  const failure = await command
    .exitOverride()
    .parseAsync(words, { from: "user" })
    .then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
  const code = process.exitCode;
  process.exitCode = undefined;
  return { code, failure, stdout, stderr };
}

const one = ["--from", "@one.json"];
const nowhere = [...one, "--query-url", "http://127.0.0.1:1"];
test.each([
  [["--days", "0"], /whole number from 1/],
  [["--night", "22-7"], /must look like 22:00-07:00/],
  [["--timezone", "Berlin"], /IANA name such as Europe\/Berlin/],
  [["--timezone", "+01:00"], /IANA name such as Europe\/Berlin/],
  [["--since", "yesterday"], /must look like 2026-11-01/],
  [["--fail-on", "pages"], /Limits look like pages\+50%/],
  [["--from", "x", "--stack", "dev"], /cannot be used with option/],
  [["--series", "x", "--query-url", "y"], /cannot be used with option/],
  [["--from", "@missing.json"], /^can't read ".*missing.json" \(ENOENT\)$/],
  [["--from", "@taken/monitors.rules.yml"], /is not JSON/],
  [one, /^there are no recorded series: set OBSERVABILITY_QUERY_URL or --query-url/],
  [[...one, "--monitor", "eror"], /^there is no monitor "eror"\. Did you mean "error"\?$/],
  [["--from", "@failed.json"], /^the preview of shop\/dev failed:\n {2}Monitor "error": no query$/],
  [[...one, "--series", "@empty"], /^there is no .json, .yml or .yaml file in ".*empty"$/],
  [[...nowhere], /failed: connection refused/],
  [
    [...nowhere, "--since", "2026-11-02", "--until", "2026-11-01"],
    /^--since 2026-11-02 00:00 must be before the end, 2026-11-01 00:00 UTC$/,
  ],
])("backtest %j fails with the reason", async (args, words) => {
  const { failure } = await run(backtestOptions(), args);
  expect(failure).toMatch(words);
});

test("without a changed monitor there is nothing to ask", async () => {
  const { code, stdout } = await run(backtestOptions(), ["--from", "@same.json"]);
  expect({ code, stdout }).toEqual({
    code: undefined,
    stdout: "shop/dev: no monitor changes. Add --all to include unchanged monitors.\n",
  });
});

test.each([
  [["--out", "x"], /required option '--prometheus'/, undefined],
  [["--prometheus", "--out", "@taken", ...one], /monitors.rules.yml" was not written by this command/, undefined],
  [["--prometheus", "--out", "@x", "--from", "@dotted.json"], /error: not exported: its dottedQuery is not PromQL/, 3],
])("export %j fails with the reason", async (args, words, status) => {
  const { code, failure, stderr } = await run(exportOptions(), args);
  expect(failure + stderr).toMatch(words);
  expect(code).toBe(status);
});

test.each([
  {},
  { sustainSecs: 600, resolveSustainSecs: 600 },
  { intervalSecs: 3_600, sustainSecs: 600 },
  { intervalSecs: 7, sustainSecs: 100 },
])("a monitor that fires before the time begins is no page, even with a gap at the beginning: %o", async (some) => {
  const { intervalSecs, ...sustain } = some as Record<string, number>;
  const since = Date.parse("2026-11-01T00:00:30Z") / 1_000;
  const gap = since - (sustain.resolveSustainSecs ?? 0);
  const api = await queryApi(
    prometheusAnswer(() => [{ metric: {}, valueAt: (time) => (time > gap && time < since ? 0 : 2) }]),
  );
  const conditions = [{ op: "GT", value: 1, ...sustain }];
  const after = above(1, {
    seriesConditions: { defaults: { critical: { conditions } } },
    ...(intervalSecs && { intervalSecs }),
  });
  writeFileSync(join(folder, "firing.json"), JSON.stringify({ steps: [step("create", "firing", undefined, after)] }));
  const span = ["--since", "2026-11-01T00:00:30Z", "--until", "2026-11-01T06:00:00Z"];
  const { failure, stdout } = await run(backtestOptions(), [
    ...["--from", "@firing.json", "--query-url", api.url, "--json", ...span],
  ]);
  expect(failure).toBe("");
  expect(JSON.parse(stdout).monitors[0].after).toMatchObject({ pages: 0, longestSecs: 6 * 3_600 - 30 });
});

test("monitors that change are simulated, each query is asked once, and one that fails does not end the others", async () => {
  const world = prometheusAnswer((query) => [
    // A day of 4 above 1 and 2 above 5, or of 1 above 1.
    {
      metric: {},
      valueAt: (time) =>
        query === "errors" ? [0, 2, 0, 7][Math.floor(time / 21_600) % 4] : time % day < 3_600 ? 2 : 0,
    },
  ]);
  const api = await queryApi((asked, response) =>
    asked.query === "refused"
      ? answerJson(response, 422, { status: "error", error: "no such function" })
      : world(asked, response),
  );
  const args = ["--from", "@many.json", "--query-url", api.url, "--json", ...november];
  const { code, failure, stdout, stderr } = await run(backtestOptions(), args);
  expect(failure).toBe("");
  const { monitors, notSimulated, cost } = JSON.parse(stdout);
  const pages = monitors.map(({ title, op, before, after }: any) => [title, op, before?.pages, after?.pages]);
  expect(pages).toEqual([
    ["changed", "update", 10, 20],
    ["new", "create", undefined, 20],
    ["old", "delete", 20, undefined],
    ["moved", "replace", 10, 10],
  ]);
  expect(monitors[0].sentence).toBe("changed: 10 → 20 pages in 10 days, 0 → 10 of them at night; longest 6 h");
  expect(notSimulated).toEqual([
    { title: "variable", reason: 'this is no valid PromQL: syntax error at "$c"', isFailed: false },
    { title: "open", reason: expect.stringContaining("known only after the update"), isFailed: false },
    { title: "broken", reason: expect.stringMatching(/"refused" answered 422: no such function/), isFailed: true },
  ]);
  expect(code).toBe(3);
  expect([...new Set(api.asked.map(({ query }) => query))].sort()).toEqual(["errors", "other", "refused"]);
  expect(cost).toEqual({ requests: 6, samplesPerSeries: 3 * 14_401, sent: api.asked.length });
  expect(stderr).toContain("for 3 queries over 10 days: 6 requests, 43,203 samples of each series");
});

test("all monitors, the unchanged ones too, or one of them", async () => {
  const api = await queryApi(prometheusAnswer(() => [{ metric: {}, valueAt: (time) => (time % day < 3_600 ? 4 : 0) }]));
  const titles = async (...args: string[]) => {
    const all = ["--from", "@many.json", "--query-url", api.url, "--days", "1", "--json", ...args];
    return JSON.parse((await run(backtestOptions(), all)).stdout).monitors.map(({ title, sentence }: any) => [
      title,
      sentence,
    ]);
  };
  expect((await titles("--all")).length).toBe(6);
  expect(await titles("--monitor", "same")).toEqual([
    ["same", "same: 1 page as before in 1 day, 1 of them at night; longest 1 h"],
  ]);
});
