import type { Recording } from "./recording";

/** A query at the interval at which a monitor evaluates it. */
export interface Asked {
  /** The monitor, for messages. */
  readonly title: string;
  readonly query: string;
  readonly intervalSecs: number;
}

/** Where recorded series come from. */
export interface SeriesSource {
  /** @throws {RequestError} or {CommandError} if they cannot be had */
  record(asked: Asked): Promise<Recording>;
  /** The failure that all further queries would have. */
  readonly outage?: unknown;
  close(): Promise<void>;
}
