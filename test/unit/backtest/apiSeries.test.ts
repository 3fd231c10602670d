import { readdirSync, writeFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ApiSeries, type ApiSeriesOptions } from "../../../dist/cli/series/apiSeries.js";
import { AnswerCache } from "../../../dist/cli/series/cache.js";
import { QueryApi } from "../../../dist/cli/series/queryApi.js";
import { querySettings } from "../../../dist/cli/series/querySettings.js";
import { ownFolder } from "../../support/folders.js";
import { answerJson, prometheusAnswer, queryApi } from "../../support/queryApi.js";

const day = 86_400;
const window = { from: 1_760_000_000 - (1_760_000_000 % day), to: 1_760_000_000 - (1_760_000_000 % day) + 30 * day };
const oneHour = { from: window.from, to: window.from + 3_600 };
const asked = { title: "errors", query: "sum by (region) (rate(errors_total[5m]))", intervalSecs: 60 };
const regions = ["eu", "us"];
const answer = (result: readonly object[], more: object = {}) => ({
  status: "success",
  ...more,
  data: { resultType: "matrix", result },
});
const world = prometheusAnswer(() =>
  regions.map((region, i) => ({ metric: { region }, valueAt: (time) => (time / 60 + i) % 1_000 })),
);

function open(url: string, more: Partial<ApiSeriesOptions> = {}, env: NodeJS.ProcessEnv = {}) {
  const settings = querySettings(url, env);
  if (settings === undefined) throw new Error("no address");
  const api = new QueryApi(settings, 4);
  const source = new ApiSeries(api, { window, maxPoints: 11_000, parallel: 4, tenant: {}, ...more });
  onTestFinished(() => source.close());
  return { api, source };
}

test("thirty days are asked in parts of at most 11,000 points, a few at a time, and are whole", async () => {
  const api = await queryApi(async (range, response) => {
    while (api.most() < 3) await setImmediate();
    return world(range, response);
  });
  const { source } = open(api.url, { parallel: 3 });
  expect(await source.costOf([asked])).toEqual({ requests: 5, cached: 0, samples: 43_200 });
  const { series, samples } = await source.record(asked);
  expect(samples).toBe(2 * 43_200);
  expect(api.most()).toBe(3);
  expect(api.asked.length).toBe(5);
  for (const [i, { labels, samples }] of series.entries()) {
    expect(labels).toEqual({ region: regions[i] });
    const all = [...samples];
    expect(all.length).toBe(43_200);
    expect(all.every(([time, value], at) => time === window.from + at * 60 && value === (time / 60 + i) % 1_000)).toBe(
      true,
    );
    // It can be read again.
    expect([...samples].length).toBe(43_200);
  }
});

test("parts begin where those of another day begin, so that tomorrow asks only for what is new", async () => {
  const api = await queryApi(world);
  const cache = new AnswerCache(ownFolder());
  await open(api.url, { cache }).source.record(asked);
  const before = api.asked.length;
  const tomorrow = { from: window.from + day, to: window.to + day };
  const { source } = open(api.url, { cache, window: tomorrow });
  // The first part begins a day later, and the last ends a day later.
  expect(await source.costOf([asked])).toMatchObject({ requests: 2, cached: 3 });
  await source.record(asked);
  expect(api.asked.length - before).toBe(2);
});

test("a rerun asks nothing, also with a new token, and has the same samples", async () => {
  const api = await queryApi(world);
  const kept = ownFolder();
  const run = async (token: string) => {
    const env = { OBSERVABILITY_QUERY_TOKEN: token };
    const { source } = open(api.url, { cache: new AnswerCache(kept) }, env);
    const { series } = await source.record(asked);
    return series.map(({ labels, samples }) => [labels, [...samples]]);
  };
  const first = await run("first");
  const sent = api.asked.length;
  expect(sent).toBe(5);
  expect(api.asked[0]?.headers.authorization).toBe("Bearer first");
  expect(await run("second")).toEqual(first);
  expect(api.asked.length - sent).toBe(0);
  expect(readdirSync(kept).every((name) => /^[0-9a-f]{64}\.json\.gz$/.test(name))).toBe(true);
});

