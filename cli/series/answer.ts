import { PackedSamples, type PackedSeries } from "../../sdk/behavior/packed";
import type { Sample } from "../../sdk/behavior/signals";
import { isObject, nounOf } from "../../provider/wire/json";
import type { Recording } from "./recording";

/** An answer to a range query, or a file of series, has another form; the message says which. */
export class AnswerError extends Error {}

/**
 * Reads the answer to a range query, https://prometheus.io/docs/prometheus/latest/querying/api/#range-queries.
 * @param answer From `parseAnswer`.
 * @throws {AnswerError}
 */
export function readAnswer(answer: unknown): Recording {
  if (!isObject(answer)) throw new AnswerError(`it is ${nounOf(answer)} instead of an object`);
  if (answer.status === "error")
    throw new AnswerError(`it is an error: ${String(answer.error ?? "it does not say which")}`);
  const data = answer.data;
  if (!isObject(data) || !Array.isArray(data.result)) throw new AnswerError('it has no "data" with a "result"');
  if (data.resultType !== "matrix") {
    throw new AnswerError(
      `its "resultType" is ${JSON.stringify(data.resultType)} instead of "matrix": ask "/api/v1/query_range"`,
    );
  }
  const partial = answer.isPartial === true ? [partialWarning] : [];
  const warnings = [...textsIn(answer.warnings), ...textsIn(answer.infos), ...partial];
  return { series: data.result.map(readSeries), warnings };
}

// VictoriaMetrics: https://docs.victoriametrics.com/victoriametrics/cluster-victoriametrics/#cluster-availability
const partialWarning =
  'the answer is partial ("isPartial"): some of its storage was away, so series or samples are missing';

const textsIn = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);

function readSeries(result: unknown, at: number): PackedSeries {
  const place = `data.result[${at}]`;
  if (!isObject(result) || !isObject(result.metric)) throw new AnswerError(`${place} has no "metric"`);
  const { values, histograms } = result;
  if (Array.isArray(histograms) && (histograms.length > 0 || values === undefined)) {
    const remedy = "take a number from them in the query, such as histogram_quantile(0.99, …)";
    throw new AnswerError(`${place} has histograms: ${remedy}`);
  }
  if (!Array.isArray(values) && !(values instanceof Float64Array)) throw new AnswerError(`${place} has no "values"`);
  const labels = Object.entries(result.metric).map(([name, value]): readonly [string, string] => {
    if (typeof value === "string") return [name, value];
    throw new AnswerError(`${place}.metric has a label "${name}" that is ${nounOf(value)} instead of a string`);
  });
  const numbers = values instanceof Float64Array ? values : numbersOf(values, place);
  return { labels: Object.fromEntries(labels), samples: new PackedSamples([numbers]) };
}

const numbersOf = (values: readonly unknown[], place: string) =>
  Float64Array.from(values.flatMap((pair, i) => readSample(pair, `${place}.values[${i}]`)));

function readSample(pair: unknown, place: string): Sample {
  const [seconds, text] = Array.isArray(pair) ? pair : [];
  const value = typeof text === "string" ? sampleValue(text) : undefined;
  if (typeof seconds === "number" && value !== undefined) return [seconds, value];
  throw new AnswerError(`${place} is ${JSON.stringify(pair)} instead of [seconds, "value"]`);
}

/** The value of a sample, from its text; undefined if it is none. */
export function sampleValue(text: string): number | undefined {
  if (text === "NaN") return NaN;
  const value = text === "+Inf" ? Infinity : text === "-Inf" ? -Infinity : Number(text);
  return Number.isNaN(value) ? undefined : value;
}
