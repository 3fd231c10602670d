import { basename, extname } from "node:path";
import type { Span } from "../../sdk/behavior/signals";
import { prometheusDuration } from "../../sdk/behavior/durations";
import { filesIn } from "../output/files";
import { CommandError } from "../output/output";
import type { MonitorQuery, Recording, SeriesSource } from "./recording";
import { readSeriesFile } from "./seriesFile";

interface Found {
  readonly path: string;
  readonly query: string | undefined;
  readonly step: number | undefined;
}

/** Series in files: a file is found by the query that it names, else by its name, which is then the monitor's slug. */
export class FileSeries implements SeriesSource {
  /** The query that each file found by its name was taken for. */
  readonly #taken = new Map<string, string>();

  private constructor(
    private readonly files: readonly Found[],
    /** The time of all samples; undefined if there are none. */
    readonly span: Span | undefined,
  ) {}

  /** @param paths Files and folders of .json, .yml and .yaml files. @throws {CommandError} */
  static async open(paths: readonly string[]): Promise<FileSeries> {
    let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const files: Found[] = [];
    for (const path of paths.flatMap((each) => filesIn(each))) {
      const { query, step, series } = await readSeriesFile(path, { endsOnly: true });
      for (const numbers of series.flatMap(({ samples }) => samples.chunks)) {
        from = Math.min(from, numbers[0] ?? from);
        to = Math.max(to, endOf(numbers) ?? to);
      }
      files.push({ path, query: query?.trim(), step });
    }
    if (files.length === 0) {
      throw new CommandError(`there is no .json, .yml or .yaml file in ${paths.map((path) => `"${path}"`).join(", ")}`);
    }
    return new FileSeries(files, from <= to ? { from, to } : undefined);
  }

  async record({ title, query, intervalSecs }: MonitorQuery): Promise<Recording> {
    const byQuery = this.files.filter((file) => file.query === query.trim());
    const byName = this.files.filter(({ path }) => basename(path, extname(path)) === title);
    const [file, other] = byQuery.length > 0 ? byQuery : byName.filter((each) => each.query === undefined);
    if (file === undefined) {
      const [named] = byName;
      throw new CommandError(
        named === undefined
          ? `no file of --series has "query: ${query}", and none is named "${title}.json" or "${title}.yml"`
          : `"${named.path}" answers another query (${named.query ?? ""}) than ${query}`,
      );
    }
    if (other !== undefined)
      throw new CommandError(`"${file.path}" and "${other.path}" answer the same query: ${query}`);
    const taken = this.#taken.get(file.path);
    if (file.query === undefined && taken !== undefined && taken !== query) {
      throw new CommandError(
        `"${file.path}" does not say which query it answers, and the change has two: add "query: ${query}" or "query: ${taken}"`,
      );
    }
    this.#taken.set(file.path, query);
    const recording = await readSeriesFile(file.path);
    const step = file.step ?? stepOf(recording.series.flatMap(({ samples }) => samples.chunks));
    // Between two values nothing holds, so that a condition is never sustained.
    if (step !== undefined && step > intervalSecs) {
      throw new CommandError(
        `"${file.path}" has a value every ${prometheusDuration(step)}, and the monitor is evaluated every ${prometheusDuration(intervalSecs)}: record it with that step`,
      );
    }
    return recording;
  }
}

// Fewer may all be longer than the step by chance: an expression like "a > 5" has samples only while it is true.
const tellingGaps = 20;

/** An answer does not say its step, but every distance between two samples of a series is a multiple of it. */
function stepOf(all: readonly Float64Array[]): number | undefined {
  let [gaps, step] = [0, 0];
  for (const numbers of all) {
    for (let i = 2; i < numbers.length; i += 2) {
      const gap = (numbers[i] ?? NaN) - (numbers[i - 2] ?? NaN);
      if (gap !== step) step = commonDivisor(step, gap);
      gaps += 1;
    }
  }
  return gaps < tellingGaps ? undefined : step;
}

const commonDivisor = (one: number, other: number): number => (other === 0 ? one : commonDivisor(other, one % other));

/** The last sample and the time until the next one. */
function endOf(numbers: Float64Array): number | undefined {
  const [last, before] = [numbers.at(-2), numbers.at(-4)];
  return last === undefined ? undefined : last + (before === undefined ? 1 : last - before);
}
