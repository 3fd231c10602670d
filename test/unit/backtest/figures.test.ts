import { expect, test } from "vitest";
import { simulate } from "../../../dist/sdk/behavior/simulate.js";
import { limitOf } from "../../../dist/cli/commands/backtest/limits.js";
import { figuresOf, isAtNight, nightOf } from "../../../dist/cli/backtest/figures.js";
import { backtestMarkdown, backtestText } from "../../../dist/cli/commands/backtest/command.js";
import { notesOf } from "../../../dist/cli/backtest/incidentText.js";
import { planOf } from "../../../dist/cli/backtest/plan.js";
import { type Backtested, ranked, sentenceOf, statesText, totalOf } from "../../../dist/cli/backtest/result.js";
import { sparklineOf } from "../../../dist/cli/backtest/timeLine.js";
import { piped } from "../../../dist/cli/output/output.js";
import { Zone } from "../../../dist/sdk/behavior/zones.js";
import { durationText } from "../../../dist/sdk/behavior/durations.js";

const hour = 3_600;
const day = 24 * hour;
// A Thursday, 00:00 UTC.
const span = { from: 0, to: 30 * day };
const night = { start: 22 * 60, end: 7 * 60 };

/** A monitor that fires from each first time to the second. */
function side(...times: readonly (readonly [number, number])[]) {
  const samples = times.flatMap(([from, to]) =>
    Array.from({ length: (to - from) / 60 }, (_, i): [number, number] => [from + i * 60, 1]),
  );
  const monitor = { seriesConditions: { defaults: { critical: { conditions: [{ op: "EXISTS" }] } } } };
  const simulation = simulate(monitor, [{ labels: {}, samples }], span);
  return { ...figuresOf(simulation, span, night, "UTC"), signals: simulation.signals };
}

const before = side(
  [12 * hour, 13 * hour],
  [day + 23 * hour, day + 25 * hour],
  [3 * day + 12 * hour, 3 * day + 12.5 * hour],
);
const after = side(
  ...Array.from({ length: 14 }, (_, i) => [i * 2 * day + i * hour, i * 2 * day + i * hour + 4 * hour] as const),
);
const backtested = (more: Partial<Backtested>): Backtested => ({
  title: "checkout-errors",
  op: "update",
  warnings: [],
  noData: [],
  ...more,
});

test("pages are counted in all, at night, and by the longest", () => {
  expect(before).toMatchObject({ pages: 3, pagesAtNight: 1, warnings: 0, longestSecs: 2 * hour });
  expect(after).toMatchObject({ pages: 14, pagesAtNight: 7, longestSecs: 4 * hour });
});

const quiet = { pages: 0, pagesAtNight: 0, warnings: 0, warningsAtNight: 0, longestSecs: 0, days: [], signals: [] };
const warned = { ...quiet, warnings: 5, warningsAtNight: 2, longestSecs: 600 };
test.each([
  [{ before, after }, "checkout-errors: 3 → 14 pages in 30 days, 1 → 7 of them at night; longest 2 h → 4 h"],
  [{ before, after: before }, "checkout-errors: 3 pages as before in 30 days, 1 of them at night; longest 2 h"],
  [{ after, op: "create" }, "checkout-errors (new): 14 pages in 30 days, 7 of them at night; longest 4 h"],
  [
    { before, op: "delete" },
    "checkout-errors (removed): 3 → 0 pages in 30 days, 1 → 0 of them at night; longest 2 h → 0 s",
  ],
  [{ before: side(), after: side() }, "checkout-errors: 0 pages as before in 30 days"],
  [
    { before: side(), after: side([12 * hour, 13 * hour]) },
    "checkout-errors: 0 → 1 page in 30 days; longest 0 s → 1 h",
  ],
  [
    { before: quiet, after: warned },
    "checkout-errors: 0 → 5 warnings in 30 days, 0 → 2 of them at night; longest 0 s → 10 min",
  ],
  [
    { before: warned, after: { ...warned, pages: 1_234 } },
    "checkout-errors: 0 → 1,234 pages in 30 days; 5 warnings as before, 2 of them at night; longest 10 min",
  ],
] as const)("the sentence of change %# names pages, warnings, nights and the longest", (more, sentence) => {
  expect(sentenceOf(backtested(more), span)).toBe(sentence);
});

test("pages of each day are blocks on one scale, and those of a long span are counted together", () => {
  const pagesOn = (...all: readonly number[]) => ({
    ...quiet,
    days: all.map((pages) => ({ date: "2026-11-26", pages, atNight: 0 })),
  });
  const both = { before: pagesOn(0, 0, 3, 7, 0), after: pagesOn(0, 1, 0, 2, 0) };
  expect(sparklineOf(backtested(both))).toBe("▁▁▄█▁ → ▁▂▁▃▁");
  const long = pagesOn(...Array.from({ length: 62 }, (_, i) => (i < 3 ? 1 : 0)));
  expect(sparklineOf(backtested({ after: long }))).toBe(`█▅${"▁".repeat(29)}`);
  for (const none of [pagesOn(0, 0), pagesOn(5), undefined])
    expect(sparklineOf(backtested(none ? { after: none } : {}))).toBe("");
});

