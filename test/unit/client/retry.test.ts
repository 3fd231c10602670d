import { describe, expect, test, vi } from "vitest";
import { ApiError, ConnectionError } from "../../../dist/provider/client/errors.js";
import { askedDelayMs, type Headers, Repetition } from "../../../dist/provider/client/retry.js";

const operation = { method: "GET", path: "/", described: true } as const;
const answered = (status: number, retryAfterMs?: number) =>
  new ApiError({ operation, request: "GET /", status, requestId: "r", words: "", isJson: true, retryAfterMs });
const lost = (code: "unreachable" | "timeout" | "connection_lost", mayHaveArrived: boolean) =>
  new ConnectionError({ code, what: "lost", mayHaveArrived });
/** The wait after the last of these failed attempts; undefined if no other one follows. */
async function delayAfter(errors: readonly unknown[], serviceSeen = true, random = 0): Promise<number | undefined> {
  vi.spyOn(Math, "random").mockReturnValue(random);
  let delay: number | undefined;
  const repetition = new Repetition({
    budgetSecs: 1_000,
    serviceSeen: () => serviceSeen,
    onWait: (wait) => (delay = wait.delay),
    signal: AbortSignal.abort(), // Ends each wait at once.
  });
  for (const error of errors) {
    delay = undefined;
    await repetition.waitOrThrow(error).catch(() => undefined);
  }
  return delay;
}

test.each<[string, unknown, number | undefined, (readonly [count: number, serviceSeen?: boolean])?]>([
  ["429, after the time that the service asks for", answered(429, 3_000), 3_000],
  ["429 after our own time", answered(429), 200],
  ["429 never at once, which would be a flood", answered(429, 0), 200],
  ...[502, 503, 504].map((status): [string, unknown, number] => [`${status}`, answered(status), 200]),
  ["500 a second time", answered(500), 400, [2]],
  ["500 no third time", answered(500), undefined, [3]],
  ...[400, 401, 403, 404, 405, 409, 413, 415, 422, 501].map((status): [string, unknown, undefined] => [
    `${status} never`,
    answered(status),
    undefined,
  ]),
  ["what was never sent", lost("unreachable", false), 200],
  ["what was never sent to a service that was never seen", lost("unreachable", false), 800, [3, false]],
  ["what was never sent, not for long then", lost("unreachable", false), undefined, [4, false]],
  ["what was interrupted", lost("connection_lost", true), 200],
  ["a time-out if the service has answered before", lost("timeout", true), 200],
  ["a time-out not otherwise", lost("timeout", true), undefined, [1, false]],
  ["nothing else", new Error("a bug"), undefined],
  ["what failed often, after ten seconds", answered(503), 10_000, [20]],
])("is sent again: %s", async (_, error, ms, more = [1]) => {
  const [count, serviceSeen] = more;
  expect(await delayAfter(Array<unknown>(count).fill(error), serviceSeen)).toBe(ms);
});

test("delays spread by up to a quarter, and only failures of the same cause count towards a limit", async () => {
  expect(await delayAfter([answered(503)], true, 1)).toBe(250);
  expect(await delayAfter([answered(503), answered(503), answered(500)])).toBe(800);
});

describe("how long a refusal asks to wait", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const asked = (headers: Headers, status = 429) => askedDelayMs(status, headers, now);
  // A service whose clock is a minute behind.
  const date = "Wed, 31 Dec 2025 23:59:00 GMT";
  const epoch = now / 1000;

  test("Retry-After in seconds, at any status", () => {
    expect(asked({ "retry-after": "7" })).toBe(7_000);
    expect(asked({ "retry-after": "0" }, 503)).toBe(0);
  });

  test("Retry-After as a date, on the service's own clock where it tells it", () => {
    expect(asked({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" })).toBe(9_000);
    expect(asked({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date }, 503)).toBe(69_000);
    expect(asked({ "retry-after": "Wed, 31 Dec 2025 23:59:04 GMT", date })).toBe(4_000);
    expect(asked({ "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT", date: "noon" })).toBe(9_000);
  });

  test("a date that is past asks for no wait", () => {
    expect(asked({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" })).toBe(0);
  });

  test.each(["ratelimit-reset", "x-ratelimit-reset"])("%s in seconds, where there is no Retry-After", (name) => {
    expect(asked({ [name]: "12" })).toBe(12_000);
    expect(asked({ [name]: "0.5" })).toBe(500);
    expect(asked({ [name]: "12", "retry-after": "3" })).toBe(3_000);
  });

  test("x-ratelimit-reset as a point in time, on the service's own clock where it tells it", () => {
    expect(asked({ "x-ratelimit-reset": `${epoch + 5}` })).toBe(5_000);
    expect(asked({ "x-ratelimit-reset": `${epoch - 50}`, date })).toBe(10_000);
    expect(asked({ "x-ratelimit-reset": `${epoch - 1}` })).toBe(0);
  });

  test("the standard's name goes before the older one", () => {
    expect(asked({ "ratelimit-reset": "1", "x-ratelimit-reset": "9" })).toBe(1_000);
  });

  test("what is left of a quota says nothing about another failure", () => {
    expect(asked({ "ratelimit-reset": "12", "x-ratelimit-reset": "12" }, 503)).toBeUndefined();
  });

  test.each<Headers>([
    {},
    { "retry-after": "soon" },
    { "ratelimit-reset": "soon" },
    { "x-ratelimit-reset": "-1" },
    { "x-ratelimit-reset": ["1", "2"] },
  ])("nothing where it does not say so, or not readably: %j", (headers) => {
    expect(asked(headers)).toBeUndefined();
  });
});
