import fc, { type Arbitrary } from "fast-check";
import type { Field } from "../../dist/provider/schema/field.js";
import { knownDatasets } from "./rules.js";

/** Fields of which at most one is there, by the shape that has them. */
export const alternatives: Readonly<Record<string, readonly string[]>> = {
  Notifier: ["email", "oncallA", "oncallB", "oncallC", "chat", "webhook"],
  OncallB: ["routingKey", "serviceKey"],
  HttpConfig: ["bearerToken", "basicAuth"],
  Monitor: ["dottedQuery", "labelQuery", "loggingQuery"],
  SignalGrouping: ["labelNames", "signalPerSeries"],
  Sli: ["customIndicator", "customTimesliceIndicator"],
  CustomIndicator: ["goodQueryTemplate", "badQueryTemplate"],
};
/** Those shapes that may do without any. */
export const mayLackAll = ["Notifier", "HttpConfig", "SignalGrouping"];

export const durations = ["1m", "90m", "24h", "1d", "1440m", "28d", "4w", "672h"];

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const urls = (words: Arbitrary<string>) =>
  fc.oneof(
    words.map((each) => `https://hook.example.com/${each}`),
    words.map((each) => `http://${each}.test:8080`),
  );
/** A URL that carries credentials: long enough to be redacted from a message without garbling it. */
const secretUrl = urls(word.map((end) => `secret-${end}`));
const query = fc.oneof(
  fc.constantFrom("up", "sum(up)", "errors_total"),
  word.map((region) => `up{region="${region}"} > 1`),
);
const seconds = fc.integer({ min: 1, max: 3_600 });
const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const times = ["00:00", "08:30", "19:05", "23:59"];

const byFormat: Readonly<Record<string, Arbitrary<unknown>>> = {
  promql: query,
  labelFilters: word.map((value) => `region="${value}"`),
  duration: fc.constantFrom(...durations),
};
const byName: Readonly<Record<string, Arbitrary<unknown>>> = {
  metricName: fc.stringMatching(/^[a-z_:][a-z0-9_:.]{0,8}$/),
  to: fc.oneof(
    word.map((name) => `${name}@example.com`),
    word.map((name) => `The ${name} <${name}@example.com>`),
    word.map((name) => `a@example.com, ${name}@localhost`),
  ),
  timezone: fc.constantFrom("UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires"),
  active: fc.constantFrom("ALL_DAY", "ONLY_DURING_RANGES", "ONLY_DURING_RANGES", "NEVER", "HOLIDAYS"),
  startHhMm: fc.constantFrom(...times),
  endHhMm: fc.constantFrom(...times, "24:00"),
  datasetSlug: fc.constantFrom(...knownDatasets),
  intervalSecs: fc.oneof(seconds, fc.constantFrom(60, 2 ** 53 - 1)),
  sustainSecs: seconds,
  resolveSustainSecs: seconds,
  objective: fc.oneof(number(1e-9, 99.999999), fc.constantFrom(50, 99.9, 99.99)),
  budget: number(1e-9, 100),
  // Of four shares the sum is at most 100.
  percentOfLicense: fc.oneof(number(0, 25), fc.integer({ min: 0, max: 25 }), number(0, 100)),
  ...Object.fromEntries(["minSecs", "maxSecs", "min", "max"].map((name) => [name, number(0, 1e6)])),
  "QueryVariable.name": fc.constantFrom("scope", "other"),
  "ParameterisedQuery.labelExpr": fc.oneof(query, fc.constant("up{$scope} > 2")),
};

/** What the values of a scalar are drawn from, if its type does not tell. */
export function drawnFor(shape: string, name: string, { options }: Field): Arbitrary<unknown> | undefined {
  if (options.secret === "url") return secretUrl;
  if (/url$|^(?:href|src|titleLink)$/i.test(name)) return urls(word);
  return byName[`${shape}.${name}`] ?? byName[name] ?? byFormat[options.format ?? ""];
}
