import type { Span } from "../../sdk/behavior/signals";
import { CommandError, type Output } from "../output/output";
import { count, spanText, timeText } from "../output/words";
import { ApiSeries } from "./apiSeries";
import { FileSeries } from "./fileSeries";
import { QueryApi } from "./queryApi";
import { querySettings, queryVariables } from "./querySettings";
import type { MonitorQuery, SeriesSource } from "./recording";

/** The options that select the source of series. */
export interface SeriesFlags {
  readonly queryUrl?: string;
  readonly series?: readonly string[];
  readonly since?: number;
  readonly until?: number;
  readonly days: number;
  readonly maxRequests: number;
  readonly maxPoints: number;
  readonly parallel: number;
}

interface OpenedSeries {
  readonly source: SeriesSource;
  readonly span: Span;
  /** The planned requests and samples, and the number of requests sent so far, with repeats; undefined for files. */
  readonly cost?: () => Record<"requests" | "samplesPerSeries" | "sent", number>;
}

/**
 * Opens the source of series, and tells what they cost before anything is asked.
 * @param leadSecs How much earlier than the span the series must begin.
 * @throws {CommandError} if there is none, or if it would cost more than `--max-requests`
 */
export async function openSeries(
  asked: readonly MonitorQuery[],
  leadSecs: number,
  flags: SeriesFlags,
  output: Output,
): Promise<OpenedSeries> {
  if (flags.series !== undefined) {
    const source = await FileSeries.open(flags.series);
    const span = spanOf(flags, source.span);
    output.line(`reads recorded series of ${spanText(span.to - span.from)}, until ${timeText(span.to)} UTC`);
    const { from, to } = source.span ?? span;
    if (span.from < from || span.to > to) {
      const recorded = `from ${timeText(from)} to ${timeText(to)} UTC`;
      output.warn(`the files have samples ${recorded}: in the rest of the period, queries count as without series`);
    }
    return { source, span };
  }
  const settings = querySettings(flags.queryUrl, process.env);
  if (settings === undefined) {
    throw new CommandError(
      `there are no recorded series: set ${queryVariables.url} or --query-url to a query API of the form that Prometheus has, or name files by --series`,
    );
  }
  const span = spanOf(flags, undefined);
  const api = new QueryApi(settings, flags.parallel);
  let answers = 0;
  const source: ApiSeries = new ApiSeries(api, {
    window: { from: span.from - leadSecs, to: span.to },
    maxPoints: flags.maxPoints,
    parallel: flags.parallel,
    spareRequests: (): number => flags.maxRequests - requests,
    onAnswer: () => output.progress(`${(answers += 1)} of ${Math.max(answers, requests)} answers`),
  });
  const { requests, samples } = source.costOf(asked);
  output.line(
    `asks ${api.address} for ${asked.length === 1 ? "1 query" : `${asked.length} queries`} over ${spanText(span.to - span.from)}: ` +
      `${count(requests, "request")}, ${count(samples, "sample")} of each series`,
  );
  if (requests > flags.maxRequests) {
    throw new CommandError(
      `${count(requests, "request")} are more than --max-requests ${flags.maxRequests}: raise this limit, or ask for less with --days or --monitor`,
    );
  }
  return { source, span, cost: () => ({ requests, samplesPerSeries: samples, sent: api.sent }) };
}

/** The time that is looked at: as the options say, else all of the files, else whole days until last midnight. */
function spanOf({ since, until, days }: SeriesFlags, files: Span | undefined): Span {
  const to = until ?? files?.to ?? Math.floor(Date.now() / 86_400_000) * 86_400;
  const from = since ?? (until === undefined ? files?.from : undefined) ?? to - days * 86_400;
  if (from >= to) throw new CommandError(`--since ${timeText(from)} must be before the end, ${timeText(to)} UTC`);
  return { from, to };
}
