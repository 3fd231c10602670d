import { comparisonOp, identity, labelMatcher, signalGrouping } from "../shapes.js";
import { type Fields, puts, under, type Witness } from "../witness.js";

const day: Fields = {
  "": "settings",
  active: "enum ALL_DAY|ONLY_DURING_RANGES|NEVER",
  ranges: "unordered",
  "ranges[].start_hh_mm": "string",
  "ranges[].end_hh_mm": "string",
};

const severityConditions: Fields = {
  conditions: "unordered anyCondition",
  "conditions[]": "condition",
  "conditions[].op": comparisonOp,
  "conditions[].value": "number",
  "conditions[].sustain_secs": "integer",
  "conditions[].resolve_sustain_secs": "integer",
};

export const monitor: Witness = {
  name: "Monitor",
  fields: {
    ...identity,
    annotations: "map text",
    labels: "map label",
    bucket_slug: "string routes",
    collection: "routes settings",
    "collection.slug": "string",
    collection_slug: "string routes",
    notification_policy_slug: "string routes",
    interval_secs: "integer window =60",
    dotted_query: "string selects",
    label_query: "string selects promql",
    logging_query: "string selects",

    schedule: "schedule schedule",
    "schedule.timezone": "string",
    "schedule.weekly_schedule": "settings",
    ...under("schedule.weekly_schedule.monday", day),
    ...under("schedule.weekly_schedule.tuesday", day),
    ...under("schedule.weekly_schedule.wednesday", day),
    ...under("schedule.weekly_schedule.thursday", day),
    ...under("schedule.weekly_schedule.friday", day),
    ...under("schedule.weekly_schedule.saturday", day),
    ...under("schedule.weekly_schedule.sunday", day),

    series_conditions: "threshold settings",
    "series_conditions.defaults": "settings",
    "series_conditions.defaults.critical": "settings",
    "series_conditions.defaults.warn": "settings",
    ...under("series_conditions.defaults.critical", severityConditions),
    ...under("series_conditions.defaults.warn", severityConditions),
    "series_conditions.overrides": "firstMatch",
    "series_conditions.overrides[].label_matchers": "coverage unordered set",
    ...under("series_conditions.overrides[].label_matchers[]", labelMatcher),
    ...under("series_conditions.overrides[].severity_conditions", severityConditions),

    ...under("signal_grouping", signalGrouping),
  },
  operations: {
    "PUT /api/v1/config/monitors/{slug}": puts("monitor", "Monitor"),
  },
  changes: {
    annotations: { annotations: { "run.book": "x", camelCase: "kept" } },
    labels: { labels: { team: "payments", snake_case: "kept" } },
    collection: { collection: { slug: "a-collection" } },
    collectionSlug: { collectionSlug: "a-collection" },
    dottedQuery: { labelQuery: undefined, dottedQuery: "a.b.c" },
    labelQuery: { labelQuery: "sum(up)" },
    loggingQuery: { labelQuery: undefined, loggingQuery: 'service = "checkout"' },
    schedule: { schedule: { timezone: "UTC", weeklySchedule: { friday: { active: "NEVER" } } } },
    seriesConditions: {
      seriesConditions: { defaults: { critical: { conditions: [{ op: "GT", value: 9, sustainSecs: 60 }] } } },
    },
    signalGrouping: { signalGrouping: { signalPerSeries: true } },
  },
  refused: { change: { schedule: { timezone: "Mars/Olympus" } }, path: "schedule.timezone" },
};
