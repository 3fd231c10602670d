import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { keyOf } from "../../sdk/behavior/grouping";
import type { Labels, Sample, Series } from "../../sdk/behavior/signals";
import { type RangeAnswer, readAnswer } from "./answer";

/** The series that a query has returned. They can be read more than once. */
export interface Recording {
  readonly series: readonly Series[];
  /** How many samples all series have together. */
  readonly samples: number;
  readonly warnings: readonly string[];
}

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
  close?(): Promise<void>;
}

/** The answer that a file of the cache holds. */
export const readPart = (file: string): RangeAnswer =>
  readAnswer(JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")));

/** What is known of a part without reading it again. */
export interface RecordedPart {
  readonly file: string;
  readonly labels: readonly Labels[];
  readonly samples: number;
  readonly warnings: readonly string[];
}

export function partOf(file: string, { series, warnings }: RangeAnswer): RecordedPart {
  const samples = series.reduce((sum, each) => sum + each.samples.length, 0);
  return { file, labels: series.map(({ labels }) => labels), samples, warnings };
}

/** A recording in files, of which two parts at most are in memory: the series are read side by side. */
export function recordingOf(parts: readonly RecordedPart[], read: (file: string) => RangeAnswer = readPart): Recording {
  const kept: { file: string; series: Map<string, readonly Sample[]> }[] = [];
  const seriesIn = (file: string) => {
    const found = kept.find((each) => each.file === file);
    if (found !== undefined) return found.series;
    if (kept.length > 1) kept.shift();
    const series = new Map(read(file).series.map(({ labels, samples }) => [keyOf(labels), samples]));
    kept.push({ file, series });
    return series;
  };
  const all = new Map<string, { labels: Labels; files: string[] }>();
  for (const { file, labels } of parts) {
    for (const each of labels) {
      const key = keyOf(each);
      const known = all.get(key) ?? { labels: each, files: [] };
      all.set(key, known);
      known.files.push(file);
    }
  }
  return {
    series: [...all].map(([key, { labels, files }]) => ({
      labels,
      samples: {
        *[Symbol.iterator]() {
          for (const file of files) yield* seriesIn(file).get(key) ?? [];
        },
      },
    })),
    samples: parts.reduce((sum, { samples }) => sum + samples, 0),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
  };
}
