/** The facts of a request that are counted: one count per distinct combination. */
export interface Request {
  /** The operation's id, `updateMonitor`; null if no served operation matched. */
  readonly operation: string | null;
  readonly method: string;
  /** The path template, `/api/v1/config/monitors/{slug}`; `*` if the document has none. */
  readonly path: string;
  readonly dryRun: boolean;
  readonly createIfMissing: boolean;
  readonly status: number;
}

export interface RequestCount extends Request {
  readonly count: number;
}

export interface Counts {
  readonly total: number;
  readonly requests: readonly RequestCount[];
}

/** Counts answered requests since the start or the last reset. */
export class Counters {
  readonly #counts = new Map<string, number>();

  add(request: Request): void {
    const key = JSON.stringify(request);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  counts(): Counts {
    const requests = [...this.#counts].map(([key, count]) => ({ ...(JSON.parse(key) as Request), count }));
    return { total: requests.reduce((total, { count }) => total + count, 0), requests };
  }

  reset(): void {
    this.#counts.clear();
  }
}
