import fc from "fast-check";
import type { MonitorArgs } from "pulumi-observability";
import type { Sample, Series } from "../../dist/sdk/behavior/signals.js";
import type { Drawn } from "./random.js";

/** A monitor's arguments without outputs. */
export interface PlainMonitor extends MonitorArgs {
  readonly intervalSecs: number;
  readonly schedule?: PlainSchedule;
  readonly seriesConditions: {
    readonly defaults: Partial<Readonly<Record<"critical" | "warn", { readonly conditions: PlainCondition[] }>>>;
    readonly overrides?: PlainOverride[];
  };
  readonly signalGrouping: { readonly labelNames?: string[]; readonly signalPerSeries?: boolean };
}

export type PlainCondition = Drawn<ReturnType<typeof condition>>;

interface PlainOverride {
  readonly labelMatchers: Drawn<typeof matcher>[];
  readonly severityConditions: { readonly conditions: PlainCondition[] };
}

export interface PlainSchedule {
  readonly timezone: string;
  readonly weeklySchedule: Record<string, PlainDay>;
}

interface PlainDay {
  readonly active: "ALL_DAY" | "ONLY_DURING_RANGES" | "NEVER";
  readonly ranges?: { readonly startHhMm: string; readonly endHhMm: string }[];
}

/** A series by its values; undefined is a missing sample. */
export interface Course {
  readonly labels: Readonly<Record<string, string>>;
  readonly values: readonly (number | undefined)[];
}

/** A monitor, and what its query returns at each evaluation from the epoch on. */
export interface Situation {
  readonly monitor: PlainMonitor;
  readonly courses: readonly Course[];
  readonly ticks: number;
}

/** A course's samples, one at each evaluation. */
export const seriesOf = ({ monitor: { intervalSecs }, courses }: Situation): Series[] =>
  courses.map(({ labels, values }) => ({
    labels,
    samples: values.flatMap((value, i): Sample[] => (value === undefined ? [] : [[i * intervalSecs, value]])),
  }));

const minutes = (...choices: readonly number[]) => fc.constantFrom(...choices.map((each) => each * 60));
const levels = [0, 1, 2, 3];

/** Values that stay for a while, so that something lasts; sometimes none at all. */
const courseValues = (ticks: number) =>
  fc
    .array(
      fc.record({
        value: fc.oneof(
          { weight: 8, arbitrary: fc.constantFrom<number | undefined>(...levels) },
          { weight: 3, arbitrary: fc.constant(undefined) },
          { weight: 1, arbitrary: fc.constantFrom<number | undefined>(NaN, Infinity, -Infinity) },
        ),
        length: fc.integer({ min: 1, max: 8 }),
      }),
      { minLength: 4, maxLength: 24 },
    )
    .map((runs) => {
      const values = runs.flatMap(({ value, length }) => Array<number | undefined>(length).fill(value));
      const isSilent = runs.length === 4;
      return Array.from({ length: ticks }, (_, i) => (isSilent ? undefined : values[i % values.length]));
    });

const ops = ["GT", "GEQ", "LT", "LEQ", "EQ", "NEQ", "EXISTS", "NOT_EXISTS"];

const condition = (sustains: fc.Arbitrary<number>, resolves: fc.Arbitrary<number>) =>
  fc.record({
    op: fc.constantFrom(...ops),
    value: fc.constantFrom(...levels),
    sustainSecs: sustains,
    resolveSustainSecs: resolves,
  });

const matcher = fc.oneof(
  fc.record({
    name: fc.constantFrom("region", "pod"),
    type: fc.constant("EXACT" as const),
    value: fc.constantFrom<string[]>("eu", "us", "a", "e"),
  }),
  fc.record({
    name: fc.constantFrom("region", "pod"),
    type: fc.constant("REGEX" as const),
    value: fc.constantFrom<string[]>("e.*", "u", "a|b", "(?i)EU", "[^u].", ".*"),
  }),
);

const timeOfDay = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 15, 30) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`);

const day: fc.Arbitrary<PlainDay> = fc.oneof(
  fc.constantFrom<PlainDay>({ active: "ALL_DAY" }, { active: "NEVER" }),
  fc
    .array(fc.record({ startHhMm: timeOfDay, endHhMm: fc.oneof(timeOfDay, fc.constant("24:00")) }), {
      minLength: 1,
      maxLength: 2,
    })
    .map((ranges): PlainDay => ({ active: "ONLY_DURING_RANGES", ranges })),
);

export const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const schedule = (timezones: fc.Arbitrary<string>): fc.Arbitrary<PlainSchedule> =>
  fc.record({
    timezone: timezones,
    weeklySchedule: fc.record(Object.fromEntries(weekdays.map((name) => [name, day])), {
      requiredKeys: [],
      noNullPrototype: true,
    }) as fc.Arbitrary<Record<string, PlainDay>>, // A day that is left out is absent, and active.
  });

/** The labels of up to four series, in any order. */
const labelSets = fc.shuffledSubarray(
  ["eu", "us"].flatMap((region) => ["a", "b"].map((pod) => ({ region, pod }))),
  { minLength: 1 },
);

const grouping = fc.constantFrom<PlainMonitor["signalGrouping"]>(
  { signalPerSeries: true },
  { labelNames: ["region"] },
  { labelNames: ["region", "pod"] },
  {},
);

/** Situations over some tens of evaluations; with a schedule these are hours, else minutes. */
export const situations = (
  withSchedule: boolean,
  timezones: fc.Arbitrary<string> = fc.constant("UTC"),
): fc.Arbitrary<Situation> => {
  const unit = withSchedule ? 30 : 1;
  const times = minutes(...[0, 0.5, 1, 2, 2.5, 5].map((each) => each * unit));
  const ticks = withSchedule ? 96 : 60;
  const some = fc.array(condition(times, times), { minLength: 1, maxLength: 2 });
  return fc
    .record({
      intervalSecs: fc.constant(60 * unit),
      critical: some,
      warn: fc.option(some, { nil: undefined }),
      overrides: fc.array(
        fc.record({
          labelMatchers: fc.array(matcher, { minLength: 1, maxLength: 2 }),
          severityConditions: fc.record({ conditions: fc.array(condition(times, times), { maxLength: 2 }) }),
        }),
        { maxLength: 3 },
      ),
      signalGrouping: grouping,
      schedule: withSchedule ? schedule(timezones) : fc.constant(undefined),
      labels: labelSets,
      values: fc.array(courseValues(ticks), { minLength: 4, maxLength: 4 }),
    })
    .map(({ labels, values, critical, warn, overrides, intervalSecs, signalGrouping, schedule }) => ({
      monitor: {
        intervalSecs,
        signalGrouping,
        ...(schedule === undefined ? {} : { schedule }),
        seriesConditions: {
          defaults: {
            critical: { conditions: critical },
            ...(warn === undefined ? {} : { warn: { conditions: warn } }),
          },
          overrides,
        },
      },
      courses: labels.map((each, i) => ({ labels: each, values: values[i] ?? [] })),
      ticks,
    }));
};
