/** The severities of the API, the most severe first. */
export const severities = ["critical", "warn"] as const;
export type Severity = (typeof severities)[number];

/** A series' or a signal's labels. */
export type Labels = Readonly<Record<string, string>>;

/** A value at a time in seconds since the epoch. */
export type Sample = readonly [seconds: number, value: number];

/** One series of a monitor's query, evaluated at each of the monitor's intervals. */
export interface Series {
  readonly labels: Labels;
  /** In order of time. Read once, and all series side by side, so that they can be streamed. */
  readonly samples: Iterable<Sample>;
}

/** A span of time in seconds since the epoch; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A group of series that fired with a severity. */
export interface Signal {
  readonly severity: Severity;
  /** The group's labels. */
  readonly labels: Labels;
  readonly firedAt: number;
  /** Absent if it still fires at the end. */
  readonly resolvedAt?: number;
}

/** A notification, which is sent when signals of a severity begin. */
export interface Notification {
  readonly at: number;
  readonly severity: Severity;
  /** The labels of each group that begins to fire. */
  readonly labels: readonly Labels[];
}

export interface Simulation {
  readonly signals: readonly Signal[];
  readonly notifications: readonly Notification[];
}
