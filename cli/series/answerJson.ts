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

/** The same answer with the first sample of each series and its last two only, if they are written as Prometheus does. */
export function withEndsOnly(bytes: Buffer): Buffer {
  const kept: Uint8Array[] = [];
  let end = 0;
  for (let at = bytes.indexOf(`${key}[[`); at >= 0; at = bytes.indexOf(`${key}[[`, at)) {
    const second = bytes.indexOf(",[", at);
    at = bytes.indexOf("]]", at);
    if (at < 0 || second < 0) break;
    if (second > at) continue;
    const lastButOne = bytes.lastIndexOf(",[", bytes.lastIndexOf(",[", at) - 1);
    // A brace belongs to what is no sample.
    if (lastButOne <= second || bytes.subarray(second, lastButOne).includes("{")) continue;
    kept.push(bytes.subarray(end, second));
    end = lastButOne;
  }
  return Buffer.concat([...kept, bytes.subarray(end)]);
}
