import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { monitor } from "../../dist/provider/kinds/monitor.js";
import { simulate } from "../../dist/sdk/behavior/index.js";
import { comparisonOf } from "../../dist/cli/consequences/changed.js";
import { runs } from "../support/figures.js";
import { weekdays } from "./behaviors.js";
import { holds } from "./naive.js";
import { answerTo, edits, keyOf, print, worlds } from "./promql.js";

// The sets of values that fire, before and after, by enumeration. The review's direction must be that of the subsets.

type Condition = Readonly<{ op: string; value: number; sustainSecs?: number; resolveSustainSecs?: number }>;
type Labels = Readonly<Record<string, string>>;
type Monitor = ReturnType<typeof monitorOf>;
type Verdict = "nothing" | "alerts-less" | "alerts-more" | "unclear";

const ops = ["GT", "GEQ", "LT", "LEQ", "EQ", "NEQ", "EXISTS", "NOT_EXISTS"];
const limits = [1, 2, 3];
/** Undefined is a missing sample. */
const values = [-Infinity, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, Infinity, NaN, undefined];
const allLabels: readonly Labels[] = ["", "eu", "us", "ey", "ez", "x"].flatMap((region) =>
  ["", "prod", "y"].map((env) => ({ region, env })),
);

interface Override {
  readonly labelMatchers: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  readonly severityConditions: { readonly conditions: readonly Condition[] };
}

const monitorOf = (
  critical: readonly Condition[],
  warn: readonly Condition[],
  overrides: readonly Override[] = [],
) => ({
  labelQuery: "up",
  seriesConditions: {
    defaults: { critical: { conditions: critical }, warn: { conditions: warn } },
    overrides,
  },
});

/** The severities that a value of a series fires. */
function firing({ seriesConditions: { defaults, overrides } }: Monitor, labels: Labels, value: number | undefined) {
  const { critical, warn } = { critical: defaults.critical.conditions, warn: defaults.warn.conditions };
  const own = overrides.find(({ labelMatchers }) =>
    labelMatchers.every(({ name, type, value: text }) =>
      type === "EXACT" ? labels[name] === text : new RegExp(`^(?:${text})$`).test(labels[name] ?? ""),
    ),
  )?.severityConditions.conditions;
  const isWarn = critical.length === 0 && warn.length > 0;
  const [asCritical, asWarn] = own === undefined ? [critical, warn] : isWarn ? [[], own] : [own, []];
  return [asCritical, asWarn].map((all) => all.some((each) => holds(each, value)));
}

const verdictOf = (isLost: boolean, isGained: boolean): Verdict =>
  isLost && isGained ? "unclear" : isLost ? "alerts-less" : isGained ? "alerts-more" : "nothing";

/** What the sets say, with the severities as independent, and with critical as a more severe warning. */
function expected(before: Monitor, after: Monitor): readonly [byset: Verdict, byLevel: Verdict] {
  // Labels matter to overrides alone.
  const isAlike = [before, after].every(({ seriesConditions: { overrides } }) => overrides.length === 0);
  const all = allLabels
    .slice(0, isAlike ? 1 : undefined)
    .flatMap((labels) => values.map((value) => [firing(before, labels, value), firing(after, labels, value)] as const));
  const isLost = (i: number) => all.some(([old, now]) => old[i] === true && now[i] !== true);
  const isGained = (i: number) => all.some(([old, now]) => old[i] !== true && now[i] === true);
  const level = ([critical, warn]: readonly boolean[]) => (critical === true ? 2 : warn === true ? 1 : 0);
  const levels = all.map(([old, now]) => level(now) - level(old));
  return [
    verdictOf([0, 1].some(isLost), [0, 1].some(isGained)),
    verdictOf(
      levels.some((each) => each < 0),
      levels.some((each) => each > 0),
    ),
  ];
}

const findingsOf = (before: object, after: object) =>
  comparisonOf({ kind: monitor, changedSecrets: [], unsureSecrets: [], unknowns: [] }, { ...before }, { ...after })
    .findings;

/** What all findings together say. */
function togetherOf(findings: ReturnType<typeof findingsOf>): Verdict {
  const found = new Set(findings.map(({ direction }) => direction));
  return found.size > 1 ? "unclear" : ([...found][0] ?? "nothing");
}

const said = (before: object, after: object) => togetherOf(findingsOf(before, after));

const comparisons = ops.flatMap((op) => limits.map((value) => ({ op, value })));

