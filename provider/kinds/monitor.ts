import { integer, list, map, number, object, shape, string } from "../schema/field";
import { kind } from "../schema/kind";
import { collectionRef } from "./shapes/collectionRef";
import { comparisonOps } from "./shapes/comparisonOps";
import { labelMatcher } from "./shapes/matching";
import { signalGrouping } from "./shapes/signalGrouping";

// An override's conditions have no severity, although those of the defaults do.
const withoutSeverity = "Write the conditions without a severity: { conditions: [...] }";

const severityConditions = shape(
  "SeverityConditions",
  "The conditions of one severity. The monitor fires if any of them is met.",
  {
    conditions: list(
      object(
        shape("Condition", "A comparison of the query's value with a threshold, and for how long.", {
          op: string("How the query's value is compared.", { suggestions: comparisonOps, required: "always" }),
          value: number("The threshold.", { default: "0" }),
          sustainSecs: integer("How long the comparison must be true before the signal fires.", {
            unit: "seconds",
            default: "0",
          }),
          resolveSustainSecs: integer("How long the comparison must be false before the signal resolves.", {
            unit: "seconds",
            default: "0",
          }),
        }),
        undefined,
        { format: "condition" },
      ),
      "The comparisons.",
      { unordered: true, format: "anyCondition" },
    ),
  },
  { critical: withoutSeverity, warn: withoutSeverity },
);

const seriesConditions = shape("SeriesConditions", "When the monitor fires.", {
  defaults: object(
    shape("DefaultConditions", "The conditions of every series without an override, by severity.", {
      critical: object(severityConditions, "The conditions of the severity critical.", { format: "settings" }),
      warn: object(severityConditions, "The conditions of the severity warn.", { format: "settings" }),
    }),
    undefined,
    { format: "settings" },
  ),
  overrides: list(
    object(
      shape("ConditionsOverride", "Conditions that replace the defaults for the series that match.", {
        labelMatchers: list(
          object(labelMatcher, undefined, { format: "matcher" }),
          "The labels that the series must have.",
          {
            unordered: true,
            effect: "coverage",
            format: "set",
          },
        ),
        severityConditions: object(severityConditions, "The conditions of the series that match.", {
          required: "always, with a condition",
        }),
      }),
    ),
    "Conditions that replace the defaults for some series. The first override that matches a series applies.",
    { format: "firstMatch" },
  ),
});

const daySchedule = shape("DaySchedule", "When the monitor is active on one day of the week.", {
  active: string("Whether the monitor is active all day, only during `ranges`, or never.", {
    suggestions: ["ALL_DAY", "ONLY_DURING_RANGES", "NEVER"],
  }),
  ranges: list(
    object(
      shape("TimeRange", "A part of a day.", {
        startHhMm: string("The start of the range.", { unit: "HH:MM, 24 hours", required: "always" }),
        endHhMm: string(
          "The end of the range. An end at or before the start is on the next day. `24:00` is the end of the day.",
          {
            unit: "HH:MM, 24 hours",
            required: "always",
          },
        ),
      }),
    ),
    "The parts of the day in which the monitor is active.",
    { required: "`active` is `ONLY_DURING_RANGES`", unordered: true },
  ),
});

const day = (description: string) => object(daySchedule, description, { format: "settings" });

const schedule = shape("Schedule", "When the monitor is active.", {
  timezone: string("The time zone of all times in the schedule.", {
    unit: "IANA name, e.g. Europe/Berlin",
  }),
  weeklySchedule: object(
    shape("WeeklySchedule", "The schedule of each day of the week.", {
      monday: day("Monday."),
      tuesday: day("Tuesday."),
      wednesday: day("Wednesday."),
      thursday: day("Thursday."),
      friday: day("Friday."),
      saturday: day("Saturday."),
      sunday: day("Sunday."),
    }),
    undefined,
    { format: "settings" },
  ),
});

const query = { required: "exactly one query", effect: "selects" } as const;

