import { identity, signalGrouping } from "../shapes.js";
import { none, slug, type Paths, under, type Witness } from "../witness.js";

const day: Paths = {
  active: "enum",
  "ranges[].start_hh_mm": "string",
  "ranges[].end_hh_mm": "string",
};

const severityConditions: Paths = {
  "conditions[].op": "enum",
  "conditions[].value": "number",
  "conditions[].sustain_secs": "integer",
  "conditions[].resolve_sustain_secs": "integer",
};

export const monitor: Witness = {
  name: "Monitor",
  paths: {
    ...identity,
    annotations: "map",
    labels: "map",
    bucket_slug: "string",
    "collection.slug": "string",
    collection_slug: "string",
    notification_policy_slug: "string",
    interval_secs: "integer",
    dotted_query: "string",
    label_query: "string",
    logging_query: "string",

    "schedule.timezone": "string",
    ...under("schedule.weekly_schedule.monday", day),
    ...under("schedule.weekly_schedule.tuesday", day),
    ...under("schedule.weekly_schedule.wednesday", day),
    ...under("schedule.weekly_schedule.thursday", day),
    ...under("schedule.weekly_schedule.friday", day),
    ...under("schedule.weekly_schedule.saturday", day),
    ...under("schedule.weekly_schedule.sunday", day),

    ...under("series_conditions.defaults.critical", severityConditions),
    ...under("series_conditions.defaults.warn", severityConditions),
    "series_conditions.overrides[].label_matchers[].name": "string",
    "series_conditions.overrides[].label_matchers[].type": "enum",
    "series_conditions.overrides[].label_matchers[].value": "string",
    ...under("series_conditions.overrides[].severity_conditions", severityConditions),

    ...under("signal_grouping", signalGrouping),
  },
  operations: {
    "PUT /api/v1/config/monitors/{slug}": {
      path: slug,
      query: none,
      request: { create_if_missing: "boolean", dry_run: "boolean", monitor: "Monitor" },
      response: { monitor: "Monitor" },
    },
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
