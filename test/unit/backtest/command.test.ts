import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../../support/command.js";
import { monitorStep as step, urnOf } from "../../support/digests.js";
import { ownFolder } from "../../support/folders.js";
import { answerJson, prometheusAnswer, queryApi } from "../../support/queryApi.js";
import { unknown } from "../../../dist/provider/values/unknown.js";

const day = 86_400;
const above = (value: number, more: object = {}) => ({
  labelQuery: "errors",
  seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value }] } } },
  ...more,
});
const november = ["--since", "2026-11-01", "--until", "2026-11-11"];
const previews = {
  one: { steps: [step("create", "error", undefined, above(1))] },
  same: { steps: [step("same", "error", above(1), above(1))] },
  dotted: { steps: [step("create", "error", undefined, { dottedQuery: "up" })] },
  none: { steps: [{ op: "same", urn: "urn:pulumi:dev::project::pulumi:pulumi:Stack::project-dev" }] },
  partial: { steps: [step("create", "error", undefined, above(1))], changeSummary: { create: 1, same: 3 } },
  failed: { diagnostics: [{ urn: urnOf("Monitor", "error"), severity: "error", message: "error: no query" }] },
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
  "later/error.yml": 'start: 2026-11-02\ninterval: 1m\nseries: [{ values: "0 0x8" }]',
  "taken/monitors.rules.yml": "groups: []",
});

/** Runs a command. `@` in an argument stands for the folder. */
const run = (...args: readonly string[]) =>
  runCommand(
    folder,
    args.map((arg) => arg.replace("@", `${folder}/`)),
  );

const one = ["--from", "@one.json"];
const nowhere = [...one, "--query-url", "http://127.0.0.1:1"];
test.each([
  [["--days", "0"], /whole number from 1/],
  [["--night", "22-7"], /must look like 22:00-07:00/],
  [["--timezone", "Berlin"], /IANA name such as Europe\/Berlin/],
  [["--timezone", "+01:00"], /IANA name such as Europe\/Berlin/],
  [["--since", "yesterday"], /must look like 2026-11-01/],
  [["--since", "2026-02-30"], /must look like 2026-11-01/],
  [["--since", "01.02.2026 08:00Z"], /must look like 2026-11-01/],
  [["--since", "2026-11-01T08:00:00-05:00 +01:00"], /must look like 2026-11-01/],
  [["--lead", "soon"], /must look like 30m or 1h/],
  [[...one, "--fail-on", "missed+1"], /^error: --fail-on missed\+1 needs --incidents <file>$/m],
  [["--from", "-", "--incidents", "-"], /^error: --from and --incidents both read standard input$/m],
  [["--incidents", "@one.json", "--report", "@one.json"], /--incidents and --report name the same file/],
  [[...nowhere, "--incidents", "@one.json"], /^error: ".*one.json" isn't a list of incidents: expected an array/m],
  [["--until", "2026-11-01T08:00:00"], /must look like 2026-11-01 or 2026-11-01T08:00:00Z, with its zone/],
  [["--fail-on", "pages"], /Limits look like pages\+50%/],
  [["--from", "x", "--stack", "dev"], /cannot be used with option/],
  [["--series", "x", "--query-url", "y"], /cannot be used with option/],
  [["--from", "@missing.json"], /^error: can't read ".*missing.json" \(ENOENT\)$/m],
  [["--from", "@taken/monitors.rules.yml"], /is not JSON/],
  [one, /^error: there are no recorded series: set OBSERVABILITY_QUERY_URL or --query-url/],
  [[...one, "--monitor", "eror"], /^error: there is no monitor "eror"\. Did you mean "error"\?$/m],
  [["--from", "@partial.json", "--all"], /^error: the preview has no unchanged resources. Run it with --show-sames$/m],
  [["--from", "@partial.json", "--monitor", "same"], /^error: the preview has no unchanged resources/m],
  [["--from", "@failed.json"], /^error: the preview of project\/dev failed:\n {2}Monitor "error": no query$/m],
  [[...one, "--series", "@empty"], /^error: there is no .json, .yml or .yaml file in ".*empty"$/m],
  [
    [...one, "--series", "@later", ...november],
    /^warning: the files have samples from 2026-11-02 00:00 to 2026-11-02 00:10 UTC: in the rest of the period, queries/m,
  ],
  [[...nowhere], /failed: connection refused/],
  [
    [...nowhere, "--since", "2026-11-02", "--until", "2026-11-01"],
    /^error: --since 2026-11-02 00:00 must be before the end, 2026-11-01 00:00 UTC$/m,
  ],
])("backtest %j fails, or warns, with the reason", async (args, words) => {
  const { stderr } = await run("backtest", ...args);
  expect(stderr).toMatch(words);
});

test("without a changed monitor there is nothing to ask", async () => {
  const { code, stdout } = await run("backtest", "--from", "@same.json");
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "project/dev: no monitor changes. Add --all to include unchanged monitors.\n",
  });
});

