import type { Span } from "../../sdk/behavior/signals";
import { Limiter } from "../../provider/client/limiter";
import { CommandError } from "../output/output";
import { AnswerError, readAnswer } from "./answer";
import { pointsOf, type QueryApi, rangeQueries, type RangeQuery } from "./queryApi";
import { type MonitorQuery, joined, type Recording, type SeriesSource } from "./recording";

export interface ApiSeriesOptions {
  readonly window: Span;
  /** The most points of a series in one answer. */
  readonly maxPoints: number;
  /** How many requests are in progress at a time. */
  readonly parallel: number;
  /** How many requests may be sent beyond those that were announced. */
  readonly spareRequests: () => number;
  /** Called after each answer. */
  readonly onAnswer?: () => void;
}

/** Records what a query API answers, part by part. */
export class ApiSeries implements SeriesSource {
  readonly #limiter: Limiter;
  readonly #known = new Map<string, Promise<boolean>>();
  #moreRequests = 0;

  constructor(
    private readonly api: QueryApi,
    private readonly options: ApiSeriesOptions,
  ) {
    this.#limiter = new Limiter(options.parallel);
  }

  /** The number of requests, and of samples of each series that a query returns, before anything is sent. */
  costOf(asked: readonly MonitorQuery[]) {
    const ranges = asked.flatMap((each) => this.#ranges(each));
    return { requests: ranges.length, samples: ranges.reduce((sum, range) => sum + pointsOf(range), 0) };
  }

  /** @throws {RequestError} or {CommandError} if a part cannot be had; nothing more is then asked for it. */
  async record(asked: MonitorQuery): Promise<Recording> {
    let failure: Promise<never> | undefined;
    const fail = (error: Error) => (failure ??= Promise.reject(error));
    const parts = this.#ranges(asked).map((range) =>
      this.#limiter.during(() => failure ?? this.#ask(range).catch(fail)),
    );
    return joined(await Promise.all(parts));
  }

  has(selector: string): Promise<boolean | undefined> {
    // Prometheus looks back five minutes from each point.
    const asked = { title: "", query: `count(${selector})`, intervalSecs: 300 };
    const known = this.#known.get(selector);
    if (known !== undefined) return known;
    this.#moreRequests += this.#ranges(asked).length;
    if (this.#moreRequests > this.options.spareRequests()) return Promise.resolve(undefined);
    const found = this.record(asked).then(({ series }) => series.length > 0);
    this.#known.set(selector, found);
    return found;
  }

  async close(): Promise<void> {
    await this.api.close();
  }

  #ranges({ query, intervalSecs }: MonitorQuery): readonly RangeQuery[] {
    return [...rangeQueries(query, intervalSecs, this.options.window, this.options.maxPoints)];
  }

  async #ask(range: RangeQuery): Promise<Recording> {
    const answer = await this.api.ask(range);
    try {
      const part = readAnswer(answer);
      this.options.onAnswer?.();
      return part;
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      throw new CommandError(
        `${this.api.address} answered the query ${JSON.stringify(range.query)} with what is no range of samples: ${error.message}`,
      );
    }
  }
}