test("another tenant, query, interval or address is another answer, and a damaged file is asked anew", async () => {
  const api = await queryApi(world);
  const kept = ownFolder();
  const cost = async (more: object, other: object = {}) =>
    (await open(api.url, { cache: new AnswerCache(kept), ...more }).source.costOf([{ ...asked, ...other }])).requests;
  await open(api.url, { cache: new AnswerCache(kept) }).source.record(asked);
  expect(await cost({})).toBe(0);
  expect(await cost({ tenant: { "x-scope-orgid": "other" } })).toBe(5);
  expect(await cost({}, { query: "up" })).toBe(5);
  expect(await cost({}, { intervalSecs: 30 })).toBe(9);
  for (const name of readdirSync(kept)) writeFileSync(join(kept, name), "damaged");
  const sent = api.asked.length;
  expect((await open(api.url, { cache: new AnswerCache(kept) }).source.record(asked)).samples).toBe(2 * 43_200);
  expect(api.asked.length - sent).toBe(5);
});

test("answers with warnings and of the last minutes are used and not kept", async () => {
  const partly = [{ metric: {}, values: [[window.from, "1"]] }];
  const api = await queryApi((_, response) =>
    answerJson(response, 200, answer(partly, { warnings: ["a store is away"] })),
  );
  const kept = ownFolder();
  const recording = await open(api.url, { cache: new AnswerCache(kept) }).source.record(asked);
  expect(recording).toMatchObject({ samples: 5, warnings: ["a store is away"] });
  expect(readdirSync(kept)).toEqual([]);

  api.answer = (_, response) => answerJson(response, 200, answer([], { isPartial: true }));
  const partial = await open(api.url, { cache: new AnswerCache(kept) }).source.record(asked);
  expect(partial.warnings).toEqual([expect.stringMatching(/^the answer is partial/)]);
  expect(readdirSync(kept)).toEqual([]);

  api.answer = world;
  const now = Math.floor(Date.now() / 60_000) * 60;
  const recent = { from: now - 3_600, to: now };
  await open(api.url, { cache: new AnswerCache(kept), window: recent }).source.record(asked);
  expect(readdirSync(kept)).toEqual([]);
});

test("what fails for a moment is repeated as long as the API asks to wait", async () => {
  const failures = [500, 429, 503];
  const api = await queryApi((range, response) => {
    const status = failures.shift();
    if (status === undefined) return world(range, response);
    response.writeHead(status, { "retry-after": "0" }).end("busy");
  });
  const { source, api: client } = open(api.url, { window: oneHour });
  expect((await source.record(asked)).samples).toBe(120);
  expect([api.asked.length, client.sent]).toEqual([4, 4]);
});

test("a long query is sent in the body", async () => {
  const api = await queryApi(world);
  const query = Array.from({ length: 100 }, (_, i) => `errors_total{job="service-${i}"}`).join(" + ");
  expect((await open(api.url, { window: oneHour }).source.record({ ...asked, query })).samples).toBe(120);
  expect(api.asked).toMatchObject([{ method: "POST", path: "/api/v1/query_range", query }]);
});

test("headers, and a path before that of the API, are kept", async () => {
  const api = await queryApi(world);
  const env = { OBSERVABILITY_QUERY_HEADERS: "X-Scope-OrgID: checkout\n\nX-Other: a: b" };
  await open(`${api.url}/prometheus/api/v1/`, { window: oneHour }, env).source.record(asked);
  expect(api.asked).toMatchObject([
    { path: "/prometheus/api/v1/query_range", headers: { "x-scope-orgid": "checkout", "x-other": "a: b" } },
  ]);
});