test("each comparison that becomes another one has the direction of the values that fire, in one sentence", () => {
  // Two limits are less, equal and greater.
  const some = comparisons.filter(({ value }) => value < 3);
  const wrong = some.flatMap((old) =>
    some.flatMap((now) => {
      const [before, after] = [monitorOf([old], []), monitorOf([now], [])];
      const [wanted] = expected(before, after);
      const found = findingsOf(before, after).map(({ direction, text }) => `${direction}: ${text}`);
      const isRight = wanted === "nothing" ? found.length === 0 : found.length === 1 && found[0]?.startsWith(wanted);
      return isRight === true
        ? []
        : [`${old.op} ${old.value} → ${now.op} ${now.value} is ${wanted}: ${found.join("; ")}`];
    }),
  );
  expect(wrong).toEqual([]);
});

const condition = fc.constantFrom(...comparisons);
const conditions = (minLength: number) => fc.array(condition, { minLength, maxLength: 3 });
const matcher = fc.constantFrom(
  { name: "region", type: "EXACT", value: "eu" },
  { name: "region", type: "EXACT", value: "us" },
  { name: "region", type: "REGEX", value: "eu|us" },
  { name: "region", type: "REGEX", value: "e(u|y)" },
  { name: "region", type: "REGEX", value: "e[^s]" },
  { name: "region", type: "REGEX", value: "e.+" },
  { name: "region", type: "REGEX", value: ".*" },
  { name: "env", type: "EXACT", value: "prod" },
);
const override = fc
  .tuple(fc.uniqueArray(matcher, { maxLength: 2, selector: ({ name }) => name }), conditions(0))
  .map(([labelMatchers, all]): Override => ({ labelMatchers, severityConditions: { conditions: all } }));

const isUnread = ({ seriesConditions }: Monitor) => JSON.stringify(seriesConditions).includes("e[^s]");

describe("changed lists of conditions have the direction of the values that fire", () => {
  test("by severity", () => {
    const lists = fc.tuple(conditions(0), conditions(0)).map(([critical, warn]) => monitorOf(critical, warn));
    const property = fc.property(lists, lists, (before, after) => {
      const [wanted, byLevel] = expected(before, after);
      const found = said(before, after);
      if (wanted !== "unclear" || byLevel === "unclear") expect(found).toBe(wanted);
      else expect([wanted, byLevel]).toContain(found);
    });
    fc.assert(property, { numRuns: runs(1, 10) });
  });

  test("with an override", () => {
    const lists = fc
      .tuple(conditions(1), conditions(0), fc.array(override, { maxLength: 1 }))
      .map(([critical, warn, overrides]) => monitorOf(critical, warn, overrides));
    const property = fc.property(lists, fc.array(override, { maxLength: 1 }), (before, overrides) => {
      const { critical, warn } = before.seriesConditions.defaults;
      const after = monitorOf(critical.conditions, warn.conditions, overrides);
      const [wanted] = expected(before, after);
      if (isUnread(before) || isUnread(after)) expect([wanted, "unclear"]).toContain(said(before, after));
      else expect(said(before, after)).toBe(wanted);
    });
    fc.assert(property, { numRuns: runs(1, 10) });
  });

  test("never say less, more or nothing where several overrides do something else", () => {
    const lists = fc
      .tuple(conditions(0), conditions(0), fc.array(override, { maxLength: 3 }))
      .map(([critical, warn, overrides]) => monitorOf(critical, warn, overrides));
    const turned = lists.chain((before) =>
      fc.shuffledSubarray([...before.seriesConditions.overrides]).map((overrides) => {
        const { critical, warn } = before.seriesConditions.defaults;
        return [before, monitorOf(critical.conditions, warn.conditions, overrides)] as const;
      }),
    );
    const property = fc.property(fc.oneof(fc.tuple(lists, lists), turned), ([before, after]) => {
      const found = said(before, after);
      if (found !== "unclear") expect(expected(before, after)).toContain(found);
    });
    fc.assert(property, { numRuns: runs(1, 10) });
  });
});

