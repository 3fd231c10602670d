import { describe, expect, test } from "vitest";
import { ApiError, ConnectionError } from "../../../dist/provider/client/errors.js";
import { parseRetryAfter, retryDelayMs } from "../../../dist/provider/client/retry.js";

const operation = { method: "GET", path: "/", described: true } as const;
const answered = (status: number, retryAfterMs?: number) =>
  new ApiError({ operation, request: "GET /", status, requestId: "r", words: "", isJson: true, retryAfterMs });
const lost = (code: "unreachable" | "timeout" | "interrupted", mayHaveArrived: boolean) =>
  new ConnectionError(code, "lost", mayHaveArrived);
const first = { count: 1, serviceSeen: true, repeatable: true };
const delay = (attempt: Parameters<typeof retryDelayMs>[0]) => retryDelayMs(attempt, () => 0);

describe("what is sent again", () => {
  test("429 for every method, after the time that the service asks for", () => {
    expect(delay({ ...first, repeatable: false, error: answered(429, 3_000) })).toBe(3_000);
    expect(delay({ ...first, repeatable: false, error: answered(429) })).toBe(200);
    // Never at once: that would be a flood.
    expect(delay({ ...first, error: answered(429, 0) })).toBe(200);
  });

  test.each([502, 503, 504])("%i where a repeat changes nothing more", (status) => {
    expect(delay({ ...first, error: answered(status) })).toBe(200);
    expect(delay({ ...first, repeatable: false, error: answered(status) })).toBeUndefined();
  });

  test("500 twice", () => {
    expect(delay({ ...first, count: 2, error: answered(500) })).toBe(400);
    expect(delay({ ...first, count: 3, error: answered(500) })).toBeUndefined();
  });

  test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 501])("%i never", (status) => {
    expect(delay({ ...first, error: answered(status) })).toBeUndefined();
  });

  test("what was never sent, for every method, and not for long where the service was never seen", () => {
    const error = lost("unreachable", false);
    expect(delay({ ...first, repeatable: false, error })).toBe(200);
    expect(delay({ ...first, serviceSeen: false, count: 3, error })).toBe(800);
    expect(delay({ ...first, serviceSeen: false, count: 4, error })).toBeUndefined();
  });

  test("what may have arrived only where a repeat changes nothing more", () => {
    expect(delay({ ...first, error: lost("interrupted", true) })).toBe(200);
    expect(delay({ ...first, repeatable: false, error: lost("interrupted", true) })).toBeUndefined();
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

test("Retry-After is read as seconds and as a date, and left aside where it is neither", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(parseRetryAfter("7", now)).toBe(7_000);
  expect(parseRetryAfter("Thu, 01 Jan 2026 00:00:09 GMT", now)).toBe(9_000);
  expect(parseRetryAfter("Wed, 31 Dec 2025 00:00:00 GMT", now)).toBe(0);
  expect(parseRetryAfter("soon", now)).toBeUndefined();
  expect(parseRetryAfter(undefined, now)).toBeUndefined();
});