const page = "<html><title>Sign in</title></html>";
test.each<[number, object | string, RegExp]>([
  [401, { message: "no token" }, /answered 401: no token; set OBSERVABILITY_QUERY_TOKEN/],
  [403, "forbidden", /answered 403: text\/html beginning "forbidden"; the credentials in/],
  [404, page, /answered 404: text\/html beginning .*the address must be the one that/],
  [302, page, /a redirect to https:\/\/login.example.com\/in, which is not followed/],
  [200, page, /answered 200 with text\/html beginning .*is http.* the address of the query API/],
  [200, { status: "success" }, /with what is no range of samples: it has no "data"/],
  [
    200,
    { ...answer([]), data: { resultType: "vector", result: [] } },
    /its "resultType" is "vector" instead of "matrix"/,
  ],
  [
    200,
    answer([{ metric: {}, values: [[1, 2]] }]),
    /data\.result\[0\]\.values\[0\] is \[1,2\] instead of \[seconds, "value"\]/,
  ],
  [422, { status: "error", error: "many-to-many matching" }, /answered 422: many-to-many matching$/],
  [
    422,
    { status: "error", error: "query processing would load too many samples into memory" },
    /too many samples.*; ask for fewer points at a time by --max-points/,
  ],
])("an answer %i with %j is an error that names query and URL, and no secret", async (status, body, words) => {
  const api = await queryApi((_, response) => {
    const type = typeof body === "string" ? "text/html" : "application/json";
    response.writeHead(status, { "content-type": type, location: "https://login.example.com/in?token=canary" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  });
  const { source } = open(api.url, {}, { OBSERVABILITY_QUERY_TOKEN: "canary" });
  const { message } = await source.record(asked).then(
    () => new Error("it succeeded"),
    (error: unknown) => error as Error,
  );
  expect(message).toMatch(words);
  expect(message).toContain(api.url);
  expect(message).toContain("sum by (region)");
  expect(message).not.toContain("canary");
  // Only the requests that were in flight are sent.
  expect(api.asked.length).toBeLessThanOrEqual(4 * (status === 200 ? 3 : 1));
});

test("JSON that is cut off is an error", async () => {
  const api = await queryApi((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"status":"succ');
  });
  await expect(open(api.url).source.record(asked)).rejects.toThrow(/JSON that is cut off or broken/);
});

test("an API that is away is given up after four attempts, and the other queries are not asked", async () => {
  const { source, api } = open("http://127.0.0.1:1");
  await expect(source.record({ ...asked, intervalSecs: 3_600 })).rejects.toThrow(
    /was refused a connection.*given up after 4/,
  );
  expect(source.outage).toBeInstanceOf(Error);
  await expect(source.record({ ...asked, query: "up" })).rejects.toThrow(/was refused a connection/);
  expect(api.sent).toBe(4);
});

const https = "https://prometheus.example.com";
test.each([
  ["http://user:canary@prometheus.example.com", {}, /URL without credentials/],
  ["prometheus.example.com", {}, /--query-url must be an http or https URL/],
  ["http://prometheus.example.com", { TOKEN: "canary" }, /unencrypted: use https, or set OBSERVABILITY_ALLOW_INSECURE/],
  [https, { TOKEN: "canary\n" }, /must be printable ASCII/],
  [https, { HEADERS: "canary" }, /lines that look like "X-Scope-OrgID: checkout"/],
])("the settings %s with %j are rejected, and no secret is printed", (url, some, words) => {
  const env = Object.fromEntries(Object.entries(some).map(([name, value]) => [`OBSERVABILITY_QUERY_${name}`, value]));
  expect(() => querySettings(url, env)).toThrow(words);
  expect(() => querySettings(url, env)).not.toThrow(/canary/);
});

test("files that nobody reads for 60 days are removed, and only those of the cache", async () => {
  const kept = ownFolder();
  const cache = new AnswerCache(kept);
  await cache.write({ a: 1 }, "{}");
  writeFileSync(join(kept, "mine.txt"), "");
  await cache.sweep(Date.now() + 59 * 86_400_000);
  expect(readdirSync(kept).length).toBe(2);
  await cache.sweep(Date.now() + 61 * 86_400_000);
  expect(readdirSync(kept)).toEqual(["mine.txt"]);
});