test("a condition that lasts, resolves or is evaluated at other times has the direction of what the simulation fires", () => {
  const secs = fc.constantFrom(0, 1, 60, 61, 120);
  const lasting = fc
    .tuple(condition, secs, secs)
    .map(([each, sustainSecs, resolveSustainSecs]) => ({ ...each, sustainSecs, resolveSustainSecs }));
  const interval = fc.constantFrom(60, 60, 30, 90, 120);
  const lists = fc
    .tuple(fc.array(lasting, { minLength: 1, maxLength: 2 }), interval)
    .map(([all, intervalSecs]) => ({ ...monitorOf(all, []), intervalSecs }));
  const courses = fc.array(fc.constantFrom(...values), { minLength: 24, maxLength: 24 });
  const rounded = ({ intervalSecs, ...each }: Monitor & { readonly intervalSecs: number }) => {
    const up = (secs = 0) => Math.ceil(secs / intervalSecs) * intervalSecs;
    const all = each.seriesConditions.defaults.critical.conditions.map(
      ({ op, value, sustainSecs, resolveSustainSecs }) => ({
        ...{ op, value, sustainSecs: up(sustainSecs), resolveSustainSecs: up(resolveSustainSecs) },
      }),
    );
    return { ...monitorOf(all, []), intervalSecs };
  };
  const property = fc.property(lists, lists, courses, (before, after, course) => {
    const samples = course.flatMap((value, i) => (value === undefined ? [] : [[i * 30, value] as const]));
    const [old, now] = [before, after].map(
      (each) => simulate(each as never, [{ labels: {}, samples }], { from: 0, to: 720 }).signals,
    );
    /** Whether signals begin while none of the others fires. */
    const isMissed = (some: typeof old = [], others: typeof old = []) =>
      some.some(
        ({ firedAt: at }) => !others.some(({ firedAt, resolvedAt = Infinity }) => firedAt <= at && at < resolvedAt),
      );
    const [found, fired] = [said(before, after), verdictOf(isMissed(old, now), isMissed(now, old))];
    if (found !== "unclear") expect(["nothing", found]).toContain(fired);
    if (found === "nothing") expect(now).toEqual(old);
    expect(found).toBe(said(rounded(before), rounded(after)));
    expect(said(before, rounded(before))).toBe("nothing");
  });
  fc.assert(property, { numRuns: runs(1, 10) });
});

test("another query for the same conditions never has a wrong direction", () => {
  const labels = [undefined, "1", "2"].flatMap((x) => [undefined, "1", "2"].map((y) => ({ x, y })));
  const series = labels.map((each) => keyOf(JSON.parse(JSON.stringify(each)) as Labels));
  const property = fc.property(
    edits,
    conditions(1),
    fc.array(worlds, { minLength: 8, maxLength: 8 }),
    (queries, critical, some) => {
      const [before, after] = queries.map((each) => ({ ...monitorOf(critical, []), labelQuery: print(each) }));
      const found = said(before ?? {}, after ?? {});
      for (const world of found === "unclear" ? [] : some) {
        const answers = queries.map((each) => answerTo(each, world));
        // The query fails on a side.
        if (!answers.every((each) => typeof each === "object")) continue;
        const [old = [], now = []] = answers.map((samples) =>
          series.map((key) => {
            const value = samples.find(({ labels }) => keyOf(labels) === key)?.value;
            return critical.some((each) => holds(each, value));
          }),
        );
        const fired = verdictOf(
          old.some((each, i) => each && !now[i]),
          now.some((each, i) => each && !old[i]),
        );
        expect(["nothing", found]).toContain(fired);
      }
    },
  );
  fc.assert(property, { numRuns: runs(2, 40) });
});

const zones = ["Europe/Berlin", "Europe/Paris", "Europe/London", "America/New_York", "Asia/Kolkata", "UTC"] as const;
/** Zones whose clocks change at other hours of the same night, or at other nights. */
const nights = [
  ...["America/Chicago", "America/Los_Angeles", "America/Havana", "Europe/Athens", "Europe/Bucharest", "Asia/Beirut"],
  ...["Europe/Chisinau", "Australia/Sydney", "Australia/Adelaide", "Australia/Brisbane", "Australia/Lord_Howe"],
] as const;

interface Schedule {
  readonly timezone: string;
  /** Active hours by the day of the week. */
  readonly hours: readonly (readonly [from: number, to: number])[];
}

const scheduled = ({ timezone, hours }: Schedule) => {
  const clock = (hour: number) => `${String(Math.floor(hour)).padStart(2, "0")}:${hour % 1 === 0 ? "00" : "30"}`;
  const entries = hours.map(([from, to], day): [string, object] => [
    weekdays[day] ?? "",
    from === to
      ? { active: "NEVER" }
      : { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: clock(from), endHhMm: clock(to) }] },
  ]);
  return {
    ...monitorOf([{ op: "GT", value: 1 }], []),
    schedule: { timezone, weeklySchedule: Object.fromEntries(entries) },
  };
};

const localTimes = new Map<string, readonly (readonly [date: string, day: number, hour: number])[]>();

const [firstDay, endDay] = ["2029-12-31", "2030-12-30"];

/** The local half hours of more than the year that is compared. */
function localTimesIn(timeZone: string) {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "short" });
  const offsetAt = (ms: number) => Date.parse(`${format.format(ms).replace(" ", "T")}Z`) - ms;
  return Array.from({ length: 373 }, (_, day) => Date.parse(firstDay) + (day - 1) * 86_400_000).flatMap((start) => {
    const offset = offsetAt(start);
    // Clocks change once on a day.
    const isSteady = offset === offsetAt(start + 86_400_000);
    return Array.from({ length: 48 }, (_, i) => {
      const ms = start + i * 1_800_000;
      const local = new Date(ms + (isSteady ? offset : offsetAt(ms)));
      const hour = local.getUTCHours() + local.getUTCMinutes() / 60;
      return [local.toISOString().slice(0, 10), (local.getUTCDay() + 6) % 7, hour] as const;
    });
  });
}