test("without a changed monitor, the files of an earlier run are overwritten", async () => {
  await run("backtest", "--from", "@same.json", "--markdown", "@none.md", "--report", "@none.html");
  expect(readFileSync(join(folder, "none.md"), "utf8")).toMatch(
    /^<!--.*\n### Backtest of project\/dev\n\nno monitor ch/,
  );
  expect(readFileSync(join(folder, "none.html"), "utf8")).toContain('"title":"project/dev"');
});

test("a program without monitors is no reason to add --all", async () => {
  const { stdout } = await run("backtest", "--from", "@none.json", "--all");
  expect(stdout).toBe("project/dev: no monitor.\n");
});

test.each([
  [["--out", "x"], /required option '--prometheus'/, 2],
  [["--prometheus", "--out", "@taken", ...one], /monitors.rules.yml" was not written by this command/, 1],
  [["--prometheus", "--out", "@x", "--from", "@dotted.json"], /error: not exported: its dottedQuery is not PromQL/, 3],
])("export %j fails with the reason", async (args, words, status) => {
  const { code, stderr } = await run("export", ...args);
  expect(stderr).toMatch(words);
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
  const { code, stdout } = await run(
    "backtest",
    ...["--from", "@firing.json", "--query-url", api.url, "--json", ...span],
  );
  expect(code).toBe(0);
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
  const { code, stdout, stderr } = await run("backtest", ...args);
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
    return JSON.parse((await run("backtest", ...all)).stdout).monitors.map(({ title, sentence }: any) => [
      title,
      sentence,
    ]);
  };
  expect((await titles("--all")).length).toBe(6);
  expect(await titles("--monitor", "same")).toEqual([
    ["same", "same: 1 page as before in 1 day, 1 of them at night; longest 1 h"],
  ]);
});

test("an unchanged monitor has one timeline, also for an incident of a moment", async () => {
  const api = await queryApi(prometheusAnswer(() => [{ metric: {}, valueAt: (time) => (time % day < 3_600 ? 4 : 0) }]));
  writeFileSync(join(folder, "moment.csv"), "start,end,name\n2026-11-02,2026-11-02,Short\n");
  const args = ["--from", "@many.json", "--monitor", "same", "--query-url", api.url, "--incidents", "@moment.csv"];
  const { stdout } = await run("backtest", ...args, ...november);
  expect(stdout).toMatch(/\n {2}pages {5}█{10}\n {2}incidents ·{6}▁·{57}\n {2}firing {4}[·▁-█]{64}\n {12}11-01/);
});

test("a comment on many monitors names those without data, and has room for incidents and monitors", async () => {
  const api = await queryApi(
    prometheusAnswer((query) =>
      query === "dead" ? [] : [{ metric: {}, valueAt: (time) => (time % day < 3_600 ? 4 : 0) }],
    ),
  );
  const steps = Array.from({ length: 300 }, (_, i) => {
    const [name, labelQuery] = i < 200 ? [`loud-${i}`, "errors"] : [`dead-${i}`, "dead"];
    return step("update", name, above(5), above(1, { labelQuery }));
  });
  const incidents = Array.from({ length: 60 }, (_, i) => `2026-11-02T00:${String(i).padStart(2, "0")}:00Z,,Slow ${i}`);
  writeFileSync(join(folder, "wide.json"), JSON.stringify({ steps }));
  writeFileSync(join(folder, "minutes.csv"), `start,end,name\n${incidents.join("\n")}\n`);
  const args = ["--from", "@wide.json", "--query-url", api.url, "--since", "2026-11-01", "--until", "2026-11-04"];
  for (const command of [["backtest"], ["review", "--backtest"]]) {
    await run(...command, ...args, "--incidents", "@minutes.csv", "--markdown", "@wide.md");
    const comment = readFileSync(join(folder, "wide.md"), "utf8");
    expect(comment.length).toBeLessThan(65_536);
    expect(comment).toMatch(/\n\nWithout data: `dead-200`, (`dead-2\d\d`, ){48}`dead-249` and 50 more\n/);
    expect(comment).toContain("`Slow 0`: loud-0 missed → after 0 s; ");
    expect(comment).toContain("; loud-9 missed → after 0 s; 190 more\n");
    expect(comment).toMatch(/\n- `?(loud-0|dead-200)`?: 0 (→ 3 )?pages/);
  }
});

