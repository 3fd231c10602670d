import { expect, test } from "vitest";
import { rateLimiter } from "../../../service/dist/rateLimit.js";

test("a full window opens again when its time is over", () => {
  const admit = rateLimiter({ requests: 2, seconds: 10 });
  admit(0);
  admit(9_000);
  expect(() => admit(9_001)).toThrow(expect.objectContaining({ headers: { "Retry-After": "1" } }));
  admit(10_000);
  admit(10_001);
  expect(() => admit(10_002)).toThrow(expect.objectContaining({ headers: { "Retry-After": "10" } }));
});
