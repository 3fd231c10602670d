import fc from "fast-check";
import { expect, test } from "vitest";
import { simulate } from "../../dist/sdk/behavior/index.js";
import { isEquivalentInReview, withDefaults } from "../../dist/cli/stacks/equivalence.js";
import { monitor } from "../../dist/provider/kinds/monitor.js";
import { runs } from "../support/figures.js";

// The simulation knows nothing of a normal form: both must fire alike.

const hour = 3_600;
const day = 24 * hour;
// A Monday, 00:00 in UTC.
const monday = 4 * day;

const { root } = monitor;
type Args = Parameters<typeof simulate>[0];
const normalOf = (args: object) => withDefaults(root, args) as Args;

const secs = fc.constantFrom(0, 0, 60, 120, 300);
const condition = fc.record({
  op: fc.constantFrom("GT", "GEQ", "LT", "LEQ", "EQ", "NEQ", "EXISTS"),
  value: fc.constantFrom(1, 2, 3),
  sustainSecs: secs,
  resolveSustainSecs: secs,
});
const conditions = fc.array(condition, { minLength: 1, maxLength: 4 });

const matcher = fc.oneof(
  fc.record({ name: fc.constantFrom("x", "y"), type: fc.constant("EXACT"), value: fc.constantFrom("a", "b", "") }),
  fc.record({
    name: fc.constantFrom("x", "y"),
    type: fc.constant("REGEX"),
    value: fc.constantFrom("a|b", "b|c", "c", ".*", "a.*"),
  }),
);
const overrides = fc.array(
  fc.record({
    labelMatchers: fc.array(matcher, { minLength: 1, maxLength: 2 }),
    severityConditions: fc.record({ conditions: fc.array(condition, { minLength: 1, maxLength: 2 }) }),
  }),
  { maxLength: 5 },
);

const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 30)).map(clockOf);
const ranges = fc.array(fc.record({ startHhMm: time, endHhMm: fc.oneof(time, fc.constant("24:00")) }), {
  minLength: 1,
  maxLength: 3,
});
const daySchedule = fc.oneof(
  fc.constant({ active: "ALL_DAY" }),
  fc.constant({ active: "NEVER" }),
  ranges.map((each) => ({ active: "ONLY_DURING_RANGES", ranges: each })),
);
const names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const week = fc.record(Object.fromEntries(names.map((name) => [name, daySchedule])), { requiredKeys: [] });

function clockOf(parts: readonly number[]): string {
  return parts.map((each) => String(each).padStart(2, "0")).join(":");
}

const labels = ["a", "b", "c", "ab", ""].flatMap((x) => ["a", "c", ""].map((y) => ({ x, y })));

test("conditions and overrides fire for each series as in their normal form", () => {
  const values = fc.array(fc.constantFrom(0, 1, 2, 3, 4), { minLength: 30, maxLength: 30 });
  const property = fc.property(conditions, conditions, overrides, values, (critical, warn, all, samples) => {
    const args = {
      signalGrouping: { signalPerSeries: true },
      seriesConditions: {
        defaults: { critical: { conditions: critical }, warn: { conditions: warn } },
        overrides: all,
      },
    };
    const said = (each: Args) => {
      const series = labels.map((label) => {
        return { labels: label, samples: samples.map((value, i) => [i * 60, value] as const) };
      });
      return simulate(each, series, { from: 0, to: hour });
    };
    expect(said(normalOf(args))).toEqual(said(args));
    const turned = { ...args, seriesConditions: { ...args.seriesConditions, overrides: all.toReversed() } };
    if (isEquivalentInReview(root, args, turned)) expect(said(turned)).toEqual(said(args));
  });
  fc.assert(property, { numRuns: runs(6) });
});

test("a schedule is active as in its normal form", () => {
  const property = fc.property(week, fc.constantFrom("UTC", "Etc/UTC", "Europe/Kyiv"), (weeklySchedule, timezone) => {
    const args = {
      intervalSecs: 600,
      schedule: { timezone, weeklySchedule },
      seriesConditions: { defaults: { warn: { conditions: [{ op: "EXISTS" }] } } },
    };
    const samples = Array.from({ length: 9 * 144 }, (_, i) => [monday + i * 600, 1] as const);
    const said = (each: Args) => simulate(each, [{ labels: {}, samples }], { from: monday, to: monday + 9 * day });
    expect(said(normalOf(args))).toEqual(said(args));
  });
  fc.assert(property, { numRuns: runs(4) });
});
