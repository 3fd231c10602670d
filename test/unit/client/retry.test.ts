import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError } from "../../../dist/provider/client/errors.js";
import { askedDelayMs, type Headers, retryDelayMs } from "../../../dist/provider/client/retry.js";

const operation = { method: "GET", path: "/", described: true } as const;
const answered = (status: number, retryAfterMs?: number) =>
  new ApiError({ operation, request: "GET /", status, requestId: "r", words: "", isJson: true, retryAfterMs });
const lost = (code: "unreachable" | "timeout" | "connection_lost", mayHaveArrived: boolean) =>
  new ConnectionError(code, { what: "lost", mayHaveArrived });
const first = { count: 1, serviceSeen: true };
const delay = (attempt: Parameters<typeof retryDelayMs>[0]) => retryDelayMs(attempt, () => 0);

describe("what is sent again", () => {
  test("429, after the time that the service asks for", () => {
    expect(delay({ ...first, error: answered(429, 3_000) })).toBe(3_000);
    expect(delay({ ...first, error: answered(429) })).toBe(200);
    // Never at once: that would be a flood.
    expect(delay({ ...first, error: answered(429, 0) })).toBe(200);
  });

  test.each([502, 503, 504])("%i", (status) => {
    expect(delay({ ...first, error: answered(status) })).toBe(200);
  });

  test("500 twice", () => {
    expect(delay({ ...first, count: 2, error: answered(500) })).toBe(400);
    expect(delay({ ...first, count: 3, error: answered(500) })).toBeUndefined();
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 501])("%i never", (status) => {
    expect(delay({ ...first, error: answered(status) })).toBeUndefined();
  });

  test("what was never sent, and not for long where the service was never seen", () => {
    const error = lost("unreachable", false);
    expect(delay({ ...first, error })).toBe(200);
    expect(delay({ ...first, serviceSeen: false, count: 3, error })).toBe(800);
    expect(delay({ ...first, serviceSeen: false, count: 4, error })).toBeUndefined();
  });

  test("what was interrupted", () => {
    expect(delay({ ...first, error: lost("connection_lost", true) })).toBe(200);
  });

  test("a time-out only where the service has answered before", () => {
    expect(delay({ ...first, error: lost("timeout", true) })).toBe(200);
    expect(delay({ ...first, serviceSeen: false, error: lost("timeout", true) })).toBeUndefined();
  });

  test("nothing else", () => {
    expect(delay({ ...first, error: new Error("a bug") })).toBeUndefined();
  });

  test("delays double up to ten seconds, and spread by up to a quarter", () => {
    expect(delay({ ...first, count: 20, error: answered(503) })).toBe(10_000);
    expect(retryDelayMs({ ...first, error: answered(503) }, () => 1)).toBe(250);
  });
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
