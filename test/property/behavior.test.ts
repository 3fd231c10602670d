import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulate } from "../../dist/sdk/behavior/simulate.js";
import { runs } from "../support/figures.js";
import { type PlainSchedule, seriesOf, type Situation, situations, weekdays } from "./behaviors.js";
import { differenceFromNaive } from "./naive.js";
import type { Drawn } from "./random.js";
import type { Series } from "../../dist/sdk/behavior/signals.js";

/** Zones with and without daylight saving, with odd offsets and a change of half an hour. */
const zones = fc.constantFrom<string>(
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
);

// A Monday, and days before clocks change in Berlin and New York, in spring and autumn 2026, and on Lord Howe Island.
const starts = ["2026-03-27", "2026-03-30", "2026-10-23", "2026-03-06", "2026-10-30", "2026-04-03", "2026-10-02"].map(
  (day) => Date.parse(`${day}T00:00:00Z`) / 1000,
);

/** A situation that begins at some time and goes on for some evaluations, of which some are before the simulation. */
const trials = fc.record({
  situation: fc.oneof(situations(false), situations(true, zones)),
  start: fc.constantFrom(0, ...starts),
  // Longer than what is evaluated in one go.
  ticks: fc.oneof(
    { weight: 9, arbitrary: fc.constant<number>(200) },
    { weight: 1, arbitrary: fc.constantFrom<number[]>(1_025, 1_100) },
  ),
  /** The evaluations before `from`. */
  before: fc.constantFrom(0, 0, 7),
  /** Seconds between `from` and an evaluation before it. */
  between: fc.constantFrom(0, 0, 10),
  /** Seconds between an evaluation and its sample. */
  late: fc.constantFrom(0, 0, 20),
  /** Whether there are two samples in each interval. */
  isDense: fc.integer({ min: 0, max: 3 }).map((choice) => choice === 0),
});
type Trial = Drawn<typeof trials>;

/** Where a simulation does not do what the rules say. */
function differenceOf({ situation, start, ticks, before, between, late, isDense }: Trial): object | undefined {
  const { monitor, courses } = situation;
  const { intervalSecs } = monitor;
  const series = courses.map(({ labels, values }): Series => {
    const samples = Array.from({ length: ticks }, (_, i) => {
      const time = start + i * intervalSecs - late;
      const earlier = isDense ? [[time - intervalSecs / 2, values[(i + 3) % values.length]] as const] : [];
      return [...earlier, [time, values[i % values.length]] as const];
    }).flat();
    return {
      labels,
      samples: samples.filter((sample): sample is readonly [number, number] => sample[1] !== undefined),
    };
  });
  const span = { from: start + before * intervalSecs + between, to: start + ticks * intervalSecs };
  return differenceFromNaive(monitor, series, span);
}

const edge = (op: string, sustainSecs: number, values: readonly number[], schedule?: PlainSchedule): Trial => ({
  situation: {
    monitor: {
      intervalSecs: 60,
      ...(schedule === undefined ? {} : { schedule }),
      signalGrouping: {},
      seriesConditions: {
        defaults: { critical: { conditions: [{ op, value: 1, sustainSecs, resolveSustainSecs: 0 }] } },
      },
    },
    courses: [{ labels: {}, values }],
    ticks: values.length,
  },
  start: schedule === undefined ? 0 : Date.parse("2026-03-30T00:00:00Z") / 1000,
  ticks: values.length,
  before: 0,
  between: 0,
  late: 0,
  isDense: false,
});

const never = Object.fromEntries(weekdays.map((day) => [day, { active: "NEVER" } as const]));
const sundayNight = { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "22:00", endHhMm: "02:00" }] } as const;

/** What chance hardly finds: the ends of what is evaluated in one go, 1,024 times, and of a week. */
const edges: readonly Trial[] = [
  edge("GT", 180, [...Array<number>(1_022).fill(0), 2, 2, 2, 2, 2, 2]),
  edge("GT", 0, [...Array<number>(1_024).fill(0), 2]),
  edge("GT", 0, Array<number>(180).fill(2), {
    timezone: "UTC",
    weeklySchedule: { ...never, sunday: { ...sundayNight, ranges: [...sundayNight.ranges] } },
  }),
];

const anySituation = fc.oneof(situations(false), situations(true, zones));

const endOf = ({ monitor, ticks }: Situation) => ticks * monitor.intervalSecs;
const outcome = (situation: Situation, series: readonly Series[] = seriesOf(situation)) =>
  simulate(situation.monitor, series, { from: 0, to: endOf(situation) });

const hold = <T>(property: fc.IProperty<T>) => fc.assert(property, { numRuns: runs() });

describe("a simulation", () => {
  test("does what its rules say, also over weeks in which clocks change", () => {
    for (const edge of edges) expect(differenceOf(edge)).toBeUndefined();
    hold(
      fc.property(trials, (trial) => {
        expect(differenceOf(trial)).toBeUndefined();
      }),
    );
  });

  test("says the same of samples that come from a stream", () => {
    function* streamed(series: Series): Generator<readonly [number, number]> {
      yield* series.samples;
    }
    hold(
      fc.property(anySituation, (situation) => {
        const series = seriesOf(situation).map((each) => ({ labels: each.labels, samples: streamed(each) }));
        expect(outcome(situation, series)).toEqual(outcome(situation));
      }),
    );
  });
});
