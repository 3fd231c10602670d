import { describe, expect, test } from "vitest";
import { fromWire, fromWirePath, toWire } from "../../dist/provider/wire/codec.js";
import { caseOf } from "../support/cases.js";
import type { WireType } from "./witness.js";
import { witnesses } from "./witnesses.js";

/** The value at a path: `at("a.b[].c", 1)` is `{ a: { b: [{ c: 1 }] } }`. */
const at = (path: string, value: unknown): unknown =>
  (path.match(/\w+|\[\]/g) ?? []).reduceRight<unknown>(
    (inner, step) => (step === "[]" ? [inner] : { [step]: inner }),
    value,
  );

/** Every leaf of a value by its path; maps, whose keys are data, are leaves where `isMap` says so. */
function leaves(value: unknown, isMap: (path: string) => boolean, path = ""): [path: string, value: unknown][] {
  if (typeof value !== "object" || value === null || isMap(path)) return [[path, value]];
  if (Array.isArray(value)) return value.flatMap((each) => leaves(each, isMap, `${path}[]`));
  return Object.entries(value).flatMap(([key, each]) => leaves(each, isMap, path === "" ? key : `${path}.${key}`));
}

const samples: Readonly<Record<WireType, unknown>> = {
  string: "a text",
  "secret string": "a secret",
  enum: "A_VALUE",
  boolean: true,
  integer: 3,
  number: 0.5,
  map: { snake_case: "kept", camelCase: "kept", "dotted.key": "kept" },
  "secret map": { snake_case: "a secret" },
  "date-time": "2024-01-01T00:00:00.000Z",
};

describe.each(witnesses)("$name", ({ name, paths }) => {
  const { root, example } = caseOf(name).kind;
  const { args, wire } = example;

  test("the example's arguments become the example on the wire", () => {
    expect(toWire(root, args)).toEqual(wire);
  });

  test("the example on the wire becomes the example's arguments", () => {
    expect(fromWire(root, wire)).toEqual(args);
  });

  test("the example on the wire has no path and no type but the interface document's", () => {
    const isMap = (path: string) => paths[path]?.endsWith("map") ?? false;
    for (const [path, value] of leaves(wire, isMap)) {
      const type = paths[path];
      // An object that holds nothing has no leaf of its own.
      const isEmptyObject = type === undefined && Object.keys(paths).some((each) => each.startsWith(`${path}.`));
      expect(typeof value, path).toBe(isEmptyObject ? "object" : typeof samples[type as WireType]);
    }
  });

  test("every path of the interface document passes through the arguments unchanged", () => {
    for (const [path, type] of Object.entries(paths)) {
      // Timestamps are no arguments.
      if (type === "date-time") continue;
      const value = at(path, samples[type]);
      expect(toWire(root, fromWire(root, value)), path).toEqual(value);
    }
  });
});

describe("names that are easily spelled wrong, as arguments and on the wire:", () => {
  test.each([
    ["Notifier", "slug", "slug"],
    ["Notifier", "skipResolved", "skip_resolved"],
    ["Notifier", "oncallA.apiKey", "oncall_a.api_key"],
    ["Notifier", "oncallA.responders[].responderType", "oncall_a.responders[].responder_type"],
    ["Notifier", "oncallB.class", "oncall_b.class"],
    ["Notifier", "oncallB.clientUrl", "oncall_b.client_url"],
    ["Notifier", "oncallC.entityDisplayName", "oncall_c.entity_display_name"],
    ["Notifier", "chat.mrkdwnIn[]", "chat.mrkdwn_in[]"],
    ["Notifier", "chat.iconUrl", "chat.icon_url"],
    ["Notifier", "chat.actions[].confirmField.okText", "chat.actions[].confirm_field.ok_text"],
    [
      "Notifier",
      "webhook.httpConfig.tlsConfig.insecureSkipVerify",
      "webhook.http_config.tls_config.insecure_skip_verify",
    ],
    ["Monitor", "intervalSecs", "interval_secs"],
    ["Monitor", "collectionSlug", "collection_slug"],
    [
      "Monitor",
      "schedule.weeklySchedule.monday.ranges[].startHhMm",
      "schedule.weekly_schedule.monday.ranges[].start_hh_mm",
    ],
    [
      "Monitor",
      "schedule.weeklySchedule.sunday.ranges[].endHhMm",
      "schedule.weekly_schedule.sunday.ranges[].end_hh_mm",
    ],
    [
      "Monitor",
      "seriesConditions.overrides[].severityConditions.conditions[].resolveSustainSecs",
      "series_conditions.overrides[].severity_conditions.conditions[].resolve_sustain_secs",
    ],
    ["Monitor", "signalGrouping.signalPerSeries", "signal_grouping.signal_per_series"],
    ["TraceMetricsRule", "histogramBucketsSecs[]", "histogram_buckets_secs[]"],
    ["TraceMetricsRule", "groupBy[].key.namedKey", "group_by[].key.named_key"],
    ["TraceMetricsRule", "scopeFilter.spanScopes[].isRootSpan.value", "scope_filter.span_scopes[].is_root_span.value"],
    ["TraceMetricsRule", "traceFilter.span[].operation.inValues[]", "trace_filter.span[].operation.in_values[]"],
    [
      "Dataset",
      "configuration.traceDataset.matchCriteria.span[].spanCount.min",
      "configuration.trace_dataset.match_criteria.span[].span_count.min",
    ],
    [
      "LogAllocationConfig",
      "datasetAllocations[].allocation.percentOfLicense",
      "dataset_allocations[].allocation.percent_of_license",
    ],
    [
      "DerivedMetric",
      "queries[].query.variables[].defaultLabelSelector",
      "queries[].query.variables[].default_label_selector",
    ],
    ["CloudxMetricsIntegration", "principal.tenantId", "principal.tenant_id"],
    ["CloudxMetricsIntegration", "scrapeConfig.subscriptionIds[]", "scrape_config.subscription_ids[]"],
    ["SLO", "definition.enableBurnRateAlerting", "definition.enable_burn_rate_alerting"],
    ["SLO", "definition.burnRateAlertingConfig[].budget", "definition.burn_rate_alerting_config[].budget"],
    ["SLO", "sli.customTimesliceIndicator.timesliceSize", "sli.custom_timeslice_indicator.timeslice_size"],
  ])("%s: %s is %s", (name, argument, wire) => {
    const { root } = caseOf(name).kind;
    expect(toWire(root, at(argument, 1))).toEqual(at(wire, 1));
    expect(fromWire(root, at(wire, 1))).toEqual(at(argument, 1));
    const first = (path: string) => path.replaceAll("[]", "[0]");
    expect(fromWirePath(root, first(wire))).toBe(first(argument));
  });
});
