import { parse } from "yaml";
import { z } from "zod";
import { formatPath, type Path } from "../../provider/schema/walk";
import { isObject } from "../../provider/wire/json";
import { runsIn, samplesOf } from "../../sdk/testing/notation";
import { secondsIn, timeIn } from "../../provider/base/durations";
import { utf8Text } from "../../provider/base/utf8";
import { readBytes } from "../output/files";
import { CommandError } from "../output/output";
import { AnswerError, readAnswer } from "./answer";
import { withEndsOnly } from "./answerJson";
import { parseInThread } from "./answerThreads";
import type { Recording } from "./recording";

/** A number, or a text that is read as one. */
const scalar = (read: (text: string) => number | undefined) =>
  z.union([z.number(), z.string().transform((text) => read(text) ?? Number.NaN)]);

const time = scalar(timeIn);
const step = scalar(secondsIn);

const noted = z.strictObject({
  query: z.string().optional(),
  start: time.refine(Number.isFinite, "is no time such as 2026-11-01T00:00:00Z, with its zone"),
  interval: step.refine((secs) => secs > 0, "is no duration such as 30s or 1m"),
  series: z.array(z.strictObject({ labels: z.record(z.string(), z.string()).default({}), values: z.string() })),
});

/** The content of a file. */
interface SeriesFile extends Recording {
  readonly query: string | undefined;
  /** The seconds from one value to the next; undefined if the file does not say. */
  readonly step: number | undefined;
}

/**
 * Reads a file in one of two forms: the answer of a query API to a range query, beside whose "data" may stand the "query",
 * or series in promtool's notation.
 * @param endsOnly Leaves samples out of an answer, except the first one of each series and the last two.
 * @throws {CommandError} that names the file
 */
export async function readSeriesFile(path: string, { endsOnly = false } = {}): Promise<SeriesFile> {
  try {
    return seriesIn(await readYaml(path, endsOnly));
  } catch (error) {
    if (!(error instanceof AnswerError || error instanceof SyntaxError)) throw error;
    throw new CommandError(`"${path}" holds no recorded series: ${error.message}`);
  }
}

function seriesIn(value: unknown): SeriesFile {
  if (isObject(value) && ("data" in value || "status" in value)) {
    const query = typeof value.query === "string" ? value.query : undefined;
    return { ...readAnswer(value), query, step: undefined };
  }
  const result = noted.safeParse(value);
  if (!result.success) {
    const { issues } = result.error;
    // A misspelled key is also one that is missing.
    const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
    throw new AnswerError(
      `${formatPath((issue?.path ?? []) as Path)} ${issue?.message ?? ""}: expected an answer of "/api/v1/query_range", or start, interval and series`.trim(),
    );
  }
  const { query, start, interval, series } = result.data;
  return {
    query,
    step: interval,
    series: series.map(({ labels, values }) => ({ labels, samples: samplesOf(runsIn(values), start, interval) })),
    warnings: [],
  };
}

async function readYaml(path: string, endsOnly: boolean): Promise<unknown> {
  const bytes = readBytes(path);
  try {
    // JSON is YAML too, but is read a hundred times faster.
    if (!path.endsWith(".json")) return parse(utf8Text(bytes));
    return await parseInThread(endsOnly ? withEndsOnly(bytes) : bytes);
  } catch (error) {
    throw new AnswerError((error as Error).message.split("\n")[0]);
  }
}
