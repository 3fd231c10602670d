type Inputs = Readonly<Record<string, unknown>>;
type Condition = Readonly<Record<string, unknown>>;

export const query = { labelQuery: "up" };
export const critical = (...conditions: readonly Condition[]) => ({
  ...query,
  seriesConditions: { defaults: { critical: { conditions } } },
});
export const gt = (value: number, more: Condition = {}) => ({ op: "GT", value, ...more });
const overrides = (...all: readonly (readonly [matchers: readonly string[], Condition])[]) => ({
  ...query,
  seriesConditions: {
    defaults: { critical: { conditions: [gt(1)] } },
    overrides: all.map(([matchers, condition]) => ({
      labelMatchers: matchers.map((text) => {
        const [, name, sign, value] = /^(\w+)(=~?)(.*)$/.exec(text) ?? [];
        return { name, type: sign === "=" ? "EXACT" : "REGEX", value };
      }),
      severityConditions: { conditions: [condition] },
    })),
  },
});
const week = (days: Inputs, timezone = "UTC") => ({ ...query, schedule: { timezone, weeklySchedule: days } });
const allDays = (day: Inputs) =>
  Object.fromEntries(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"].map((name) => [name, day]),
  );
const always = { active: "ALL_DAY" };
const during = (startHhMm: string, endHhMm: string) => ({
  active: "ONLY_DURING_RANGES",
  ranges: [{ startHhMm, endHhMm }],
});
export const definition = (more: Inputs) => ({
  definition: { objective: 99.9, enableBurnRateAlerting: true, ...more },
});
const alerts = (...burnRateAlertingConfig: readonly Inputs[]) => definition({ burnRateAlertingConfig });
const shares = (all: Readonly<Record<string, number>>, rest = 0) => ({
  datasetAllocations: Object.entries(all).map(([datasetSlug, percentOfLicense]) => ({
    datasetSlug,
    allocation: { percentOfLicense },
  })),
  defaultDataset: { allocation: { percentOfLicense: rest } },
});

export type Change = readonly [kind: string, before: Inputs, after: Inputs, there: string, back: string];
type Told = readonly [before: Inputs, after: Inputs, there: string, back: string];
export const ofKind = (kind: string, ...rows: readonly Told[]) => rows.map((row): Change => [kind, ...row]);

