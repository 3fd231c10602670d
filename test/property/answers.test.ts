import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readAnswer } from "../../dist/cli/series/answer.js";
import { parseAnswer, withEndsOnly } from "../../dist/cli/series/answerJson.js";
import { parseInThread } from "../../dist/cli/series/answerThreads.js";
import { tried } from "../../dist/provider/wire/json.js";
import { runs } from "../support/figures.js";

// The oracle is JSON.parse: an answer whose samples are scanned has the same numbers, bit by bit, and the same errors.

const outcome = (parse: () => unknown) => {
  try {
    const { series, warnings } = readAnswer(parse());
    return { warnings, series: series.map(({ labels, samples }) => [labels, [...samples]]) };
  } catch (error) {
    return String(error);
  }
};
const expectAlike = (text: string) =>
  expect(outcome(() => parseAnswer(Buffer.from(text)))).toEqual(outcome(() => JSON.parse(text)));

// The last ones are the nearest to the middle between two numbers.
const texts = ["NaN", "+Inf", "-Inf", "1e-7", "-0", "0.000", "-0.0000005", "00012.50", "5.", `${2 ** 53}`];
const hardest = ["0.0000610817483635848468", "0.0000622738412590926593", `${2n ** 53n + 1n}`, `${2n ** 52n}.50`];
const digits = (most: number) => fc.stringMatching(new RegExp(`^\\d{1,${most}}$`));
const value = fc.oneof(
  fc.double().map(String),
  fc.double({ min: 1e-6, max: 1e4, noNaN: true }).map(String),
  fc.double({ min: 1e-9, max: 1e-6, noNaN: true }).map((each) => each.toFixed(24)),
  fc.integer({ min: -1_000, max: 1_000 }).map((each) => String(each / 64)),
  fc.tuple(digits(20), digits(25)).map((parts) => parts.join(".")),
  fc.constantFrom(...texts, ...hardest),
);
const time = fc.integer({ min: 1_000, max: 2 ** 41 }).map((each) => String(each / 1_000));
const sample = fc.tuple(time, value).map(([at, text]) => `[${at},"${text}"]`);
const label = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom('"values":[[1,"2"]]', '\\"', "]]"));

/** Members of an object in any order, as JSON. */
const members = (all: Readonly<Record<string, string>>) =>
  fc
    .shuffledSubarray(Object.entries(all), { minLength: Object.keys(all).length })
    .map((some) => `{${some.map(([name, text]) => `"${name}":${text}`).join(",")}}`);
const series = fc
  .tuple(fc.dictionary(label, label, { maxKeys: 2, noNullPrototype: true }), fc.array(sample, { maxLength: 9 }))
  .chain(([metric, values]) => members({ metric: JSON.stringify(metric), values: `[${values.join(",")}]` }));
const answers = fc
  .array(series, { maxLength: 4 })
  .chain((result) => members({ resultType: '"matrix"', result: `[${result.join(",")}]` }))
  .chain((data) => members({ status: '"success"', data, warnings: '["a"]' }));

test("samples as Prometheus writes them are scanned, with the numbers that JSON.parse and Number give", () => {
  const property = fc.property(answers, (text) => {
    const { data } = parseAnswer(Buffer.from(text)) as any;
    // An empty list has nothing to scan.
    const isScanned = ({ values }: any) => values.length === 0 || values instanceof Float64Array;
    expect(data.result.every(isScanned)).toBe(true);
    expectAlike(text);
  });
  fc.assert(property, { numRuns: runs(6) });
});

test("without the middle of its samples, an answer has the same ends, and all else", () => {
  const property = fc.property(answers, (text) => {
    const [whole, ends] = [Buffer.from(text), withEndsOnly(Buffer.from(text))].map((bytes) =>
      readAnswer(parseAnswer(bytes)),
    );
    const expected = whole?.series.map(({ labels, samples }) => {
      const all = [...samples];
      return [labels, all.length > 3 ? [all[0], ...all.slice(-2)] : all];
    });
    expect(ends?.series.map(({ labels, samples }) => [labels, [...samples]])).toEqual(expected);
  });
  fc.assert(property, { numRuns: runs(6) });
});

const answer = (samples: string, more = "") =>
  `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"a":"b"},"values":[${samples}]${more}}]}}`;

test("samples in another form are read or rejected as by JSON.parse", () => {
  const times = ["0", "-1", "1e3", "01", "1.", ".5", '"1"', "null", "", "1.5"];
  const values = [
    "",
    "-",
    ".",
    ".5",
    "-.5",
    "+5",
    "0x10",
    "1_0",
    "Inf",
    " 1",
    "constructor",
    '\\"',
    "\\u0031",
    "é",
    "\t",
  ];
  const samples = [
    "[1]",
    '[1,"2",3]',
    "[1,2]",
    '[ 1,"2"]',
    '[1, "2"]',
    '[1,"2" ]',
    ' [1,"2"]',
    '1,"2"]',
    "{}",
    "[]",
    "",
  ];
  const pairs = [...times, "1"].flatMap((at) => [...values, ...texts, ...hardest].map((text) => `[${at},"${text}"]`));
  for (const each of [...samples, ...pairs])
    for (const some of [each, `${each},[9,"9"]`, `[1,"9"],${each}`]) expectAlike(answer(some));
});

test.each([
  ',"histograms":[[1,{"count":"1"}]]',
  ',"other":{"values":[[1,"2"]]}',
  ',"x\\"values":[[1,"2"]]',
  ',"values":[[1,"2"]]',
  ',"metric":{"values":[[1,"2"]]}',
])("samples beside %s are read or rejected as by JSON.parse", (more) => {
  expectAlike(answer('[1,"9"]', more));
  expectAlike(answer("[]", more));
});

test("an answer that is cut off or damaged at any byte is read or rejected as by JSON.parse", () => {
  const whole = answer('[1,"0.5"],[20.5,"-1"]');
  for (let at = 0; at < whole.length; at++) {
    const [before, after] = [whole.slice(0, at), whole.slice(at + 1)];
    expectAlike(before);
    for (const byte of ["", ...'"[],.0-e x\\{', "\n"]) expectAlike(before + byte + after);
  }
});

test("large answers are parsed in threads, each as by JSON.parse", async () => {
  const whole = ["1", "2", "3", "4"].map((time) => answer(`${`[${time},"0.5"],`.repeat(180_000)}[9,"1"]`));
  const texts = [...whole, ...whole.map((text) => text.slice(0, -1))];
  const parsed = texts.map((text) => parseInThread(Buffer.from(text)).catch((error: Error) => error.name));
  const hash = (numbers: NodeJS.ArrayBufferView = new Uint8Array()) =>
    createHash("sha256").update(numbers).digest("hex");
  const facts = (answer: any) =>
    typeof answer === "string" ? answer : hash(readAnswer(answer).series[0]?.samples.chunks[0]);
  const expected = (text: string) => facts(tried(() => JSON.parse(text)) ?? "SyntaxError");
  expect((await Promise.all(parsed)).map(facts)).toEqual(texts.map(expected));
});
