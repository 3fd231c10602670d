import { utf8Text } from "../../provider/base/utf8";
import { entries, items, parseJson } from "../../provider/wire/json";
import { SampleScanner } from "./sampleScanner";

const key = '"values":';

/**
 * Reads an answer of a query API, in which the "values" of a series may be numbers, a time and a value in turn: pairs take
 * JSON.parse several times as long. It reads all else, and samples that Prometheus would write in another way.
 * @throws {SyntaxError} if this is no JSON
 */
export function parseAnswer(bytes: Buffer): unknown {
  const scanner = new SampleScanner(bytes);
  // The samples that are cut out, by the number that stands for them, which no answer has.
  const cut = new Map<unknown, Float64Array>();
  const mark = Math.random();
  const rest: Uint8Array[] = [];
  let end = 0;
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, at)) {
    at += key.length;
    const samples = scanner.samplesAt(at);
    if (samples === undefined) continue;
    rest.push(bytes.subarray(end, at), Buffer.from(`${mark + cut.size}`));
    cut.set(mark + cut.size, samples);
    at = end = scanner.end;
  }
  if (cut.size > 0) {
    const answer = entries(parseJson(utf8Text(Buffer.concat([...rest, bytes.subarray(end)]))));
    const data = entries(answer.data);
    const result = items(data.result).map((each) => {
      const { values, ...series } = entries(each);
      const samples = cut.get(values);
      return cut.delete(values) ? { ...series, values: samples } : each;
    });
    // Else they are elsewhere, or this is no JSON.
    if (cut.size === 0) return { ...answer, data: { ...data, result } };
  }
  return JSON.parse(utf8Text(bytes));
}