test("a warning about a monitor has no control characters", async () => {
  const api = await queryApi((_, response) => {
    const [data, warnings] = [{ resultType: "matrix", result: [] }, ["slow\u001b[2J"]];
    answerJson(response, 200, { status: "success", data, warnings });
  });
  writeFileSync(
    join(folder, "odd.json"),
    JSON.stringify({ steps: [step("create", "a\u001b[31m\nb", undefined, above(1))] }),
  );
  const args = ["--from", "@odd.json", "--query-url", api.url, ...november, "--fail-on", "no-data"];
  const { stderr } = await run("backtest", ...args);
  expect(stderr).toMatch(/^warning: a\\u\{1b\}\[31m\\u\{a\}b: the query API warns: slow\\u\{1b\}\[2J$/m);
  expect(stderr).toMatch(/^warning: a\\u\{1b\}\[31m\\u\{a\}b exceeds --fail-on no-data$/m);
});

test("a removed monitor misses the incidents that it caught", async () => {
  const api = await queryApi(prometheusAnswer(() => [{ metric: {}, valueAt: (time) => (time % day < 3_600 ? 4 : 0) }]));
  writeFileSync(
    join(folder, "caught.csv"),
    "start,end,name\n2026-11-02,2026-11-03,Slow\n2026-11-03T12:00:00Z,2026-11-03T13:00:00Z,Late\n",
  );
  writeFileSync(join(folder, "removed.json"), JSON.stringify({ steps: [step("delete", "old", above(1))] }));
  const args = ["--from", "@removed.json", "--query-url", api.url, "--incidents", "@caught.csv", ...november, "--json"];
  const exceeded = async (...limits: readonly string[]) => {
    const { code, stdout } = await run("backtest", ...args, "--fail-on", ...limits);
    return [code, JSON.parse(stdout).exceeded.map(({ limit }: any) => limit)];
  };
  expect(await exceeded("missed+1", "missed+100%", "useless+1", "pages+1")).toEqual([3, ["missed+1", "missed+100%"]]);
  expect(await exceeded("missed+2", "missed>0", "detection>0s")).toEqual([0, []]);
});

const dead = (slug: string, labelQuery: string, more: object = {}) =>
  step("same", slug, ...twice(above(1, { labelQuery, ...more })));
const twice = <T>(value: T) => [value, value] as const;
const grouping = {
  signalGrouping: { labelNames: ["regoin", "region"] },
  seriesConditions: {
    defaults: { critical: { conditions: [{ op: "GT", value: 1 }] } },
    overrides: [
      {
        labelMatchers: [
          { name: "regoin", type: "EXACT", value: "eu" },
          { name: "zone", type: "EXACT", value: "" },
          { name: "pod", type: "REGEX", value: ".*" },
        ],
        severityConditions: { conditions: [{ op: "GT", value: 5 }] },
      },
    ],
  },
};

test("all monitors are listed with those without data, whose selectors are asked one by one", async () => {
  const steps = [
    dead("quiet", "quiet"),
    dead("typo", 'sum(rate(errors_totl{a="b"}[5m])) / sum(rate(errors[5m]))'),
    dead("mismatch", "errors / quiet"),
    dead("comparison", "errors > 9"),
    dead("branch", "errors > 9 or errors_totl > 9"),
    dead("absence", "absent(errors)"),
    dead("twice", 'rate(errors_totl{a="b"}[5m])'),
    dead("grouped", "errors", grouping),
  ];
  writeFileSync(join(folder, "estate.json"), JSON.stringify({ steps }));
  const pulses = (value: number) => [
    { metric: { region: "eu" }, valueAt: (time: number) => (time % day < 3_600 ? value : 0) },
  ];
  const known: Record<string, ReturnType<typeof pulses>> = {
    quiet: pulses(0),
    errors: pulses(4),
    "count(errors)": pulses(1),
    "count(quiet)": pulses(1),
  };
  const api = await queryApi(prometheusAnswer((query) => known[query] ?? []));
  const args = [
    "backtest",
    "--all",
    "--from",
    "@estate.json",
    "--query-url",
    api.url,
    "--days",
    "2",
    "--fail-on",
    "no-data",
  ];
  const { code, stdout, stderr } = await run(...args, "--json");
  const { monitors, states, exceeded } = JSON.parse(stdout);
  expect(monitors.map(({ title, notes }: any) => [title, ...notes])).toEqual([
    ["grouped", 'no series has the label "regoin", which signalGrouping and seriesConditions.overrides[0] name'],
    ["typo", 'no series in 2 days: errors_totl{a="b"}'],
    ["mismatch", "no series in 2 days, but its selectors have some"],
    ["branch", "no series in 2 days: errors_totl"],
    ["twice", 'no series in 2 days: errors_totl{a="b"}'],
    ["quiet"],
    ["comparison"],
    ["absence"],
  ]);
  expect(states).toEqual({ fired: 1, noData: 4, neverFired: 3 });
  expect(stderr).toContain("\n1 monitor fired, 4 have no data, 3 never fired\n8 monitors: 2 pages in 2 days");
  expect(code).toBe(3);
  expect(exceeded.map(({ monitor }: any) => monitor)).toEqual(["grouped", "typo", "mismatch", "branch", "twice"]);
  const asked = api.asked.map(({ query }) => query).filter((query) => query.startsWith("count("));
  expect(asked).toEqual(['count(errors_totl{a="b"})', "count(errors)", "count(quiet)", "count(errors_totl)"]);
  // Without a request to spare, nothing is known of the selectors.
  const few = await run(...args, "--max-requests", "8");
  expect(few.stdout).toContain('  no series in 2 days; it reads errors_totl{a="b"}, errors\n');
  expect(few.stdout).not.toContain("comparison: no");
});

test("incidents concern monitors by their labels, and count pages, in each form of the result", async () => {
  const world = (eu: number) => [
    { metric: { region: "eu" }, valueAt: (time: number) => (time % day < 3_600 ? eu : 0) },
    { metric: { region: "us" }, valueAt: () => 0 },
  ];
  const api = await queryApi(prometheusAnswer((query) => (query === "other" ? [] : world(4))));
  const slow = { start: "2026-11-02T00:00:00+00:00", end: "2026-11-02T01:00:00Z" };
  const incidents = [
    { ...slow, name: "Slow *EU*", labels: { region: "eu", team: "pay" } },
    { start: "2026-11-03T00:20:00Z", end: null, name: "Open", labels: { region: "us" } },
    { ...slow, name: "Elsewhere", labels: { region: "ap" } },
    { start: "2027-01-01", end: null, name: "Future" },
  ];
  const labels = { team: "pay" };
  const steps = [step("update", "errors", above(5, { labels }), above(1)), step("create", "new", undefined, above(3))];
  writeFileSync(join(folder, "incidents.json"), JSON.stringify(incidents));
  writeFileSync(join(folder, "changed.json"), JSON.stringify({ steps }));
  const period = ["--since", "2026-11-01", "--until", "2026-11-05", "--lead", "10m"];
  const args = ["--from", "@changed.json", "--query-url", api.url, "--incidents", "@incidents.json", ...period];
  const limits = ["--fail-on", "useless+1,missed+1", "detection>1s"];
  const { code, stdout } = await run("backtest", ...args, "--json", ...limits, "--markdown", "@incidents.md");
  const { monitors, incidents: outcomes, exceeded } = JSON.parse(stdout);
  const sentences = [
    "caught 0 of 2 → 2 of 2 incidents, first page after 11 h 50 min; 0 → 2 pages outside of incidents",
    "caught 1 of 1 incident, first page after 23 h 40 min; 3 pages outside of incidents",
  ];
  expect(monitors.map(({ notes }: any) => notes)).toEqual(sentences.map((sentence) => [sentence]));
  expect(monitors[0].judged).toBe(undefined);
  const time = Date.parse("2026-11-02T00:00:00Z") / 1_000;
  const caught = { monitor: "errors", before: {}, after: { pagedAt: time } };
  expect(outcomes[0]).toMatchObject({ name: "Slow *EU*", isCounted: true, concerned: 1, monitors: [caught] });
  expect(outcomes.slice(1).map(({ isCounted, concerned }: any) => [isCounted, concerned])).toEqual([
    [true, 2],
    [true, 0],
    [false, 0],
  ]);
  expect({ code, exceeded }).toEqual({
    code: 3,
    exceeded: [
      { monitor: "errors", limit: "useless+1" },
      { monitor: "errors", limit: "detection>1s" },
      { monitor: "new", limit: "detection>1s" },
    ],
  });
  const title = "Incidents: 0 of 2 → 2 of 2 caught; 1 concerns no simulated monitor; 1 is not counted";
  const comment = readFileSync(join(folder, "incidents.md"), "utf8");
  expect(comment).toContain(`**${title}:**\n\n- 2026-11-02 00:00 UTC \`Slow *EU*\`: errors missed → after 0 s\n`);
  expect(comment).toContain(
    "**Exceeded limits:**\n\n- `errors` exceeds `useless+1`\n- `errors` exceeds `detection>1s`\n",
  );
  const reviewed = await run("review", "--backtest", ...args, "--markdown", "@incidents.md");
  expect(reviewed.stdout).toContain(`${title}\n  2026-11-02 00:00 UTC "Slow *EU*": errors missed → after 0 s\n`);
  expect(readFileSync(join(folder, "incidents.md"), "utf8")).toContain(`**${title}:**\n\n- 2026`);
  for (const sentence of sentences) expect(reviewed.stdout.replace(/\n +/g, " ")).toContain(sentence);
});