/** Each change, what is said of it, and what is said of the opposite change. */
export const changes: readonly Change[] = [
  ...ofKind(
    "Monitor",
    [
      critical(gt(0.05, { sustainSecs: 120 })),
      critical(gt(0.2, { sustainSecs: 120 })),
      "laxer laxer x: critical threshold 0.05 → 0.2 for 120 s: fires later",
      "stricter stricter x: critical threshold 0.2 → 0.05 for 120 s: fires earlier",
    ],
    [
      critical({ op: "LT", value: 5 }),
      critical({ op: "LT", value: 2 }),
      "laxer laxer x: critical threshold 5 → 2: fires later",
      "stricter stricter x: critical threshold 2 → 5: fires earlier",
    ],
    [
      critical(gt(1, { sustainSecs: 60 })),
      critical(gt(1, { sustainSecs: 300 })),
      "laxer laxer x: critical threshold 1, sustain 60 s → 300 s: fires later",
      "stricter stricter x: critical threshold 1, sustain 300 s → 60 s: fires earlier",
    ],
    [
      critical(gt(1, { sustainSecs: 60 })),
      critical(gt(2)),
      "laxer unclear x: critical threshold 1 → 2, sustain 60 s → 0 s: fires at other times",
      "laxer unclear x: critical threshold 2 → 1, sustain 0 s → 60 s: fires at other times",
    ],
    [
      critical({ op: "GEQ", value: 1 }),
      critical(gt(1)),
      "laxer laxer x: critical GEQ 1 → GT 1: fires later",
      "stricter stricter x: critical GT 1 → GEQ 1: fires earlier",
    ],
    [
      critical(gt(1)),
      critical({ op: "LT", value: 1 }),
      "laxer unclear x: critical GT 1 → LT 1: fires at other times",
      "laxer unclear x: critical LT 1 → GT 1: fires at other times",
    ],
    [
      critical({ op: "EQ", value: 1 }),
      critical({ op: "EQ", value: 2 }),
      "laxer unclear x: critical threshold 1 → 2: fires at other times",
      "laxer unclear x: critical threshold 2 → 1: fires at other times",
    ],
    [
      critical(gt(1, { resolveSustainSecs: 300 })),
      critical(gt(1)),
      "laxer laxer x: critical GT 1, resolve sustain 300 s → 0 s: resolves earlier",
      "stricter stricter x: critical GT 1, resolve sustain 0 s → 300 s: resolves later",
    ],
    [
      critical(gt(1), { op: "LT", value: -1 }),
      critical(gt(1)),
      "laxer laxer x: critical condition LT -1 is removed",
      "stricter stricter x: critical condition LT -1 is added: fires more often",
    ],
    [
      critical(gt(1)),
      query,
      "laxer laxer x: critical condition GT 1 is removed: no longer fires as critical",
      "stricter stricter x: critical condition GT 1 is added: fires more often",
    ],
    [
      { ...query, intervalSecs: 30 },
      query,
      "laxer laxer x: evaluated every 30 s → 60 s: notices later",
      "stricter stricter x: evaluated every 60 s → 30 s: notices earlier",
    ],
    [
      week(allDays(always)),
      week({ ...allDays(always), saturday: during("08:00", "24:00"), sunday: { active: "NEVER" } }),
      "muted laxer x: silent on Saturday 00:00–08:00 and Sunday (32 h a week)",
      "stricter stricter x: active on Saturday 00:00–08:00 and Sunday too (32 h a week)",
    ],
    [
      query,
      week({ ...allDays({ active: "NEVER" }), monday: always }),
      "muted laxer x: silent on Tuesday to Sunday (144 h a week)",
      "stricter stricter x: active on Tuesday to Sunday too (144 h a week)",
    ],
    [
      week({ ...allDays(always), friday: during("22:00", "06:00"), saturday: { active: "NEVER" } }),
      week({ ...allDays(always), friday: during("22:00", "24:00"), saturday: { active: "NEVER" } }),
      "muted laxer x: silent on Saturday 00:00–06:00 (6 h a week)",
      "stricter stricter x: active on Saturday 00:00–06:00 too (6 h a week)",
    ],
    [
      week(allDays(during("08:00", "20:00"))),
      week(allDays(during("08:00", "20:00")), "Asia/Tokyo"),
      'muted unclear x: time zone "UTC" → "Asia/Tokyo": silent at other times',
      'muted unclear x: time zone "Asia/Tokyo" → "UTC": silent at other times',
    ],
    [
      week({ ...allDays(always), sunday: {} }),
      week({ ...allDays(always), sunday: { active: "NEVER" } }),
      "muted laxer x: silent on Sunday (24 h a week)",
      "stricter stricter x: active on Sunday too (24 h a week)",
    ],
    [
      week(allDays(always)),
      week({ ...allDays(always), sunday: { active: "SOMETIMES" } }),
      "muted unclear x: Sunday cannot be read in the schedule any more: may be silent then",
      "muted unclear x: Sunday can be read in the schedule now: may be silent then",
    ],
    [
      overrides([["region=eu", "env=prod"], gt(3)]),
      overrides([["region=eu"], gt(3)]),
      'override-widened laxer x: override for env="prod" and region="eu" → region="eu" covers more series, with GT 3 in place of GT 1: fires later for them',
      'stricter stricter x: override for region="eu" → env="prod" and region="eu" covers fewer series: fires earlier for the others, with GT 1',
    ],
    [
      overrides([["region=eu"], gt(0.5)]),
      overrides([["region=~eu|us"], gt(0.5)]),
      'override-widened stricter x: override for region="eu" → region=~"eu|us" covers more series, with GT 0.5 in place of GT 1: fires earlier for them',
      'laxer laxer x: override for region=~"eu|us" → region="eu" covers fewer series: fires later for the others, with GT 1',
    ],
    [
      overrides([["region=eu"], gt(3)]),
      overrides([["region=us"], gt(3)]),
      'override-widened unclear x: override for region="eu" → region="us" covers other series, with GT 3 in place of GT 1: fires at other times for them',
      'override-widened unclear x: override for region="us" → region="eu" covers other series, with GT 3 in place of GT 1: fires at other times for them',
    ],
    [
      overrides(),
      overrides([["region=eu"], gt(3)]),
      'override-widened laxer x: override for region="eu" is new, with GT 3 in place of GT 1: fires later for them',
      'stricter stricter x: override for region="eu" is removed: fires earlier for them, with GT 1',
    ],
    [
      overrides([["region=eu"], gt(3)]),
      overrides([["region=eu"], gt(4)]),
      'laxer laxer x: override for region="eu", threshold 3 → 4: fires later',
      'stricter stricter x: override for region="eu", threshold 4 → 3: fires earlier',
    ],
    [
      overrides([["region=eu"], gt(3)], [["env=prod"], gt(4)]),
      overrides([["env=prod"], gt(4)], [["region=eu"], gt(3)]),
      'override-widened unclear x: overrides in another order, env="prod" before region="eu": another one may hold for a series',
      'override-widened unclear x: overrides in another order, region="eu" before env="prod": another one may hold for a series',
    ],
    [
      { labelQuery: "up" },
      { labelQuery: "down" },
      'query-changed unclear x: labelQuery "up" → "down": other data is read',
      'query-changed unclear x: labelQuery "down" → "up": other data is read',
    ],
    [
      { labelQuery: "up" },
      { loggingQuery: "up" },
      'query-changed unclear x: labelQuery "up" → nothing and loggingQuery nothing → "up": other data is read',
      'query-changed unclear x: labelQuery nothing → "up" and loggingQuery "up" → nothing: other data is read',
    ],
    [
      { ...query, notificationPolicySlug: "a" },
      query,
      'routing-changed unclear x: notificationPolicySlug "a" → nothing: notifications may go elsewhere',
      'routing-changed unclear x: notificationPolicySlug nothing → "a": notifications may go elsewhere',
    ],
  ),
  ...ofKind(
    "Notifier",
    [
      { email: { to: "a@example.com" } },
      { email: { to: "a@example.com" }, discard: true },
      "discarded laxer x: drops every notification from now on",
      "stricter stricter x: delivers notifications again",
    ],
    [
      { email: { to: "a@example.com" } },
      { email: { to: "b@example.com" } },
      'target-changed unclear x: email.to "a@example.com" → "b@example.com": other people may be told',
      'target-changed unclear x: email.to "b@example.com" → "a@example.com": other people may be told',
    ],
    [
      { email: { to: "a@example.com" } },
      { webhook: { url: "[secret]" } },
      "target-changed unclear x: delivers by email → webhook: other people may be told",
      "target-changed unclear x: delivers by webhook → email: other people may be told",
    ],
  ),
  ...ofKind(
    "SLO",
    [
      definition({}),
      definition({ objective: 99 }),
      "objective-lowered laxer x: objective 99.9 % → 99 %: promises less",
      "stricter stricter x: objective 99 % → 99.9 %: promises more",
    ],
    [
      definition({}),
      definition({ timeWindow: "90d" }),
      'laxer laxer x: time window "28d" → "90d": one outage weighs less',
      'stricter stricter x: time window "90d" → "28d": one outage weighs more',
    ],
    [
      definition({}),
      definition({ enableBurnRateAlerting: false }),
      "burn-rate-off laxer x: burn-rate alerting is off: nobody is told while the error budget burns",
      'stricter stricter x: burn-rate alerting is on: 2 % in "1h" ("critical"), 5 % in "6h" ("critical") and 10 % in "3d" ("warn")',
    ],
    [
      alerts({ window: "1h", budget: 2 }),
      alerts({ window: "1h", budget: 5 }),
      'laxer laxer x: burn-rate alert 2 % in "1h" → 5 % in "1h": fires later',
      'stricter stricter x: burn-rate alert 5 % in "1h" → 2 % in "1h": fires earlier',
    ],
    [
      alerts({ window: "6h", budget: 2 }),
      alerts({ window: "1h", budget: 2 }),
      'laxer laxer x: burn-rate alert 2 % in "6h" → 2 % in "1h": fires later',
      'stricter stricter x: burn-rate alert 2 % in "1h" → 2 % in "6h": fires earlier',
    ],
    [
      alerts({ window: "1h", budget: 2 }, { window: "6h", budget: 5 }),
      alerts({ window: "1h", budget: 2 }),
      'laxer laxer x: burn-rate alert 5 % in "6h" is removed',
      'stricter stricter x: burn-rate alert 5 % in "6h" is added',
    ],
    [
      { sli: { customIndicator: { totalQueryTemplate: "t", badQueryTemplate: "b" } } },
      { sli: { customIndicator: { totalQueryTemplate: "t", badQueryTemplate: "c" } } },
      'query-changed unclear x: sli.customIndicator.badQueryTemplate "b" → "c": other data is read',
      'query-changed unclear x: sli.customIndicator.badQueryTemplate "c" → "b": other data is read',
    ],
    [
      { sli: { customTimesliceIndicator: { condition: { op: "LT", value: 0.3 } } } },
      { sli: { customTimesliceIndicator: { condition: { op: "LT", value: 0.5 } } } },
      "laxer laxer x: good timeslice LT 0.3 → LT 0.5: more timeslices are good",
      "stricter stricter x: good timeslice LT 0.5 → LT 0.3: fewer timeslices are good",
    ],
  ),
  ...ofKind(
    "LogAllocationConfig",
    [
      shares({ logs: 40 }),
      shares({ logs: 20 }),
      'budget-taken laxer x: dataset "logs": 40 % → 20 % of the license',
      'stricter stricter x: dataset "logs": 20 % → 40 % of the license',
    ],
    [
      shares({}, 20),
      shares({}, 10),
      "budget-taken laxer x: records of no other dataset: 20 % → 10 % of the license",
      "stricter stricter x: records of no other dataset: 10 % → 20 % of the license",
    ],
  ),
  [
    "Dataset",
    { configuration: { type: "LOGS", logDataset: { matchCriteria: { query: "a" } } } },
    { configuration: { type: "LOGS", logDataset: { matchCriteria: { query: "b" } } } },
    'query-changed unclear x: configuration.logDataset.matchCriteria.query "a" → "b": other data is read',
    'query-changed unclear x: configuration.logDataset.matchCriteria.query "b" → "a": other data is read',
  ],
];