/** The labels of a query that ends or begins with an aggregation `by (…)`: it has one series for each combination. */
function seriesLabels(promql: unknown): readonly string[] {
  if (typeof promql !== "string") return [];
  const [, after, before = after] = /\)\s*by\s*\(([^()]*)\)\s*$|^\s*\w+\s+by\s*\(([^()]*)\)/i.exec(promql) ?? [];
  return (
    before
      ?.split(",")
      .map((label) => label.trim())
      .filter(Boolean) ?? []
  );
}

export const monitor = kind({
  name: "Monitor",
  title: "monitor",
  description:
    "An alerting rule. The service evaluates its query at an interval, and the monitor fires if a condition is met.",
  wire: { one: "monitor", many: "monitors" },
  described: ["put"],
  fields: {
    annotations: map("Annotations that the monitor's notifications contain. Keys stay as you write them.", {
      defaultsFrom: "defaultAnnotations",
      effect: "text",
    }),
    labels: map("Labels of the monitor. Keys stay as you write them. A label with an empty value is a label, too.", {
      defaultsFrom: "defaultLabels",
      effect: "label",
    }),
    bucketSlug: string("The slug of the bucket that the monitor belongs to.", { effect: "routes" }),
    collection: object(collectionRef, "The collection that the monitor belongs to.", {
      effect: "routes",
      format: "settings",
    }),
    collectionSlug: string("The same as `collection.slug`. If you set both, they must be equal.", {
      effect: "routes",
      sameAs: ["collection", "slug"],
    }),
    notificationPolicySlug: string("The slug of the notification policy that routes the monitor's notifications.", {
      effect: "routes",
    }),
    intervalSecs: integer("The time between two evaluations of the query. 0 means the service's default.", {
      unit: "seconds",
      defaultValue: 60,
      effect: "window",
    }),
    dottedQuery: string("The query in dotted-path syntax.", query),
    labelQuery: string("The query in PromQL.", { ...query, format: "promql" }),
    loggingQuery: string("The query over log data.", query),
    schedule: object(schedule, undefined, { effect: "schedule", format: "schedule", shared: true }),
    seriesConditions: object(seriesConditions, undefined, {
      required: "at least one condition",
      effect: "threshold",
      format: "settings",
    }),
    signalGrouping: object(signalGrouping, undefined, { effect: "grouping", format: "settings" }),
  },
  example: {
    name: "Checkout errors",
    slug: "checkout-errors",
    labels: { team: "checkout" },
    annotations: { runBook: "https://runbooks.example.com/checkout" },
    notificationPolicySlug: "checkout",
    intervalSecs: 30,
    labelQuery: 'sum(rate(http_errors_total{service="checkout"}[5m])) by (region)',
    schedule: {
      timezone: "Europe/Berlin",
      weeklySchedule: {
        monday: { active: "ALL_DAY" },
        saturday: { active: "ONLY_DURING_RANGES", ranges: [{ startHhMm: "08:00", endHhMm: "24:00" }] },
        sunday: { active: "NEVER" },
      },
    },
    seriesConditions: {
      defaults: {
        critical: { conditions: [{ op: "GT", value: 0.05, sustainSecs: 120, resolveSustainSecs: 60 }] },
        warn: { conditions: [{ op: "GT", value: 0.01, sustainSecs: 300 }] },
      },
      overrides: [
        {
          labelMatchers: [{ name: "region", type: "EXACT", value: "eu" }],
          severityConditions: { conditions: [{ op: "GT", value: 0.1 }] },
        },
      ],
    },
    signalGrouping: { labelNames: ["region"] },
  },
  hints: ({ labelQuery, signalGrouping }) => {
    const labels = seriesLabels(labelQuery);
    if (labels.length === 0 || signalGrouping !== undefined) return [];
    const grouping = `signalGrouping: { labelNames: [${labels.map((label) => `"${label}"`).join(", ")}] }`;
    return [
      `the query has one series for each ${labels.join(" and ")}, but all are one signal without signalGrouping. ` +
        `Add ${grouping}, or signalGrouping: { signalPerSeries: false } if that is intended`,
    ];
  },
});
