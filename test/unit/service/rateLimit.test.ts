import { expect, test } from "vitest";
import { RateLimiter } from "../../../service/src/rateLimit.js";

test("a full window opens again when its time is over, for each caller alone", () => {
  const limiter = new RateLimiter({ requests: 2, seconds: 10 });
  limiter.admit("a", 0);
  limiter.admit("a", 9_000);
  expect(() => limiter.admit("a", 9_001)).toThrow(expect.objectContaining({ headers: { "Retry-After": "1" } }));
  limiter.admit("b", 9_001);
  limiter.admit("a", 10_000);
  limiter.admit("a", 10_001);
  expect(() => limiter.admit("a", 10_002)).toThrow(expect.objectContaining({ headers: { "Retry-After": "10" } }));
});
