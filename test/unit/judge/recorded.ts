import { valuesOf } from "../../../dist/sdk/testing/notation.js";
import { type PlainMonitor, type Situation, weekdays } from "../../property/behaviors.js";

/** When groups fire, as `promtool test rules` of Prometheus 0.305.0 finds it; typed in by hand. */
export interface Recorded {
  readonly title: string;
  readonly situation: Situation;
  /** `critical us 2-5`: severity, the values of the group's labels, first and last evaluation at which it fires. */
  readonly firing: readonly string[];
}

type Settings = Partial<Pick<PlainMonitor, "signalGrouping" | "schedule">> & {
  readonly intervalSecs?: number;
  readonly warn?: PlainMonitor["seriesConditions"]["defaults"]["warn"];
  readonly overrides?: PlainMonitor["seriesConditions"]["overrides"];
};

const when = (op: string, value = 0, sustainSecs = 0, resolveSustainSecs = 0) => ({
  op,
  value,
  sustainSecs,
  resolveSustainSecs,
});

/** A monitor of one critical condition, and series by region. */
function recorded(
  title: string,
  condition: ReturnType<typeof when>,
  regions: Readonly<Record<string, string>>,
  firing: readonly string[],
  { intervalSecs = 60, warn, overrides = [], signalGrouping = { signalPerSeries: true }, schedule }: Settings = {},
): Recorded {
  const courses = Object.entries(regions).map(([region, notation]) => ({
    labels: { region },
    values: valuesOf(notation),
  }));
  const defaults = { critical: { conditions: [condition] }, ...(warn === undefined ? {} : { warn }) };
  const monitor = { intervalSecs, signalGrouping, seriesConditions: { defaults, overrides } };
  const ticks = Math.max(...courses.map(({ values }) => values.length));
  return {
    title,
    situation: { monitor: schedule === undefined ? monitor : { ...monitor, schedule }, courses, ticks },
    firing,
  };
}

export const recordings: readonly Recorded[] = [
  recorded("fires and resolves at once", when("GT", 1), { eu: "0 1 2 2 1 2" }, ["critical eu 2-3", "critical eu 5-5"]),
  recorded(
    "fires at the first evaluation at which it has held for the time, not after it",
    when("GT", 1, 120),
    { eu: "0 2x5 0" },
    ["critical eu 3-6"],
  ),
  recorded("rounds a time between two evaluations up", when("GT", 1, 90), { eu: "0 2x5 0" }, ["critical eu 3-6"]),
  recorded(
    "forgets what it has waited for when the comparison does not hold once",
    when("GT", 1, 120),
    { eu: "2 2 0 2 2 2 2" },
    ["critical eu 5-6"],
  ),
  recorded("forgets what it has waited for when a sample is missing", when("GT", 1, 120), { eu: "2 2 _ 2 2 2 2" }, [
    "critical eu 5-6",
  ]),
  recorded(
    "resolves after it has not held for the time, and starts anew if it holds in between",
    when("GT", 1, 0, 120),
    { eu: "2 0 0 2 0 0 0 0" },
    ["critical eu 0-5"],
  ),
  recorded("resolves in the same way when samples are missing", when("GT", 1, 0, 120), { eu: "2 _ _ 2 _ _ _ _" }, [
    "critical eu 0-5",
  ]),
  recorded("finds in NaN only a difference", when("NEQ", 1), { eu: "1 NaN 1 _ 2" }, [
    "critical eu 1-1",
    "critical eu 4-4",
  ]),
  recorded("finds no order in NaN", when("GEQ", 0), { eu: "NaN 0 -1 Inf" }, ["critical eu 1-1", "critical eu 3-3"]),
  recorded("fires on any sample with EXISTS", when("EXISTS", 5, 60), { eu: "0 0 NaN _ 1 1" }, [
    "critical eu 1-2",
    "critical eu 5-5",
  ]),
  recorded("fires while there is no sample with NOT_EXISTS", when("NOT_EXISTS", 0, 60), { eu: "1 _ _ _ 1" }, [
    "critical eu 2-3",
  ]),
  recorded("has a signal for each severity", when("GT", 2), { eu: "0 2 3 3 2 0" }, ["critical eu 2-3", "warn eu 1-4"], {
    warn: { conditions: [when("GT", 1)] },
  }),
  recorded("fires while any condition of a severity does", when("GT", 5), { eu: "0 2 2 2 4 0" }, ["warn eu 2-4"], {
    warn: { conditions: [when("GT", 1, 60), when("EQ", 4)] },
  }),
  recorded(
    "is one signal for the series of a group, from the first that fires to the last",
    when("GT", 1),
    { eu: "0 2 2 0 0 0", us: "0 0 2 2 2 0" },
    ["critical  1-4"],
    { signalGrouping: {} },
  ),
  recorded(
    "counts the time of each series, not of the group",
    when("GT", 1, 120),
    { eu: "2 2 0 0 0 0 0", us: "0 0 2 2 2 2 0" },
    ["critical  4-5"],
    { signalGrouping: {} },
  ),
  recorded(
    "takes the first override that matches, in place of all defaults",
    when("GT", 1),
    { eu: "0 2 4 6", us: "0 2 4 6", ussr: "0 2 4 6" },
    ["critical eu 2-3", "critical us 3-3", "critical ussr 1-3", "warn ussr 0-3"],
    {
      warn: { conditions: [when("GEQ", 0)] },
      overrides: [
        {
          labelMatchers: [{ name: "region", type: "REGEX", value: "u|s" }],
          severityConditions: { conditions: [] },
        },
        {
          labelMatchers: [{ name: "region", type: "EXACT", value: "eu" }],
          severityConditions: { conditions: [when("GT", 3)] },
        },
        {
          labelMatchers: [{ name: "region", type: "REGEX", value: "e.|u." }],
          severityConditions: { conditions: [when("GT", 5)] },
        },
      ],
    },
  ),
  recorded(
    "is quiet outside of its schedule, and starts anew inside",
    when("GT", 1, 7200),
    { eu: "2x30" },
    // The epoch is a Thursday: active 08:00–12:00 and from 22:00 to 02:00 on Friday.
    ["critical eu 10-11", "critical eu 24-25"],
    {
      intervalSecs: 3600,
      schedule: {
        timezone: "UTC",
        weeklySchedule: {
          thursday: {
            active: "ONLY_DURING_RANGES",
            ranges: [
              { startHhMm: "08:00", endHhMm: "12:00" },
              { startHhMm: "22:00", endHhMm: "02:00" },
            ],
          },
          friday: { active: "NEVER" },
        },
      },
    },
  ),
  recorded("goes on from Sunday night to Monday", when("GT", 1), { eu: "2x120" }, ["critical eu 94-97"], {
    intervalSecs: 3600,
    schedule: {
      timezone: "UTC",
      weeklySchedule: {
        ...Object.fromEntries(weekdays.map((day) => [day, { active: "NEVER" } as const])),
        sunday: { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "22:00", endHhMm: "02:00" }] },
      },
    },
  }),
];
