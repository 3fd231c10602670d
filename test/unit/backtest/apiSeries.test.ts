import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { ApiSeries, type ApiSeriesOptions } from "../../../dist/cli/series/apiSeries.js";
import { QueryApi } from "../../../dist/cli/series/queryApi.js";
import type { Recording } from "../../../dist/cli/series/recording.js";
import { querySettings } from "../../../dist/cli/series/querySettings.js";
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
  const source = new ApiSeries(api, { window, maxPoints: 11_000, parallel: 4, spareRequests: () => 2, ...more });
  onTestFinished(() => source.close());
  return { api, source };
}

const countIn = ({ series }: Recording) => series.reduce((sum, { samples }) => sum + [...samples].length, 0);

test("thirty days are asked in parts of at most 11,000 points, a few at a time, and are whole", async () => {
  const api = await queryApi(async (range, response) => {
    while (api.most() < 3) await setImmediate();
    return world(range, response);
  });
  const { source } = open(api.url, { parallel: 3 });
  expect(source.costOf([asked])).toEqual({ requests: 4, samples: 43_200 });
  const { series } = await source.record(asked);
  expect(api.most()).toBe(3);
  expect(api.asked.length).toBe(4);
  expect(series.length).toBe(2);
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

test("a series that is in some parts only is whole, and each warning is told once", async () => {
  const two = { from: window.from, to: window.from + 22_000 * 60 };
  const api = await queryApi(({ start }, response) => {
    const late = start === window.from ? [] : [{ metric: { late: "x" }, values: [[start, "2"]] }];
    const result = [{ metric: {}, values: [[start, "1"]] }, ...late];
    answerJson(
      response,
      200,
      answer(result, { warnings: ["a store is away"], infos: ["no counter"], isPartial: true }),
    );
  });
  const { series, warnings } = await open(api.url, { window: two }).source.record(asked);
  expect(series.map(({ labels, samples }) => [labels, [...samples].map(([, value]) => value)])).toEqual([
    [{}, [1, 1]],
    [{ late: "x" }, [2]],
  ]);
  expect(warnings).toEqual(["a store is away", "no counter", expect.stringMatching(/^the answer is partial/)]);
});

test("what fails for a moment is repeated as long as the API asks to wait", async () => {
  const failures = [500, 429, 503];
  const api = await queryApi((range, response) => {
    const status = failures.shift();
    if (status === undefined) return world(range, response);
    response.writeHead(status, { "retry-after": "0" }).end("busy");
  });
  const { source, api: client } = open(api.url, { window: oneHour });
  expect(countIn(await source.record(asked))).toBe(120);
  expect([api.asked.length, client.sent]).toEqual([4, 4]);
});

test("a long query is sent in the body", async () => {
  const api = await queryApi(world);
  const query = Array.from({ length: 100 }, (_, i) => `errors_total{job="service-${i}"}`).join(" + ");
  expect(countIn(await open(api.url, { window: oneHour }).source.record({ ...asked, query }))).toBe(120);
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
  [401, { message: "no token" }, /answered 401: no token. Set OBSERVABILITY_QUERY_TOKEN/],
  [403, "forbidden", /answered 403: text\/html beginning "forbidden"\. Use credentials in/],
  [404, page, /answered 404: text\/html beginning .*Set the URL without/],
  [302, page, /a redirect to "https:\/\/login.example.com\/in"\. Redirects are not followed/],
  [200, page, /answered 200 with text\/html beginning .*Check that http.* is the URL of the query API/],
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
  [
    200,
    answer([{ metric: {}, values: [[1, "constructor"]] }]),
    /data\.result\[0\]\.values\[0\] is \[1,"constructor"\] instead of/,
  ],
  [422, { status: "error", error: "many-to-many matching" }, /answered 422: many-to-many matching$/],
  [
    422,
    { status: "error", error: "query processing would load too many samples into memory" },
    /too many samples.*\. Request fewer points at a time with --max-points/,
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

test.each(["gets no answer", "is to be repeated in an hour"])("close ends a request that %s", async (what) => {
  const api = await queryApi(({ query }, response) => {
    if (query === "wrong") answerJson(response, 422, { error: "no" });
    else if (what !== "gets no answer") response.writeHead(503, { "retry-after": "200" }).end();
  });
  const { source, api: client } = open(api.url, { window: oneHour });
  await expect(source.record({ ...asked, query: "wrong" })).rejects.toThrow("answered 422: no");
  const waiting = expect(source.record(asked)).rejects.toThrow("because the run was interrupted");
  while (api.asked.length < 2) await setImmediate();
  await source.close();
  await waiting;
  expect(client.sent).toBe(2);
});

test("JSON that is cut off is an error", async () => {
  const api = await queryApi((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end('{"status":"succ');
  });
  await expect(open(api.url).source.record(asked)).rejects.toThrow(/JSON that is truncated or malformed/);
});

test("an API that is away is given up after four attempts", async () => {
  const { source, api } = open("http://127.0.0.1:1");
  await expect(source.record({ ...asked, intervalSecs: 3_600 })).rejects.toThrow(
    /failed: connection refused.*Gave up after 4/,
  );
  expect(api.sent).toBe(4);
});

test("an API that is asked in https but answers in http is told with the setting to change", async () => {
  const { url } = await queryApi((_, response) => void response.end());
  const { source } = open(url.replace("http:", "https:"));
  await expect(source.record(asked)).rejects.toThrow(/port does not use TLS.*http:\/\/ in the URL of the query API/);
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
