import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Span } from "../../sdk/behavior/signals";
import { isOutage } from "../../provider/client/answers";
import { Limiter } from "../../provider/client/limiter";
import { CommandError } from "../report/output";
import { AnswerError, type RangeAnswer, readAnswer } from "./answer";
import { AnswerCache } from "./cache";
import { pointsOf, type QueryApi, rangeQueries, type RangeQuery } from "./queryApi";
import {
  type Asked,
  type RecordedPart,
  partOf,
  readPart,
  type Recording,
  recordingOf,
  type SeriesSource,
} from "./recording";

/** What is to be asked, before anything is sent. */
export interface Cost {
  readonly requests: number;
  readonly cached: number;
  /** For each series that a query returns, of all queries together. */
  readonly samples: number;
}

export interface ApiSeriesOptions {
  readonly window: Span;
  /** The most points of a series in one answer. */
  readonly maxPoints: number;
  /** How many requests are under way at a time. */
  readonly parallel: number;
  /** Answers of earlier runs; none are kept without it. */
  readonly cache?: AnswerCache | undefined;
  /** What else tells one tenant's answers from another's; it goes only into a digest. */
  readonly tenant: object;
  /** Called after each answer, from the API or from the cache. */
  readonly onAnswer?: () => void;
}

/** Samples arrive late: what is younger is asked again. */
const settledSecs = 600;

/** Records what a query API answers, part by part, on disk. */
export class ApiSeries implements SeriesSource {
  readonly #limiter: Limiter;
  /** Holds what is not to be kept: answers that may still change. */
  #passing: Promise<string> | undefined;
  /** The failure that every query would have. */
  outage: unknown;

  constructor(
    private readonly api: QueryApi,
    private readonly options: ApiSeriesOptions,
  ) {
    this.#limiter = new Limiter(options.parallel);
  }

  async costOf(asked: readonly Asked[]): Promise<Cost> {
    let [requests, cached, samples] = [0, 0, 0];
    for (const range of asked.flatMap((each) => this.#ranges(each))) {
      if (await this.options.cache?.has(this.#keyOf(range))) cached += 1;
      else {
        requests += 1;
        samples += pointsOf(range);
      }
    }
    return { requests, cached, samples };
  }

  /** @throws {RequestError} or {CommandError} if a part cannot be had; nothing more is then asked for it. */
  async record(asked: Asked): Promise<Recording> {
    let failure: unknown;
    const parts = this.#ranges(asked).map((range) =>
      this.#limiter.during(async () => {
        if (failure !== undefined || this.outage !== undefined) throw failure ?? this.outage;
        try {
          return await this.#part(range);
        } catch (error) {
          failure = error;
          if (isOutage(error)) this.outage = error;
          throw error;
        }
      }),
    );
    return recordingOf(await Promise.all(parts));
  }

  /** Removes what is not kept. */
  async close(): Promise<void> {
    const folder = await this.#passing;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    await this.api.close();
  }

  #ranges({ query, intervalSecs }: Asked): readonly RangeQuery[] {
    return [...rangeQueries(query, intervalSecs, this.options.window, this.options.maxPoints)];
  }

  #keyOf(range: RangeQuery): object {
    return { version: 1, address: this.api.address, tenant: this.options.tenant, ...range };
  }

  async #part(range: RangeQuery): Promise<RecordedPart> {
    const kept = await this.options.cache?.find(this.#keyOf(range));
    const part = kept === undefined ? undefined : keptPart(kept);
    const known = part ?? (await this.#ask(range));
    this.options.onAnswer?.();
    return known;
  }

  async #ask(range: RangeQuery): Promise<RecordedPart> {
    const { text, body } = await this.api.ask(range);
    let answer: RangeAnswer;
    try {
      answer = readAnswer(body);
    } catch (error) {
      if (!(error instanceof AnswerError)) throw error;
      throw new CommandError(
        `${this.api.address} answered the query ${JSON.stringify(range.query)} with what is no range of samples: ${error.message}`,
      );
    }
    const isSettled = range.end < Date.now() / 1_000 - settledSecs && answer.warnings.length === 0;
    const cache = (isSettled && this.options.cache) || new AnswerCache(await this.#passingFolder());
    return partOf(await cache.write(this.#keyOf(range), text), answer);
  }

  #passingFolder(): Promise<string> {
    return (this.#passing ??= mkdtemp(join(tmpdir(), "observability-backtest-")));
  }
}

/** A part that was kept; undefined if its file is damaged. */
function keptPart(file: string): RecordedPart | undefined {
  try {
    return partOf(file, readPart(file));
  } catch {
    return undefined;
  }
}
