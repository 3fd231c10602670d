import { ApiError } from "./errors.js";

/** The number of requests that the token may send in so many seconds. */
export interface RequestLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Counts requests in windows, each of which starts with a request. What it returns throws if the window is full. */
export function rateLimiter({ requests, seconds }: RequestLimit): (now: number) => void {
  let [until, used] = [0, 0];
  return (now) => {
    if (until <= now) [until, used] = [now + seconds * 1_000, 0];
    if (used >= requests) {
      throw new ApiError("rateLimited", `more than ${requests} requests in ${seconds} s`, {
        headers: { "Retry-After": String(Math.ceil((until - now) / 1_000)) },
      });
    }
    used += 1;
  };
}