test("monitors together have one line", () => {
  const all = [backtested({ before, after }), backtested({ after, op: "create" })];
  expect(totalOf(all, span)).toBe("2 monitors: 3 → 28 pages in 30 days, 1 → 14 of them at night");
});

test.each([
  ["pages+50%", 2, 3, true],
  ["pages+50%", 4, 5, false],
  ["pages+50%", 0, 1, true],
  ["pages+50%", 0, 0, false],
  ["pages+50%", undefined, 100, false],
  ["pages+0%", 3, 2, false],
  ["pages+3", 2, 5, true],
  ["pages+3", 2, 4, false],
  ["pages>5", 9, 5, false],
  ["pages>5", undefined, 6, true],
  ["pages>5", 100, undefined, false],
])("the limit %s with %s pages before and %s after is exceeded: %s", (text, old, now, expected) => {
  const pages = (count: number | undefined) => (count === undefined ? undefined : { ...before, pages: count });
  const monitor = { ...backtested({}), before: pages(old), after: pages(now) } as Backtested;
  expect(limitOf(text)?.exceeds(monitor)).toBe(expected);
});

test.each([
  ["longest>3h59m", true],
  ["longest>4h", false],
  ["night-pages+600%", true],
  ["night-pages+601%", false],
])("the limit %s is exceeded by 1 → 7 pages at night and 4 h: %s", (text, expected) => {
  expect(limitOf(text)?.exceeds(backtested({ before, after }))).toBe(expected);
});

/** A side with figures: incidents caught and missed, pages outside, and the time to the first page. */
function met(text: string) {
  const [caught = 0, missed = 0, pagesOutside = 0, detectionSecs] = text.split(" ").map(Number);
  const incidents = { caught, missed, pagesOutside, ...(detectionSecs !== undefined && { detectionSecs }) };
  return text === "" ? undefined : { ...quiet, incidents };
}
const metSides = ([old, now]: readonly [string, string]) => {
  const [before, after] = [met(old), met(now)];
  return backtested({ ...(before && { before }), ...(after && { after }) });
};
test.each([
  ["missed+1", "4 1 0", "3 2 0", true],
  ["missed+1", "3 2 0", "4 1 0", false],
  ["missed>1", "", "3 2 0", true],
  ["useless+50%", "0 0 2", "0 0 3", true],
  ["useless+50%", "0 0 4", "0 0 5", false],
  ["detection>15m", "", "1 0 0 901", true],
  ["detection>15m", "", "1 0 0 900", false],
  ["detection+5m", "1 0 0 60", "1 0 0 360", true],
  // Without a caught incident there is no time to compare.
  ["detection>15m", "1 0 0 60", "0 1 0", false],
  ["detection+5m", "0 1 0", "1 0 0 600", false],
])("the limit %s with incidents %s before and %s after is exceeded: %s", (text, old, now, expected) => {
  const limit = limitOf(text);
  expect(limit?.exceeds(metSides([old, now]))).toBe(expected);
  expect(limit?.needsIncidents).toBe(true);
});

test("no-data is exceeded by a monitor without data only", () => {
  const exceeds = (noData: readonly string[]) => limitOf("no-data")?.exceeds(backtested({ after: quiet, noData }));
  expect([exceeds(["no series in 30 days"]), exceeds([])]).toEqual([true, false]);
});

test.each([
  [
    "4 1 14 720",
    "5 0 9 180",
    "caught 4 of 5 → 5 of 5 incidents, first page after 12 min → 3 min; 14 → 9 pages outside",
  ],
  ["1 0 1 0.5", "1 0 1 0.5", "caught 1 of 1 incident, first page after 1 s; 1 page outside"],
  ["", "0 2 0", "caught 0 of 2 incidents; 0 pages outside"],
  ["0 1 0", "1 0 0 60", "caught 0 of 1 → 1 of 1 incident, first page after 1 min; 0 pages outside"],
  ["2 0 3 60", "", "caught 2 of 2 → 0 of 2 incidents; 3 → 0 pages outside"],
  ["", "0 0 1000", "no counted incident concerns it; 1,000 pages outside"],
])("the sentence of %s before and %s after has what is caught, how soon, and the rest", (old, now, sentence) => {
  expect(notesOf(metSides([old, now]))).toEqual([`${sentence} of incidents`]);
});

test("the whole estate begins with the noisiest, then has what is without data, and ends with what never fired", () => {
  const named = (title: string, more: Partial<Backtested>) => backtested({ op: "same", ...more, title });
  const noData = ["no series in 30 days"];
  const silent = { before: quiet, after: quiet };
  const all = [
    named("silent", silent),
    named("empty", { ...silent, noData }),
    named("calm", { before, after: before }),
    named("removed", { op: "delete", before: after }),
    // It fires because there is no series.
    named("loud", { before: after, after: { ...after, pages: 20 }, noData }),
  ];
  const { monitors, states } = ranked(all);
  expect(monitors.map(({ title }) => title)).toEqual(["loud", "removed", "calm", "empty", "silent"]);
  expect(statesText(states)).toBe("3 monitors fired, 1 has no data, 1 never fired");
});

