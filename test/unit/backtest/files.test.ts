import { expect, test } from "vitest";
import { FileSeries } from "../../../dist/cli/series/fileSeries.js";
import { ownFolder } from "../../support/folders.js";

type Files = Readonly<Record<string, string | object>>;
const textOf = (content: string | object) => (typeof content === "string" ? content : JSON.stringify(content));
const folderWith = (files: Files) =>
  ownFolder(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, textOf(content)])));
const sourceOf = (files: Files) => FileSeries.open([folderWith(files)]);

const answer = (values: readonly (readonly [number, string])[], metric = {}) => ({
  status: "success",
  data: { resultType: "matrix", result: [{ metric, values }] },
});
const asked = (title: string, query = "up") => ({ title, query, intervalSecs: 60 });
const read = async (source: FileSeries, title: string, query?: string) =>
  (await source.record(asked(title, query))).series.map(({ labels, samples }) => [labels, ...[...samples].flat()]);

test("an answer of the API is found by the query beside its data, or by the file's name", async () => {
  const source = await sourceOf({
    "errors.json": answer([[60, "1"]]),
    "other.json": {
      query: "rate(x[5m])",
      ...answer(
        [
          [120, "NaN"],
          [180, "+Inf"],
        ],
        { a: "b" },
      ),
    },
    "ignored.txt": "?",
  });
  expect(await read(source, "errors")).toEqual([[{}, 60, 1]]);
  expect(await read(source, "errors", "rate(x[5m])")).toEqual([[{ a: "b" }, 120, NaN, 180, Infinity]]);
  expect(source.span).toEqual({ from: 60, to: 240 });
});

test("series in promtool's notation have a start and an interval", async () => {
  const lines = [
    "start: 1970-01-02T00:00:00Z",
    "interval: 1m",
    "series:",
    '- { labels: { region: eu }, values: "0 1x1 _ 5" }',
  ];
  const source = await sourceOf({ "errors.yml": lines.join("\n") });
  expect(await read(source, "errors")).toEqual([[{ region: "eu" }, 86_400, 0, 86_460, 1, 86_520, 1, 86_640, 5]]);
});

test.each([
  [{ "a.json": "{" }, /"a.json" holds no recorded series: .*JSON/],
  [{ "a.yml": "start: 0\ninterval: 1x\nseries: []" }, /interval is no duration such as 30s or 1m/],
  [{ "a.yml": "start: soon\ninterval: 1m\nseries: []" }, /start is no time such as 2026-11-01T00:00:00Z/],
  [{ "a.yml": "start: 2026-01-01T00:00:00\ninterval: 1m\nseries: []" }, /start is no time such as .*with its zone/],
  [{ "a.yml": "start: 0\ninterval: 1m\nseries: [{ values: 1y }]" }, /expected a number, 5x10/],
  [{ "a.yml": "- 1" }, /expected an answer of "\/api\/v1\/query_range", or start, interval and series/],
  [{ "a.json": { status: "error", error: "bad" } }, /it is an error: bad/],
  [{ "a.json": { status: "success", data: { resultType: "vector", result: [] } } }, /"vector" instead of "matrix"/],
  [
    { "a.json": { status: "success", data: { resultType: "matrix", result: [{ metric: {}, histograms: [] }] } } },
    /take a number from them in the query/,
  ],
  [
    {
      "a.json": {
        status: "success",
        data: { resultType: "matrix", result: [{ metric: {}, values: [], histograms: [[0, {}]] }] },
      },
    },
    /data\.result\[0\] has histograms: take a number from them in the query/,
  ],
  [{ "a.json": answer([], { version: 1.5 }) }, /data\.result\[0\]\.metric has a label "version" that is a number/],
])("%j is refused by the file's name", async (files, words) => {
  const path = folderWith(files);
  const { message } = (await FileSeries.open([path]).catch((error: unknown) => error as Error)) as Error;
  expect(message.replace(`${path}/`, "")).toMatch(words);
});

test("a sample that is none stops the monitor that reads the file", async () => {
  const source = await sourceOf({ "a.json": answer(["1", "2", "?", "4", "5"].map((text, i) => [i * 60, text])) });
  expect(source.span).toEqual({ from: 0, to: 300 });
  await expect(source.record(asked("a"))).rejects.toThrow(
    /a.json" holds .*: data\.result\[0\]\.values\[2\] is \[120,"\?"\]/,
  );
});

test.each<[string, string | object]>([
  ["a.yml", "start: 0\ninterval: 5m\nseries: [{ values: 1x9 }]"],
  // Some samples are missing.
  ["a.json", answer([0, 600, ...Array.from({ length: 20 }, (_, i) => 900 + i * 300)].map((at) => [at, "1"]))],
])("%s with fewer values than the monitor evaluates is refused: nothing would ever fire", async (name, file) => {
  const words = "has a value every 5m, and the monitor is evaluated every 1m: record it with that step";
  const source = await sourceOf({ [name]: file });
  await expect(source.record(asked("a"))).rejects.toThrow(words);
  await source.record({ ...asked("a"), intervalSecs: 600 });
});

test("samples that are rarely there are no step", async () => {
  const source = await sourceOf({ "a.json": answer([0, 600, 1_200, 1_800, 3_600].map((at) => [at, "1"])) });
  await source.record(asked("a"));
});

test("a query without its file, or with two, is refused with the way out", async () => {
  const source = await sourceOf({
    "errors.json": answer([[60, "1"]]),
    "named.json": { query: "a", ...answer([]) },
    "twice.json": { query: "a", ...answer([]) },
  });
  await expect(source.record(asked("missing"))).rejects.toThrow(/has "query: up", and none is named "missing.json"/);
  await expect(source.record(asked("x", "a"))).rejects.toThrow(
    /named.json" and ".*twice.json" answer the same query: a/,
  );
  await expect(source.record(asked("named"))).rejects.toThrow(/named.json" answers another query \(a\) than up/);
  await source.record(asked("errors", "up"));
  await expect(source.record(asked("errors", "down"))).rejects.toThrow(
    /does not say which query it answers, and the change has two: add "query: down" or "query: up"/,
  );
  await expect(FileSeries.open(["/nowhere"])).rejects.toThrow(/does not exist/);
});