/** The date of each half hour, and whether the schedule is active. */
function halfHours({ timezone, hours }: Schedule) {
  const all = localTimes.get(timezone) ?? localTimesIn(timezone);
  localTimes.set(timezone, all);
  return all.map(([date, day, hour]) => {
    const [from, to] = hours[day] ?? [0, 0];
    return { date, isActive: hour >= from && hour < to };
  });
}

const months = Array.from({ length: 12 }, (_, i) =>
  new Date(Date.UTC(2030, i)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);

/** The months in `(4 days a year, March and October)` and `(22 days a year, October to March)`, by number. */
const monthsIn = (text: string) =>
  [...text.matchAll(/days? a year, ([^)]+)/g)].flatMap(([, all = ""]) => {
    const named = (all.match(/[A-Z]\w+/g) ?? []).map((name) => months.indexOf(name));
    const [from = 0, to = 0] = named;
    return all.includes(" to ")
      ? Array.from({ length: ((to - from + 12) % 12) + 1 }, (_, i) => (from + i) % 12)
      : named;
  });

/** What is said of a change, and the months in which something else happens, unless it is each week. */
function expectHalfHours(before: Schedule, after: Schedule) {
  const [old, now] = [halfHours(before), halfHours(after)];
  const turned = (to: boolean) =>
    now.filter(
      ({ date, isActive }, i) => date >= firstDay && date < endDay && isActive === to && old[i]?.isActive === !to,
    );
  const [lost, gained] = [turned(false), turned(true)];
  const findings = findingsOf(scheduled(before), scheduled(after));
  expect(togetherOf(findings)).toBe(verdictOf(lost.length > 0, gained.length > 0));
  for (const { direction, text } of findings) {
    const dates = (direction === "alerts-less" ? lost : gained).map(({ date }) => Number(date.slice(5, 7)) - 1);
    if (!text.includes("a week")) expect([text, new Set(monthsIn(text))]).toEqual([text, new Set(dates)]);
  }
}

const shifted = (hours: Schedule["hours"], by: number) =>
  hours.map(([from, to]): [number, number] => (from === to ? [0, 0] : [from + by, to + by]));
type Hours = Schedule["hours"][number];
const weekOf = (day: Hours, saturday: Hours = [0, 0], sunday: Hours = [0, 0]) => [
  ...Array.from({ length: 5 }, () => day),
  saturday,
  sunday,
];

describe("a schedule in another time zone has the direction of the half hours of one year, whichever day it is", () => {
  test("by chance", () => {
    const day = fc.constantFrom<[number, number]>([0, 0], [8, 17], [9, 12]);
    const zone = fc.constantFrom(...zones, ...nights);
    const change = fc.record({
      hours: fc.array(day, { minLength: 7, maxLength: 7 }),
      from: zone,
      to: zone,
      by: fc.constantFrom(-6, -1, -0.5, 0, 1, 6),
    });
    const property = fc.property(change, ({ hours, from, to, by }) => {
      expectHalfHours({ timezone: from, hours }, { timezone: to, hours: shifted(hours, by) });
    });
    fc.assert(property, { numRuns: runs(0.1, 1) });
  });

  test.each([
    ["America/New_York", weekOf([9, 19]), "America/Chicago", -1],
    ["America/New_York", weekOf([11, 21]), "America/Los_Angeles", -3],
    ["America/New_York", weekOf([8, 18]), "America/Havana", 0],
    ["America/New_York", weekOf([0, 24], [0, 0], [0, 2]), "America/Havana", 0],
    ["Australia/Sydney", weekOf([8.5, 18.5]), "Australia/Adelaide", -0.5],
    ["Australia/Sydney", weekOf([8, 18]), "Australia/Lord_Howe", 0],
    ["Australia/Brisbane", weekOf([0, 0], [8, 18]), "Australia/Sydney", 0],
    ["Europe/Athens", weekOf([8, 18]), "Asia/Beirut", 0],
    ["Europe/Bucharest", weekOf([8, 18]), "Europe/Chisinau", 0],
  ] as const)("from %s %j to %s", (from, hours, to, by) => {
    const [before, after] = [
      { timezone: from, hours },
      { timezone: to, hours: shifted(hours, by) },
    ];
    expectHalfHours(before, after);
    expectHalfHours(after, before);
  });
});
