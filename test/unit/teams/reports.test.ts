import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { UpdateSummary } from "@pulumi/pulumi/automation";
import { mergeReports, parseShard, type Report, shardOf, summary, type TeamResult } from "pulumi-observability/teams";
import { describe, expect, test } from "vitest";
import { isFirstLoad } from "../../../dist/sdk/teams/operation/firstLoad.js";
import { assertContinues, finishedIn, parseReport } from "../../../dist/sdk/teams/report/report.js";
import { errorLine, placeOf } from "../../../dist/sdk/engine/words.js";

const result = (name: string, more: Partial<TeamResult> = {}): TeamResult => ({
  name,
  status: "done",
  operation: "up",
  counts: { create: 1, update: 0, delete: 0, same: 2 },
  adopted: 0,
  skippedCheckpoints: false,
  seconds: 1.5,
  ...more,
});
const report = (shards: readonly string[], teams: readonly TeamResult[], more: Partial<Report> = {}): Report => ({
  version: 1,
  command: "teams",
  operation: "up",
  project: "team-stacks",
  baseUrl: "http://a",
  shards,
  teams,
  seconds: 3,
  ...more,
});

describe("shards", () => {
  test.each([1, 2, 3, 8, 25])("%i of them have each team once, and are alike in size", (of) => {
    const teams = Array.from({ length: 20 }, (_, i) => `team-${i}`);
    const shards = Array.from({ length: of }, (_, at) => shardOf(teams, { index: at + 1, of }));
    expect(shards.flat().sort()).toEqual([...teams].sort());
    const sizes = shards.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  test.each(["", "3", "0/8", "9/8", "3/8/1", "a/b", "3/0", "-1/8"])("%j is none", (text) => {
    expect(() => parseShard(text)).toThrow("a shard looks like 3/8");
  });
});

describe("reports of shards", () => {
  const first = report(["1/2"], [result("a"), result("c")], { seconds: 9 });
  const second = report(["2/2"], [result("b", { status: "failed", failure: "no" })]);

  test("merge into one, whatever their order", () => {
    const merged = mergeReports([second, first]);
    expect(merged.teams.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(merged.seconds).toBe(9);
    expect([...merged.shards].sort()).toEqual(["1/2", "2/2"]);
  });

  test.each<[string, readonly Report[], string]>([
    ["none", [], "there is no report to merge"],
    [
      "one of two shards",
      [report(["1/3"], []), report(["3/3"], [])],
      "the reports of these shards are missing: 2/3. Check that their jobs have ended",
    ],
    ["one report of two shards", [first], "the reports of these shards are missing: 2/2"],
    ["a shard twice", [first, first], "the shard 1/2 has two reports"],
    ["those of two runs", [first, report(["2/3"], [])], "must be from the shards of one run"],
    ["reports without shards", [report([], []), report([], [])], "must be from the shards of one run"],
    [
      "two operations",
      [first, report(["2/2"], [], { operation: "preview" })],
      'the reports differ in operation: "up" and "preview"',
    ],
    ["two services", [first, report(["2/2"], [], { baseUrl: "http://b" })], "the reports differ in baseUrl"],
    ["a team twice", [first, report(["2/2"], [result("a")])], "the team a is in two reports"],
  ])("%s are refused", (_, reports, reason) => {
    expect(() => mergeReports(reports)).toThrow(reason);
  });

  test("show only after a merge what a team deletes and a team of another shard declares", () => {
    const object = { kind: "Monitor", slug: "x", name: "mine", service: "https://config.example.com" };
    const a = result("a", { ownedObjects: { declared: {}, dropped: [object] } });
    const b = result("b", { ownedObjects: { declared: { [object.service]: { "Monitor x": "" } }, dropped: [] } });
    const text =
      'deletes Monitor "x", which the team b declares. Move it with "pulumi state move", or set retainOnDelete first; ' +
      'see "docs/organize.md#move-a-resource-from-one-stack-to-another"';
    const merged = mergeReports([report(["1/2"], [a]), report(["2/2"], [b])]);
    expect(merged.teams).toEqual([{ ...a, warnings: [text] }, b]);
    expect(summary(merged, 60)).toContain(`\n  warning: ${text}\n`);
    expect(mergeReports([report([], merged.teams)]).teams).toEqual(merged.teams);
  });

  test.each(["", "{", "[]", "null", '{"command":"import"}'])("%j is no report", (text) => {
    expect(() => parseReport(text)).toThrow('not a report of "pulumi-observability teams --json"');
  });
});

test("the summary has a line for each team, its failure, and advice about first loads", () => {
  const teams = [
    result("checkout", { skippedCheckpoints: true }),
    result("search", { status: "failed", failure: "x".repeat(100), operation: "preview" }),
    result("shipping", { status: "interrupted", failure: "interrupted", skippedCheckpoints: true, adopted: 3 }),
  ];
  const { counts: _, ...none } = result("stock", { status: "not started", failure: "interrupted", seconds: 0 });
  expect(summary(report([], [...teams, none]), 60)).toMatchInlineSnapshot(`
    "team      create  update  delete    same      time
    checkout       1       0       0       2     1.5 s
    search         1       0       0       2     1.5 s
      preview failed: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
    shipping       1       0       0       2     1.5 s
      up interrupted
    stock          -       -       -       -     0.0 s
      up not started

    1 of 4 teams done, failed: search, shipping, stock
    2 of them loaded for the first time, without checkpoints
    Run the failed ones again before you change their files: the next run adopts what this one created."
  `);
});

test("on a narrow terminal, a team's name is on its own line, and no line of the summary's table wraps", () => {
  const text = summary(report([], [result("checkout-and-payments", { seconds: 1234.5 })]), 40);
  expect(text.split("\n\n")[0]).toBe(
    [
      "team",
      " create update delete   same     time",
      "checkout-and-payments",
      "      1      0      0      2 1234.5 s",
    ].join("\n"),
  );
});

const updated = (result: "failed" | "succeeded") => ({ kind: "update", result }) as const;
test.each([
  [[], true],
  [[updated("failed")], true],
  [[updated("succeeded")], false],
  [[updated("failed"), updated("succeeded")], false],
  [[{ kind: "destroy", result: "succeeded" } as const, updated("succeeded")], true],
  [[{ kind: "refresh", result: "succeeded" } as const, updated("succeeded")], false],
])("a stack with the updates %j has never been loaded: %j", async (updates, expected) => {
  // Only these two facts of an update count.
  expect(await isFirstLoad({ history: async () => updates as UpdateSummary[] })).toBe(expected);
});

test("an engine that was killed is named by its signal, whatever the message says", () => {
  const killed = (signal?: string) =>
    errorLine(
      Object.assign(new Error("code: -2\n stderr: Command was killed"), { commandResult: { err: { signal } } }),
    );
  expect([killed("SIGKILL"), killed()]).toEqual(["the engine was killed by SIGKILL", "Command was killed"]);
});

test("an output that is larger than the Automation API reads is named with the remedy", () => {
  const tooLarge = new Error(
    "code: -2\n stdout: \n stderr: Command failed: pulumi preview --json\nmaxBuffer exceeded\n",
  );
  expect(errorLine(tooLarge)).toContain("Split the stack");
});

const place = (name: string) => join(process.cwd(), name);
test.each([
  ["a function", [`Object.declare [as go] (${place("teams/a.ts")}:7:5)`], " at teams/a.ts:7"],
  [
    "a module of ECMAScript",
    [`async ${pathToFileURL(place("my teams (old)/a.mjs"))}:7:5`],
    " at my teams (old)/a.mjs:7",
  ],
  ["a folder with parentheses", [`${place("my teams (old)/a.js")}:7:5`], " at my teams (old)/a.js:7"],
  ["Node.js", ["node:internal/process/task_queues:96:32", "new Promise (<anonymous>)"], ""],
  ["a package", [`x (${place("node_modules/y/z.js")}:1:1)`, `b (${place("teams/b.js")}:2:1)`], " at teams/b.js:2"],
  ["this package", [`x (${place("dist/sdk/resource.js")}:1:1)`], ""],
  ["code that is evaluated", [`eval (eval at x (${place("a.js")}:1:2), <anonymous>:1:1)`], ""],
])("an exception in %s has the place of the program, if it has one", (_, frames, expected) => {
  const stack = ["Error: x", ...frames.map((frame) => `    at ${frame}`)].join("\n");
  expect(placeOf(Object.assign(new Error("x"), { stack }))).toBe(expected);
});

test.each([
  [Object.assign(new Error("no stack"), { stack: undefined }), "no stack"],
  [new TypeError(), "TypeError"],
  ["a word", "a word"],
  [undefined, "a value that isn't an Error was thrown: undefined"],
  [{ code: 5 }, "a value that isn't an Error was thrown: { code: 5 }"],
])("whatever is thrown has a text: %j", (thrown, text) => {
  expect(errorLine(thrown)).toBe(text);
  if (!(thrown instanceof TypeError)) expect(placeOf(thrown)).toBe("");
});

test("a lock that a killed run left is named with the remedy", () => {
  const words =
    "code: 255\n stdout: \n stderr: error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) " +
    "to end or delete the lock file with `pulumi cancel`.\n  file:///state/x.json: created by me@here (pid 7) at 2026-01-02T03:04:05Z\n";
  expect(errorLine(new Error(words))).toBe(
    "nothing was changed, because the stack is locked by me@here (pid 7) at 2026-01-02T03:04:05Z. If that run has ended, add --unlock",
  );
});

test("a run does not skip what an earlier one has finished at another service", () => {
  const earlier = report([], [result("a")]);
  const words = 'is of the baseUrl "http://a", not of "http://b"';
  expect(() => assertContinues(earlier, { ...earlier, baseUrl: "http://b" })).toThrow(words);
});

test("what an earlier update has deleted is not deleted again", () => {
  const dropped = [{ kind: "Monitor", slug: "a", service: "http://a", name: "a" }];
  const ended = (operation: "preview" | "up") => result("a", { operation, ownedObjects: { declared: {}, dropped } });
  const left = finishedIn({ teams: [ended("preview"), ended("up"), result("b", { status: "failed" })] });
  expect(left.map(({ ownedObjects }) => ownedObjects?.dropped)).toEqual([dropped, []]);
});
