import type { Span } from "../../behaviour/signals";

/** A range query: the value of `query` at each `step` from `start` to `end`, in seconds. */
export interface RangeQuery {
  readonly query: string;
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

export const pointsOf = ({ start, end, step }: RangeQuery) => Math.floor((end - start) / step) + 1;

/**
 * The window in parts of at most `maxPoints` points each. Whole parts begin at multiples of their length since the epoch:
 * another window, such as that of tomorrow, has the same parts, and finds their answers in the cache.
 */
export function* rangeQueries(query: string, step: number, window: Span, maxPoints: number): Generator<RangeQuery> {
  const length = step * maxPoints;
  const last = Math.ceil(window.to / step) * step - step;
  for (let start = Math.ceil(window.from / step) * step; start <= last;) {
    const next = (Math.floor(start / length) + 1) * length;
    yield { query, step, start, end: Math.min(next - step, last) };
    start = next;
  }
}
