import { ApiError } from "./errors.js";

/** The number of requests that one token may send in so many seconds. */
export interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

interface Window {
  readonly until: number;
  readonly used: number;
}

/** Counts requests per caller in windows, each of which starts with a request. Throws if a window is full. */
export class RateLimiter {
  readonly #limit: RequestLimit;
  readonly #windows = new Map<string, Window>();

  constructor(limit: RequestLimit) {
    this.#limit = limit;
  }

  admit(caller: string, now: number): void {
    const { requests, seconds } = this.#limit;
    const open = this.#windows.get(caller);
    const window = open === undefined || open.until <= now ? { until: now + seconds * 1_000, used: 0 } : open;
    if (window.used >= requests) {
      throw new ApiError("rateLimited", `more than ${requests} requests in ${seconds} s`, {
        headers: { "Retry-After": String(Math.ceil((window.until - now) / 1_000)) },
      });
    }
    this.#windows.set(caller, { ...window, used: window.used + 1 });
  }
}