test.each([
  "pages",
  "pages+",
  "pages+x",
  "pages>50%",
  "errors+1",
  "pages+-1",
  "pages+0x",
  "longest>4x",
  "no-data+1",
  "detection>x",
])("%s is not a limit", (text) => expect(limitOf(text)).toBe(undefined));

test("a night goes over midnight, and follows the zone and its daylight saving", () => {
  const [berlin, utc] = [Zone.named("Europe/Berlin"), Zone.named("UTC")];
  const at = (text: string) => Date.parse(text) / 1_000;
  const nightly = (text: string, zone: Zone) => isAtNight(at(text), night, zone);
  expect(nightly("2026-01-10T21:30:00Z", utc)).toBe(false);
  expect(nightly("2026-01-10T21:30:00Z", berlin)).toBe(true);
  expect(nightly("2026-01-10T06:30:00Z", berlin)).toBe(false);
  expect(nightly("2026-07-10T20:00:00Z", berlin)).toBe(true);
  expect(nightly("2026-01-10T20:59:59Z", berlin)).toBe(false);
  const nights = ["22:00-07:00", "0:00-24:00", "7:00-7:00", "25:00-7:00", "x"].map(nightOf);
  expect(nights).toEqual([night, { start: 0, end: 1_440 }, undefined, undefined, undefined]);
});

test("a terminal shows sentence and timeline in 80 columns, and what was not simulated", () => {
  const monitors = [
    backtested({ before, after }),
    backtested({ title: "x".repeat(200), before: side(), after: side() }),
  ];
  const reason = "its dottedQuery is no PromQL ".repeat(6).trim();
  const lines = backtestText({ span, monitors, notSimulated: [{ title: "shop", reason, isFailed: false }] }, piped);
  expect(lines.filter((line) => line.length > 80 && !line.startsWith("x"))).toEqual([]);
  expect(lines.slice(1, 7)).toEqual([
    "checkout-errors: 3 → 14 pages in 30 days, 1 → 7 of them at night; longest 2 h →",
    "    4 h",
    "  pages  ██▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁ → █▁█▁█▁█▁█▁█▁█▁█▁█▁█▁█▁█▁█▁█▁▁▁",
    "  before ·▁··▂··▁························································",
    "  after  ▃···▃···▃▁···▃···▃···▂▂···▃···▃···▂▂···▃···▃···▁▃···▃···▃·······",
    "         01-01 00:00                                          01-31 00:00",
  ]);
  expect(lines).toContain("Not simulated:");
});

test("Markdown has every monitor, its timeline as text, and stays below the limit of a comment", () => {
  const result = { span, monitors: [backtested({ before, after })], notSimulated: [] };
  const text = backtestMarkdown(result, "shop/dev");
  expect(text).toMatch(/^<!-- pulumi-observability backtest -->\n### Backtest of shop\/dev\n/);
  expect(text).toContain(
    "- `checkout-errors`: 3 → 14 pages in 30 days, 1 → 7 of them at night; longest 2 h → 4 h\n\n  ```text\n  pages  ██▁█",
  );
  const many = { span, monitors: Array.from({ length: 1_000 }, () => backtested({ before, after })), notSimulated: [] };
  const incident = { name: "Slow", isCounted: true, concerned: 1, monitors: [] };
  const incidents = Array.from({ length: 1_000 }, (_, start) => ({ ...incident, start }));
  const long = backtestMarkdown({ ...many, incidents }, "s");
  expect(long.length).toBeLessThan(65_536);
  expect(long.match(/caught by nothing/g)).toHaveLength(50);
  expect(long).toMatch(/\n- and more.*\n- `checkout-errors`: .*\n- and \d{3} more/s);
});

test.each([
  [0, "0 s"],
  [59, "59 s"],
  [60, "1 min"],
  [90, "1 min 30 s"],
  [4 * hour, "4 h"],
  [4 * hour + 59, "4 h"],
  [51 * hour, "2 d 3 h"],
])("%d s is %s", (secs, text) => expect(durationText(secs)).toBe(text));

test("the queries of changed monitors come first, so that a report has all of their samples", () => {
  const asking = (labelQuery: string, op: "same" | "update") => {
    const args = { labelQuery, seriesConditions: { defaults: { warn: { conditions: [{ op: "EXISTS" }] } } } };
    return { urn: labelQuery, name: labelQuery, title: labelQuery, op, before: args, after: args };
  };
  const { queries } = planOf([asking("kept", "same"), asking("changed", "update")]);
  expect([...queries.keys()].map(({ query }) => query)).toEqual(["changed", "kept"]);
});
