import fc from "fast-check";
import { afterAll } from "vitest";
import { endAll } from "./ends.js";
import { seed } from "./figures.js";

const timeLimitMs = Number(process.env.TEST_TIME_LIMIT_MS);
// Shrinking ends before the test's time does: the error has what it found until then.
fc.configureGlobal({ seed, interruptAfterTimeLimit: timeLimitMs * 0.7, markInterruptAsFailure: true });
// Loaded again for each test file.
afterAll(endAll);
